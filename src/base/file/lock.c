/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/file/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file/durable.h"

/* A question for a lock of the descriptor is answered by those of all processes, also of this one. */
#ifdef F_OFD_GETLK
enum { ASK = F_OFD_GETLK };
#else
enum { ASK = F_GETLK };
#endif

static const struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

static bool is_held(int fd, pid_t *holder)
{
	struct flock lock = whole;
	const bool held = fcntl(fd, ASK, &lock) == 0 && lock.l_type != F_UNLCK;
	*holder = held ? lock.l_pid : 0;
	return held;
}

/* Two threads do not both find it free. */
static bool take(int fd, pid_t *holder)
{
	static pthread_mutex_t one_by_one = PTHREAD_MUTEX_INITIALIZER;
	struct flock lock = whole;
	(void)pthread_mutex_lock(&one_by_one);
	const bool free = !is_held(fd, holder);
	const bool taken = free && (fcntl(fd, F_SETLK, &lock) == 0 || (errno != EACCES && errno != EAGAIN));
	(void)pthread_mutex_unlock(&one_by_one);
	if (free && !taken)
		(void)is_held(fd, holder);
	return taken;
}

int lock_take(int fd, const char *path, pid_t *holder)
{
	struct stat opened, named;
	if (!take(fd, holder))
		return LOCK_HELD;
	/* Between open and lock another process may have begun the file anew. */
	if (fstat(fd, &opened) < 0)
		return errno;
	if (lstat(path, &named) < 0)
		return errno == ENOENT ? LOCK_MOVED : errno;
	return opened.st_dev == named.st_dev && opened.st_ino == named.st_ino ? 0 : LOCK_MOVED;
}

bool lock_look(const char *path, pid_t *holder)
{
	int fd = durable_open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0);
	const bool held = fd >= 0 && is_held(fd, holder);
	if (fd >= 0)
		(void)close(fd);
	return held;
}

int lock_open(const char *path, mode_t mode, const char *held, struct error *err)
{
	struct stat st;
	pid_t holder;
	int fd, error;
	do {
		fd = durable_open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK, mode);
		if (fd < 0)
			return error_set(err, DANA_EIO, "%s: %s", path, system_text(errno));
		if (fstat(fd, &st) == 0 && !S_ISREG(st.st_mode)) {
			(void)close(fd);
			return error_set(err, DANA_EIO, "%s: is not a regular file", path);
		}
		error = lock_take(fd, path, &holder);
		if (error)
			(void)close(fd);
	} while (error == LOCK_MOVED);
	if (error == 0)
		return fd;
	return error_set(err, DANA_EIO, "%s: %s", path, error == LOCK_HELD ? held : system_text(error));
}
