/* SPDX-License-Identifier: MIT */
/*
 * Files that runs write and that survive a crash: complete reads and writes by descriptor, locks, temporary files, and
 * outputs under way. The rest of base/file.h, which a page or an archive needs, is in file.c.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/status.h"
#include "base/system.h"

/*
 * The order is what matters: the bytes of a file are on the disk (fsync) before it gets its name (rename), and the name
 * is on the disk (fsync of the folder) before anybody relies on it.
 */

int durable_open(const char *path, int flags, mode_t mode)
{
	int fd;
	do {
		fd = open(path, flags, mode);
	} while (fd < 0 && errno == EINTR);
	return fd;
}

int durable_cut(int fd, off_t size)
{
	while (ftruncate(fd, size) < 0) {
		if (errno != EINTR)
			return errno;
	}
	return 0;
}

int durable_sync(int fd)
{
	while (system_sync(fd) < 0) {
		if (errno != EINTR)
			return errno;
	}
	return 0;
}

/* Bytes of one call: systems refuse more than INT_MAX, or take a part. */
static size_t some(size_t len)
{
	enum { MOST = 1 << 30 };
	return len < MOST ? len : MOST;
}

int durable_write(int fd, struct slice bytes)
{
	while (bytes.len > 0) {
		ssize_t n = write(fd, bytes.data, some(bytes.len));
		if (n < 0 && errno != EINTR)
			return errno;
		bytes = slice_skip(bytes, n < 0 ? 0 : (size_t)n);
	}
	return 0;
}

int durable_write_at(int fd, struct slice bytes, uint64_t offset)
{
	while (bytes.len > 0) {
		ssize_t n = pwrite(fd, bytes.data, some(bytes.len), (off_t)offset);
		if (n < 0 && errno != EINTR)
			return errno;
		bytes = slice_skip(bytes, n < 0 ? 0 : (size_t)n);
		offset += n < 0 ? 0 : (uint64_t)n;
	}
	return 0;
}

ssize_t durable_read_at(int fd, void *to, size_t len, uint64_t offset)
{
	size_t done = 0;
	ssize_t n = 1;
	while (done < len && n != 0) {
		n = pread(fd, (uint8_t *)to + done, some(len - done), (off_t)(offset + done));
		if (n < 0 && errno != EINTR)
			return -1;
		done += n < 0 ? 0 : (size_t)n;
	}
	return (ssize_t)done;
}

/* The folder is a file of its own. Some file systems know no fsync of folders. */
int durable_name(const char *path)
{
	char *folder = path_folder(path);
	if (!folder)
		return ENOMEM;
	int fd = durable_open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
	int error = fd < 0 ? errno : durable_sync(fd);
	free(folder);
	if (fd >= 0)
		(void)close(fd);
	return error == EINVAL || error == EROFS ? 0 : error;
}

int durable_rename(const char *from, const char *to)
{
	return rename(from, to) < 0 ? errno : durable_name(to);
}

static int remove_file(const char *path)
{
	return unlink(path) < 0 && errno != ENOENT ? errno : 0;
}

int durable_replace(const char *path, struct slice bytes)
{
	char *name = path_with(path, ".new");
	if (!name)
		return ENOMEM;
	/* what lies there is the rest of a crash, or a link that somebody has put in the way */
	int error = remove_file(name), fd = -1;
	if (error == 0) {
		fd = durable_open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
		error = fd < 0 ? errno : durable_write(fd, bytes);
	}
	if (error == 0)
		error = durable_sync(fd);
	if (fd >= 0 && close(fd) < 0 && error == 0)
		error = errno;
	if (error == 0)
		error = durable_rename(name, path);
	if (error)
		(void)unlink(name);
	free(name);
	return error;
}

int durable_read_rest(int fd, struct buf *content)
{
	enum { STEP = 64 << 10 };
	for (ssize_t n = 1; n != 0;) {
		if (buf_reserve(content, STEP) < 0)
			return ENOMEM;
		n = read(fd, content->data + content->len, STEP);
		if (n < 0 && errno != EINTR)
			return errno;
		content->len += n > 0 ? (size_t)n : 0;
	}
	return 0;
}

int durable_read(const char *path, struct buf *content)
{
	int fd = durable_open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0);
	if (fd < 0)
		return errno;
	int error = durable_read_rest(fd, content);
	(void)close(fd);
	return error;
}

int durable_remove(const char *path)
{
	char *name = path_with(path, ".new");
	if (!name)
		return ENOMEM;
	int error = remove_file(name);
	int error_of_path = remove_file(path);
	free(name);
	return error_of_path ? error_of_path : error;
}

/* A query for a lock sees the locks of all processes, also of this one. */
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

int lock_take(int fd, const char *path, pid_t *holder)
{
	static pthread_mutex_t one_by_one = PTHREAD_MUTEX_INITIALIZER; /* two threads do not both find it free */
	struct flock lock = whole;
	struct stat opened, named;
	(void)pthread_mutex_lock(&one_by_one);
	const bool free = !is_held(fd, holder);
	const bool taken = free && (fcntl(fd, F_SETLK, &lock) == 0 || (errno != EACCES && errno != EAGAIN));
	(void)pthread_mutex_unlock(&one_by_one);
	if (free && !taken)
		(void)is_held(fd, holder);
	if (!taken)
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

int nameless_file_open(const char *folder, struct error *err)
{
#ifdef O_TMPFILE
	int unnamed = durable_open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (unnamed >= 0)
		return unnamed;
#endif
	/* where the file system cannot make files without a name, the file has one for a moment */
	char *name = path_with(folder, "/.dana-XXXXXX");
	int fd = name ? mkostemp(name, O_CLOEXEC) : -1;
	if (fd >= 0 && unlink(name) < 0) {
		(void)close(fd);
		fd = -1;
	}
	free(name);
	return fd >= 0 ? fd : error_set(err, DANA_EIO, "%s: %s", folder, system_text(errno));
}

/* Who begins a FILE.part has it locked before the first byte. */

enum {
	SHOWN = 800
}; /* bytes of a name in a message, so that what is wrong with it, which follows the name, is not cut off */

static int refuse(struct error *err, enum dana_status status, const char *name, const char *why)
{
	return error_set(err, status, "%.*s%s: %s", (int)SHOWN, name, strlen(name) > SHOWN ? "..." : "", why);
}

int part_file_fault(struct error *err, const char *name, int error)
{
	return refuse(err, DANA_EIO, name, system_text(error));
}

bool part_file_special(const char *path, mode_t *mode)
{
	struct stat st;
	if (stat(path, &st) < 0 || !(S_ISCHR(st.st_mode) || S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode)))
		return false;
	*mode = st.st_mode;
	return true;
}

static int held(struct error *err, const char *part, pid_t holder)
{
	if (holder > 0)
		return error_set(err, DANA_EIO, "%.*s is being written by process %ld; wait until it has ended",
				 (int)SHOWN, part, (long)holder);
	return refuse(err, DANA_EIO, part, "another process is writing it; wait until it has ended");
}

/* In the way: what to do about it depends on whether it can be resumed. */
static int exists(struct error *err, const char *path, const char *name)
{
	char *state = path_with(path, OUTPUT_STATE_SUFFIX);
	const bool resumable = state && access(state, F_OK) == 0;
	free(state);
	return error_set(err, DANA_ECONFIG, "%.*s exists; %s", (int)SHOWN, name,
			 resumable ? "--resume continues it, --force starts over" : "--force overwrites it");
}

static int check(const char *path, const char *part, enum output_way way, struct error *err)
{
	struct stat st;
	mode_t mode;
	pid_t holder;
	if (part_file_special(path, &mode))
		return way == OUTPUT_RESUME ? refuse(err, DANA_ECONFIG, path, "a device or pipe cannot be resumed")
					    : DANA_OK;
	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return error_set(err, DANA_ECONFIG, "%.*s is a folder; --output-dir writes into one", (int)SHOWN, path);
	if (lock_look(part, &holder))
		return held(err, part, holder);
	if (way == OUTPUT_NEW && lstat(path, &st) == 0)
		return exists(err, path, path);
	if (lstat(part, &st) == 0)
		return way == OUTPUT_NEW ? exists(err, path, part) : DANA_OK;
	return errno == ENOENT ? DANA_OK : part_file_fault(err, part, errno);
}

int part_file_check(const char *path, enum output_way way, struct error *err)
{
	char *part = path_with(path, OUTPUT_PART_SUFFIX);
	int status = part ? check(path, part, way, err) : error_no_memory(err);
	free(part);
	return status;
}

bool part_file_is_final(const char *path)
{
	struct stat st;
	char part[PATH_MAX]; /* memory may be exhausted, and what is final must not seem to be anything else */
	int n = snprintf(part, sizeof(part), "%s%s", path, OUTPUT_PART_SUFFIX);
	return n > 0 && (size_t)n < sizeof(part) && stat(path, &st) == 0 && S_ISREG(st.st_mode) &&
	       lstat(part, &st) < 0 && errno == ENOENT;
}

/* What an earlier run has noted of FILE. */
static int remove_state(const char *path, struct error *err)
{
	char *state = path_with(path, OUTPUT_STATE_SUFFIX);
	if (!state)
		return error_no_memory(err);
	int error = durable_remove(state);
	int status = error ? part_file_fault(err, state, error) : DANA_OK;
	free(state);
	return status;
}

/* The descriptor of FILE.part, not yet locked. */
static int open_part(const char *path, const char *part, enum output_way way, bool *kept, struct error *err)
{
	int fd = way == OUTPUT_RESUME ? durable_open(part, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0) : -1;
	*kept = fd >= 0;
	if (*kept)
		return fd;
	if (way == OUTPUT_RESUME && errno != ENOENT)
		return part_file_fault(err, part, errno);
	if (way == OUTPUT_FORCE) {
		/* FILE.part goes first: a state without a part means nothing, a part without a state has to be refused
		 */
		if (unlink(part) < 0 && errno != ENOENT)
			return part_file_fault(err, part, errno);
		int status = remove_state(path, err);
		if (status < 0)
			return status;
	}
	fd = durable_open(part, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	if (fd >= 0)
		return fd;
	if (errno == ENOENT)
		return refuse(err, DANA_EIO, path, "the folder does not exist; make it first");
	return errno == EEXIST ? exists(err, path, part) : part_file_fault(err, part, errno);
}

int part_file_open(const char *path, const char *part, enum output_way way, bool *kept, struct error *err)
{
	int status = check(path, part, way, err);
	int fd = status < 0 ? status : open_part(path, part, way, kept, err);
	if (fd < 0)
		return fd;
	pid_t holder;
	int error = lock_take(fd, part, &holder);
	if (error)
		status = error < 0 ? held(err, part, holder) : part_file_fault(err, part, error);
	if (status == DANA_OK && !*kept)
		status = remove_state(path, err);
	if (status == DANA_OK)
		return fd;
	(void)close(fd);
	return status;
}
