/* SPDX-License-Identifier: MIT */
/*
 * Whoever had the lock before may have removed or renamed the file: then what was locked is another one than PATH is now.
 *
 * A lock that is held is tried again for a while: on a busy machine the lock of a run that was killed outlives the run for a moment (a
 * child that it was just starting still holds the file open), and --resume could come too early.
 */
#include "config.h"

#include "dedup/store/locked_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int fault(const char *path, int error, struct error *err)
{
	return error_set(err, DANA_EIO, "%s: %s", path, system_text(error));
}

enum { TRIES = 100 };

static const struct timespec between = { .tv_nsec = 10 * 1000 * 1000 };

static int take(int fd)
{
	int status = flock(fd, LOCK_EX | LOCK_NB);

	for (int i = 1; i < TRIES && status < 0 && errno == EWOULDBLOCK; i++) {
		(void)nanosleep(&between, NULL);
		status = flock(fd, LOCK_EX | LOCK_NB);
	}
	return status;
}

static int lock(const char *path, int fd, bool *same, struct error *err)
{
	struct stat opened, named;

	if (fstat(fd, &opened) < 0)
		return fault(path, errno, err);
	if (!S_ISREG(opened.st_mode))
		return error_set(err, DANA_EIO, "%s: is not a regular file", path);
	if (take(fd) < 0)
		return errno == EWOULDBLOCK ? error_set(err, DANA_EIO, "%s: is in use by another run", path)
					    : fault(path, errno, err);
	*same = lstat(path, &named) == 0 && named.st_dev == opened.st_dev && named.st_ino == opened.st_ino;
	return DANA_OK;
}

int locked_file_open(const char *path, int *fd, struct error *err)
{
	for (bool same = false;;) {
		*fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK, 0666);
		if (*fd < 0)
			return fault(path, errno, err);
		int status = lock(path, *fd, &same, err);
		if (status == DANA_OK && same)
			return DANA_OK;
		(void)close(*fd);
		*fd = -1;
		if (status < 0)
			return status;
	}
}
