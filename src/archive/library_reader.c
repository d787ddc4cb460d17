/* SPDX-License-Identifier: MIT */
/* Archives that read their input themselves: by a caller's functions, or a file. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/library_private.h"

enum { READ_BYTES = 256 << 10 };

int dana_archive_open(struct dana_archive **out, const struct dana_reader *reader,
		      const struct dana_archive_options *options)
{
	struct dana_archive_options o;
	if (out)
		*out = NULL;
	if (!out || !reader || !reader->read) {
		if (reader && reader->close)
			reader->close(reader->arg);
		return library_not_made(options, DANA_ESTATE, out ? "the reader has no `read`" : NO_PLACE);
	}
	library_read_options(&o, options);
	o.struct_size = sizeof(o);
	o.size = reader->seek ? reader->size : 0;
	int status = dana_archive_new(out, &o);
	if (status == DANA_OK) {
		(*out)->reader = *reader;
		(*out)->bytes = malloc(READ_BYTES);
		if ((*out)->bytes)
			return DANA_OK;
		dana_archive_free(*out);
		*out = NULL;
		return DANA_ENOMEM;
	}
	if (reader->close)
		reader->close(reader->arg);
	return status;
}

int library_feed(struct dana_archive *a, int answer)
{
	const struct dana_reader *r = &a->reader;
	if (answer == DANA_ARCHIVE_PAUSED)
		return DANA_OK;
	if (answer == DANA_ARCHIVE_SEEK && r->seek(r->arg, dana_archive_seek_to(a)) < 0)
		return error_set(&a->error, DANA_EIO, "the input cannot be read again from an earlier place");
	const int64_t n = library_after_callback(a) < 0 ? -1 : r->read(r->arg, a->bytes, READ_BYTES);
	if (library_after_callback(a) < 0)
		return library_after_callback(a);
	if (n < 0)
		return error_set(&a->error, DANA_EIO, "the input cannot be read");
	if (n > READ_BYTES)
		return error_set(&a->error, DANA_EIO, "the reader returned more bytes than it was given room for");
	return library_push(a, n ? a->bytes : NULL, (size_t)n);
}

static int read_next(struct dana_archive *a, struct dana_document *document)
{
	int answer;
	if (!document)
		return library_misused(a, NO_PLACE);
	if (!a->reader.read)
		return library_misused(a, "the archive has no input to read; it was not made by dana_archive_open");
	do {
		answer = library_next(a, document);
		if (answer < 0 || answer == DANA_ARCHIVE_DOCUMENT || answer == DANA_ARCHIVE_OVER)
			return answer;
		answer = library_feed(a, answer);
	} while (answer == DANA_OK);
	return answer;
}

int dana_archive_read(struct dana_archive *a, struct dana_document *document)
{
	const int status = library_enter(a);
	return status < 0 ? status : library_leave(a, read_next(a, document));
}

/* ---- files ---- */

static int64_t file_read(void *arg, void *bytes, size_t size)
{
	ssize_t n;
	do
		n = read(*(int *)arg, bytes, size);
	while (n < 0 && errno == EINTR);
	return n;
}

static int file_seek(void *arg, uint64_t offset)
{
	return lseek(*(int *)arg, (off_t)offset, SEEK_SET) < 0 ? -1 : 0;
}

static void file_close(void *arg)
{
	(void)close(*(int *)arg);
	free(arg);
}

static int cannot_open(const struct dana_archive_options *o, const char *path)
{
	if (o->error && o->error_size)
		(void)snprintf(o->error, o->error_size, "%s: %s", path, system_text(errno));
	return DANA_EIO;
}

int dana_archive_open_path(struct dana_archive **out, const char *path, const struct dana_archive_options *options)
{
	struct dana_archive_options o;
	struct stat st;
	if (out)
		*out = NULL;
	if (!out || !path)
		return library_not_made(options, DANA_ESTATE, out ? "the path is NULL" : NO_PLACE);
	int *fd = malloc(sizeof(*fd));
	library_read_options(&o, options);
	if (!fd)
		return DANA_ENOMEM;
	*fd = open(path, O_RDONLY | O_CLOEXEC);
	if (*fd < 0 || fstat(*fd, &st) < 0 || S_ISDIR(st.st_mode)) {
		errno = *fd >= 0 && S_ISDIR(st.st_mode) ? EISDIR : errno;
		const int status = cannot_open(&o, path);
		if (*fd >= 0)
			(void)close(*fd);
		free(fd);
		return status;
	}
	o.struct_size = sizeof(o);
	o.name = o.name ? o.name : path;
	const struct dana_reader reader = { .arg = fd,
					    .read = file_read,
					    .seek = S_ISREG(st.st_mode) ? file_seek : NULL,
					    .close = file_close,
					    .size = (uint64_t)st.st_size };
	return dana_archive_open(out, &reader, &o);
}
