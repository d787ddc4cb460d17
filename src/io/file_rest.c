/* SPDX-License-Identifier: MIT */
/*
 * The kernel grants a read lease only where nobody has the file open for writing; it is given back at once. A program
 * that opens the file for writing in between is made to wait, and we get a signal: one that is ignored by default.
 */
#include "config.h"

#include "io/file_rest.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { NANOSECONDS = 1000000000, NANOSECONDS_OF_MILLISECOND = 1000000, MILLISECONDS = 1000 };

static enum file_writer find_writer(int fd)
{
	if (fcntl(fd, F_SETSIG, SIGURG) < 0)
		return FILE_WRITER_UNKNOWN;
	if (fcntl(fd, F_SETLEASE, F_RDLCK) < 0)
		return errno == EAGAIN ? FILE_WRITER_THERE : FILE_WRITER_UNKNOWN;
	(void)fcntl(fd, F_SETLEASE, F_UNLCK);
	return FILE_WRITER_NONE;
}

static int64_t nanoseconds(const struct timespec *t)
{
	return (int64_t)t->tv_sec * NANOSECONDS + t->tv_nsec;
}

int file_look(const char *path, struct file_look *look)
{
	struct stat st;
	*look = (struct file_look){ .regular = false };
	if (stat(path, &st) < 0)
		return errno;
	if (!S_ISREG(st.st_mode))
		return 0;
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return errno;
	enum file_writer writer = find_writer(fd);
	int error = fstat(fd, &st) < 0 ? errno : 0;
	(void)close(fd);
	if (error == 0 && S_ISREG(st.st_mode))
		*look = (struct file_look){ .regular = true,
					    .size = (uint64_t)st.st_size,
					    .modified = nanoseconds(&st.st_mtim),
					    .writer = writer };
	return error;
}

struct file_time file_time_now(void)
{
	struct timespec wall, steady;
	(void)clock_gettime(CLOCK_REALTIME, &wall);
	(void)clock_gettime(CLOCK_MONOTONIC, &steady);
	return (struct file_time){ nanoseconds(&wall), nanoseconds(&steady) / NANOSECONDS_OF_MILLISECOND };
}

bool file_rest_reached(struct file_rest *rest, const struct file_look *look, struct file_time now)
{
	const int64_t wanted = look->writer == FILE_WRITER_NONE ? FILE_REST_SECONDS : FILE_REST_SECONDS_UNKNOWN;
	if (rest->since == 0 || rest->size != look->size || rest->modified != look->modified ||
	    look->writer == FILE_WRITER_THERE)
		*rest = (struct file_rest){ look->size, look->modified, now.steady };
	if (look->size == 0 || look->writer == FILE_WRITER_THERE)
		return false;
	return now.wall - look->modified >= wanted * NANOSECONDS || now.steady - rest->since >= wanted * MILLISECONDS;
}
