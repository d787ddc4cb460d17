/* SPDX-License-Identifier: MIT */
/*
 * Pipes, sockets and terminals: one buffer; the stream rests while the owner holds it.
 *
 * Waking up for each small piece costs more than reading it. A pipe that was made to hold a megabyte or more is read at
 * most every few milliseconds, as long as it has little in it: its writer is not held up meanwhile.
 */
#include "config.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
#include <uv.h>

#include "io/loop.h"
#include "io/source.h"

enum {
	BIG_PIPE = 1 << 20, /* bytes that a pipe holds which is read in batches; usually it is 64 KiB */
	BATCH = 64 << 10,   /* bytes of a read after which the next one is not put off */
	REST = 10,          /* milliseconds */
};

struct stream_source {
	struct source source;
	struct loop *loop;
	union {
		uv_stream_t stream;
		uv_pipe_t pipe;
		uv_tty_t tty;
		uv_tcp_t tcp;
	} handle;
	uint8_t *buffer;
	size_t read_size;
	int flags; /* of the file, as they were */
	uv_timer_t rest;
	bool big_pipe, rests;
	unsigned closing; /* handles that are not closed yet */
	bool closed;
};

static void on_alloc(uv_handle_t *handle, size_t wish, uv_buf_t *buf)
{
	struct stream_source *s = handle->data;
	(void)wish;
	*buf = uv_buf_init((char *)s->buffer, (unsigned)s->read_size);
}

static void on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf)
{
	struct stream_source *s = stream->data;
	(void)buf;
	if (n == 0)
		return; /* nothing there yet */
	/* The buffer is the chunk: no read until the owner is done with it. */
	(void)uv_read_stop(stream);
	s->rests = s->big_pipe && n > 0 && n < BATCH;
	if (n > 0)
		s->source.events.chunk(s->source.events.arg, slice_of(s->buffer, (size_t)n));
	else if (n == UV_EOF)
		s->source.events.end(s->source.events.arg);
	else
		s->source.events.failed(s->source.events.arg, system_text((int)-n));
}

static void read_on(struct stream_source *s)
{
	int error = uv_read_start(&s->handle.stream, on_alloc, on_read);
	if (error < 0)
		s->source.events.failed(s->source.events.arg, system_text(-error));
}

static void on_rested(uv_timer_t *rest)
{
	struct stream_source *s = rest->data;
	read_on(s);
	loop_look(s->loop);
}

static void stream_next(struct source *source)
{
	struct stream_source *s = (struct stream_source *)source;
	if (!s->rests || uv_timer_start(&s->rest, on_rested, REST, 0) < 0)
		read_on(s);
}

static void stream_start(struct source *s)
{
	source_opened(s);
	stream_next(s);
}

static void on_close(uv_handle_t *handle)
{
	struct stream_source *s = handle->data;
	s->closed = --s->closing == 0;
}

/* Standard input is shared with whoever gave it to us, and libuv has told it not to block. */
static void restore_flags(struct stream_source *s)
{
	uv_os_fd_t fd;
	if (s->flags >= 0 && uv_fileno((uv_handle_t *)&s->handle.stream, &fd) == 0)
		(void)fcntl(fd, F_SETFL, s->flags);
}

static void stream_free(struct source *source)
{
	struct stream_source *s = (struct stream_source *)source;
	restore_flags(s);
	s->closing = 2;
	uv_close((uv_handle_t *)&s->handle.stream, on_close);
	uv_close((uv_handle_t *)&s->rest, on_close);
	loop_run_until(s->loop, &s->closed);
	free(s->buffer);
	free(s);
}

static const struct source_ops stream_ops = {
	.name = "stream",
	.start = stream_start,
	.next = stream_next,
	.seek = NULL,
	.free = stream_free,
};

static int open_handle(struct stream_source *s, int fd)
{
	uv_loop_t *uv = loop_uv(s->loop);
	int error;
	switch (uv_guess_handle(fd)) {
	case UV_TTY:
		return uv_tty_init(uv, &s->handle.tty, fd, 0);
	case UV_TCP:
		error = uv_tcp_init(uv, &s->handle.tcp);
		return error < 0 ? error : uv_tcp_open(&s->handle.tcp, fd);
	default:
		error = uv_pipe_init(uv, &s->handle.pipe, 0);
		return error < 0 ? error : uv_pipe_open(&s->handle.pipe, fd);
	}
}

int stream_source_open(struct source **out, struct loop *l, int fd, const struct source_events *events)
{
	struct stream_source *s = calloc(1, sizeof(*s));
	if (!s)
		return DANA_ENOMEM;
	s->source = (struct source){ .ops = &stream_ops, .events = *events, .seekable = false, .size = UINT64_MAX };
	s->loop = l;
	s->read_size = source_read_size();
	s->buffer = malloc(s->read_size);
	if (!s->buffer) {
		free(s);
		return DANA_ENOMEM;
	}
	s->handle.stream.data = s;
	s->flags = fcntl(fd, F_GETFL);
	int error = open_handle(s, fd);
	s->handle.stream.data = s;
	if (error < 0) {
		s->closing = 1;
		/*
		 * A handle that was made but not opened must be closed by the loop; one that was not made has no loop.
		 */
		if (s->handle.stream.loop) {
			uv_close((uv_handle_t *)&s->handle.stream, on_close);
			loop_run_until(l, &s->closed);
		}
		free(s->buffer);
		free(s);
		return DANA_EIO;
	}
	(void)uv_timer_init(loop_uv(l), &s->rest); /* which always succeeds */
	s->rest.data = s;
	s->big_pipe = fcntl(fd, F_GETPIPE_SZ) >= BIG_PIPE;
	*out = &s->source;
	return DANA_OK;
}
