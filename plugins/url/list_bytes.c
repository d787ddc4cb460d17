/* SPDX-License-Identifier: MIT */
/*
 * Lists of millions of domains are decoded by the decoder for archives, which takes a third of zlib's time. Bytes after
 * the last member that do not begin another one are ignored, as gzip does.
 */
#include "config.h"

#include "plugins/url/list_bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { MAGIC = 2 };

static int file_fault(const char *shown, struct error *err)
{
	return error_set(err, DANA_EIO, "%s: %s", shown, system_text(errno));
}

/** Reads more of the file, after the bytes left in the buffer. Returns 0 or DANA_EIO. */
static int fill(struct list_bytes *b, const char *shown, struct error *err)
{
	const size_t left = b->in.len - b->in.pos;
	ssize_t n;

	memmove(b->data, b->data + b->in.pos, left);
	do {
		n = read(b->fd, b->data + left, sizeof(b->data) - left);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return file_fault(shown, err);
	b->end = n == 0;
	b->in = (struct codec_in){ b->data, left + (size_t)n, 0 };
	return DANA_OK;
}

/** Returns 1 if a gzip member begins here, else 0, or a negative status. Reads more of the file if needed. */
static int member_begins(struct list_bytes *b, const char *shown, struct error *err)
{
	while (b->in.len - b->in.pos < MAGIC && !b->end) {
		int status = fill(b, shown, err);
		if (status < 0)
			return status;
	}
	return b->in.len - b->in.pos >= MAGIC && !memcmp(b->in.data + b->in.pos, "\x1f\x8b", MAGIC);
}

int list_bytes_open(struct list_bytes *b, const char *file, const char *shown, struct error *err)
{
	b->gzip = NULL;
	b->end = false;
	b->between = true;
	b->in = (struct codec_in){ b->data, 0, 0 };
	b->fd = open(file, O_RDONLY | O_CLOEXEC);
	if (b->fd < 0)
		return file_fault(shown, err);
	int status = member_begins(b, shown, err);
	if (status > 0) {
		b->gzip = codec_for_coding(slice_from_text("gzip"))->open(&(struct codec_limits){ 0 });
		status = b->gzip ? DANA_OK : error_no_memory(err);
	}
	if (status < 0)
		list_bytes_close(b);
	return status;
}

static int read_plain(struct list_bytes *b, uint8_t *to, size_t room, const char *shown, struct error *err)
{
	if (b->in.pos == b->in.len && !b->end) {
		int status = fill(b, shown, err);
		if (status < 0)
			return status;
	}
	const size_t left = b->in.len - b->in.pos, n = left < room ? left : room;
	memcpy(to, b->in.data + b->in.pos, n);
	b->in.pos += n;
	return (int)n;
}

int list_bytes_read(struct list_bytes *b, uint8_t *to, size_t room, const char *shown, struct error *err)
{
	struct codec_out out = { to, room, 0 };

	if (!b->gzip)
		return read_plain(b, to, room, shown, err);
	while (!out.pos) {
		int status = b->between ? member_begins(b, shown, err) : 1;
		if (status <= 0)
			return status;
		if (b->in.pos == b->in.len && !b->end && (status = fill(b, shown, err)) < 0)
			return status;
		status = b->gzip->ops->step(b->gzip, &b->in, &out, b->end);
		if (status == DANA_ENOMEM)
			return error_no_memory(err);
		if (status < 0)
			return error_set(err, DANA_EIO, "%s: the compressed data is damaged or cut off", shown);
		b->between = status == CODEC_MEMBER_END;
	}
	return (int)out.pos;
}

void list_bytes_close(struct list_bytes *b)
{
	if (b->gzip)
		b->gzip->ops->close(b->gzip);
	(void)close(b->fd);
}
