/* SPDX-License-Identifier: MIT */
/*
 * The order is what matters: the bytes of a file are on the disk (fsync) before it gets its name (rename), and the name
 * is on the disk (fsync of the folder) before anybody relies on it.
 */
#include "config.h"

#include "base/file/durable.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file/path.h"

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
	while (fsync(fd) < 0) {
		if (errno != EINTR)
			return errno;
	}
	return 0;
}

int durable_write(int fd, struct slice bytes)
{
	while (bytes.len > 0) {
		ssize_t n = write(fd, bytes.data, bytes.len);
		if (n < 0 && errno != EINTR)
			return errno;
		bytes = slice_skip(bytes, n < 0 ? 0 : (size_t)n);
	}
	return 0;
}

int durable_write_at(int fd, struct slice bytes, uint64_t offset)
{
	while (bytes.len > 0) {
		ssize_t n = pwrite(fd, bytes.data, bytes.len, (off_t)offset);
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
		n = pread(fd, (uint8_t *)to + done, len - done, (off_t)(offset + done));
		if (n < 0 && errno != EINTR)
			return -1;
		done += n < 0 ? 0 : (size_t)n;
	}
	return (ssize_t)done;
}

/* ---- names ---- */

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

/* ---- whole files ---- */

static int write_new(const char *name, struct slice bytes)
{
	/* What lies there is the rest of a crash, or a link that somebody has put in the way. */
	if (unlink(name) < 0 && errno != ENOENT)
		return errno;
	int fd = durable_open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return errno;
	int error = durable_write(fd, bytes);
	if (error == 0)
		error = durable_sync(fd);
	if (close(fd) < 0 && error == 0)
		error = errno;
	return error;
}

int durable_replace(const char *path, struct slice bytes)
{
	char *name = path_with(path, ".new");
	if (!name)
		return ENOMEM;
	int error = write_new(name, bytes);
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

static int remove_file(const char *path)
{
	return unlink(path) < 0 && errno != ENOENT ? errno : 0;
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
