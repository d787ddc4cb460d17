/* SPDX-License-Identifier: MIT */
/* Chunks of the file go through the codec by steps; what comes out is kept from the beginning of the line under way on.
 */
#include "config.h"

#include "run/rows/packed_lines.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "archive/codec/codec.h"

enum { CHUNK = 1 << 18, WINDOW = 128 << 20 };

struct packed_lines {
	const char *path;
	int fd;
	uint8_t in[CHUNK];
	struct codec_in unread; /* of `in` */
	bool at_end;            /* of the file */
	bool begun;
	struct codec *codec; /* NULL: not compressed */
	struct buf lines;    /* decoded */
	size_t pos, searched;
};

struct packed_lines *packed_lines_open(const char *path, struct error *err)
{
	struct packed_lines *p = calloc(1, sizeof(*p));

	if (!p) {
		(void)error_set(err, DANA_ENOMEM, "%s", status_text(DANA_ENOMEM));
		return NULL;
	}
	p->path = path;
	p->fd = strcmp(path, "-") == 0 ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (p->fd < 0) {
		(void)error_set(err, DANA_EIO, "%s: %s", path, system_text(errno));
		free(p);
		return NULL;
	}
	p->unread.data = p->in;
	return p;
}

void packed_lines_close(struct packed_lines *p)
{
	if (!p)
		return;
	if (p->codec)
		p->codec->ops->close(p->codec);
	if (p->fd != STDIN_FILENO)
		(void)close(p->fd);
	buf_free(&p->lines);
	free(p);
}

/* Reads after what is unread, which moves to the front. */
static int read_more(struct packed_lines *p, struct error *err)
{
	size_t left = p->unread.len - p->unread.pos;

	memmove(p->in, p->in + p->unread.pos, left);
	p->unread.pos = 0;
	p->unread.len = left;
	while (p->unread.len < CHUNK && !p->at_end) {
		ssize_t n = read(p->fd, p->in + p->unread.len, CHUNK - p->unread.len);
		if (n < 0 && errno != EINTR)
			return error_set(err, DANA_EIO, "%s: %s", p->path, system_text(errno));
		if (n > 0)
			p->unread.len += (size_t)n;
		p->at_end = n == 0;
	}
	return DANA_OK;
}

static int begin(struct packed_lines *p, struct error *err)
{
	const struct codec_limits limits = { .window = WINDOW };
	bool need_more;
	int status = read_more(p, err);

	if (status < 0)
		return status;
	const struct codec_ops *ops = codec_detect(slice_of(p->in, p->unread.len), &need_more);
	if (ops) {
		p->codec = ops->open(&limits);
		if (!p->codec)
			return error_set(err, DANA_ENOMEM, "%s", status_text(DANA_ENOMEM));
	}
	p->begun = true;
	return DANA_OK;
}

static int decode(struct packed_lines *p, bool *ended, struct error *err)
{
	struct codec_out out = { p->lines.data + p->lines.len, p->lines.cap - p->lines.len, 0 };
	int result = p->codec->ops->step(p->codec, &p->unread, &out, p->at_end);

	p->lines.len += out.pos;
	*ended = result == CODEC_END;
	if (result < 0)
		return error_set(err, (enum dana_status)result, "%s: %s", p->path, p->codec->ops->fault(p->codec));
	return result == CODEC_MORE_INPUT ? read_more(p, err) : DANA_OK;
}

static int copy(struct packed_lines *p, bool *ended, struct error *err)
{
	size_t room = p->lines.cap - p->lines.len, left = p->unread.len - p->unread.pos;
	size_t n = room < left ? room : left;

	memcpy(p->lines.data + p->lines.len, p->in + p->unread.pos, n);
	p->lines.len += n;
	p->unread.pos += n;
	*ended = n == left && p->at_end;
	return n == left && !p->at_end ? read_more(p, err) : DANA_OK;
}

/* Decodes more. 1, 0 at the end, negative. */
static int more(struct packed_lines *p, struct error *err)
{
	bool ended = false;
	int status = p->begun ? DANA_OK : begin(p, err);

	buf_consume(&p->lines, p->pos);
	p->searched -= p->pos;
	p->pos = 0;
	if (status == DANA_OK && buf_reserve(&p->lines, CHUNK) < 0)
		status = error_set(err, DANA_ENOMEM, "%s", status_text(DANA_ENOMEM));
	if (status == DANA_OK)
		status = p->codec ? decode(p, &ended, err) : copy(p, &ended, err);
	return status < 0 ? status : !ended;
}

int packed_lines_next(struct packed_lines *p, struct slice *line, struct error *err)
{
	for (int status = 1;;) {
		size_t left = p->lines.len - p->searched;
		const uint8_t *end = left ? memchr(p->lines.data + p->searched, '\n', left) : NULL;
		p->searched = end ? (size_t)(end - p->lines.data) + 1 : p->lines.len;
		if (end || (status == 0 && p->searched > p->pos)) {
			*line = slice_of(p->lines.data + p->pos, p->searched - p->pos);
			p->pos = p->searched;
			return 1;
		}
		if (status == 0)
			return 0;
		status = more(p, err);
		if (status < 0)
			return status;
	}
}
