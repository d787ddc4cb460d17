/* SPDX-License-Identifier: MIT */
/*
 * Reads inputs: files, pipes, terminals and sockets.
 *
 * Pipes, terminals and sockets are streams, which libuv reads; all else is a file. Each has one buffer, which is the
 * chunk that its owner holds.
 *
 * A file is read on the loop's thread, when the owner asks; the system is asked to have the next bytes by then.
 * Example: at offset 0 read(512 KiB) and the wish for the 512 KiB after it, while the owner works on the first. To read
 * it in libuv's pool would cost more than to copy it, for what is in memory, and wins nothing for what is not.
 *
 * Waking up for each small piece of a stream costs more than reading it. A pipe that was made to hold a megabyte or
 * more is read at most every few milliseconds, as long as it has little in it: its writer is not held up meanwhile.
 */
#include "config.h"

#include "io/source.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uv.h>

#include "base/digest.h"
#include "base/file.h"
#include "base/system.h"
#include "io/loop.h"

enum { READ_SIZE = 512 << 10, READ_SIZE_MOST = 16 << 20 };

size_t source_read_size(void)
{
	const char *text = getenv("DANA_TEST_READ_SIZE"); /* for tests: results must not depend on it */
	if (text) {
		unsigned long n = strtoul(text, NULL, 10);
		if (n >= 1 && n <= READ_SIZE_MOST)
			return n;
	}
	return READ_SIZE;
}

int source_identity(struct source *s, struct buf *out)
{
	return s->ops->identity ? s->ops->identity(s, out) : DANA_ECONFIG;
}

struct source_counts source_counts(const struct source *s)
{
	return s->ops->counts ? s->ops->counts(s) : (struct source_counts){ 0 };
}

void source_start(struct source *s)
{
	s->ops->start(s);
}

void source_next(struct source *s)
{
	s->ops->next(s);
}

int source_seek(struct source *s, uint64_t offset)
{
	return s->seekable ? s->ops->seek(s, offset) : DANA_EIO;
}

void source_passed(struct source *s, uint64_t offset)
{
	if (s->ops->passed)
		s->ops->passed(s, offset);
}

void source_free(struct source *s)
{
	if (s)
		s->ops->free(s);
}

int source_part_identity(const struct source_part *part, struct buf *out)
{
	return part ? buf_printf(out, "part %" PRIu64 "-%" PRIu64 "\n", part->begin, part->begin + part->length)
		    : buf_status(out);
}

/* ---- files ---- */

enum { IDENTITY_START = 64 << 10 }; /* bytes at the beginning by which two files differ */

struct file_source {
	struct source source;
	struct loop *loop;
	uint8_t *buffer; /* the chunk */
	size_t read_size;
	uint64_t offset; /* of the next read */
	struct source_part part;
	bool is_part;
	bool asked; /* it comes in the loop's next round */
};

static void file_next(struct source *s);

static void read_file(void *arg)
{
	struct file_source *f = arg;
	const struct source *s = &f->source;
	ssize_t n = 0;
	f->asked = false;
	if (!s->seekable)
		n = read(s->fd, f->buffer, f->read_size);
	else if (f->offset <= s->size) { /* beyond, reading may be an error of its own */
		const uint64_t left = s->size - f->offset;
		const size_t room = f->is_part && left < f->read_size ? (size_t)left : f->read_size;
		n = pread(s->fd, f->buffer, room, (off_t)(s->fd_begin + f->offset));
	}
	if (n < 0 && (errno == EINTR || errno == EAGAIN)) {
		file_next(&f->source);
	} else if (n < 0) {
		s->events.failed(s->events.arg, system_text(errno));
	} else if (n == 0) {
		s->events.end(s->events.arg);
	} else {
		f->offset += (uint64_t)n;
		if (s->seekable)
			system_reads_next(s->fd, (off_t)(s->fd_begin + f->offset), (off_t)f->read_size);
		s->events.chunk(s->events.arg, slice_of(f->buffer, (size_t)n));
	}
}

/* In the loop's next round, so that others have their turn, and an owner that asks within an event does not recurse. */
static void file_next(struct source *s)
{
	struct file_source *f = (struct file_source *)s;
	f->asked = true;
	loop_soon(f->loop, read_file, f);
}

static void file_start(struct source *s)
{
	source_opened(s);
	file_next(s);
}

static int file_seek(struct source *s, uint64_t offset)
{
	((struct file_source *)s)->offset = offset;
	file_next(s);
	return DANA_OK;
}

static int file_identity(struct source *s, struct buf *out)
{
	char digest[SHA256_TEXT + 1];
	struct stat st;
	if (!s->seekable)
		return DANA_ECONFIG;
	uint8_t *bytes = malloc(IDENTITY_START);
	if (!bytes)
		return DANA_ENOMEM;
	const ssize_t n = fstat(s->fd, &st) < 0 ? -1 : durable_read_at(s->fd, bytes, IDENTITY_START, 0);
	if (n >= 0)
		sha256_text(slice_of(bytes, (size_t)n), digest);
	free(bytes);
	if (n < 0)
		return DANA_EIO;
	(void)buf_printf(out, "size %lld\ntime %lld.%09ld\nstart %s\n", (long long)st.st_size,
			 (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec, digest);
	const struct file_source *f = (const struct file_source *)s;
	return source_part_identity(f->is_part ? &f->part : NULL, out);
}

static void file_free(struct source *s)
{
	struct file_source *f = (struct file_source *)s;
	if (f->asked)
		loop_soon(f->loop, NULL, NULL);
	(void)close(s->fd);
	free(f->buffer);
	free(f);
}

static const struct source_ops file_ops = {
	.name = "file",
	.start = file_start,
	.next = file_next,
	.seek = file_seek,
	.identity = file_identity,
	.free = file_free,
};

/* A source on an open descriptor, which it takes over when it returns 0. */
static int file_source_open(struct source **out, struct loop *l, int fd, bool seekable, const struct source_part *part,
			    uint64_t offset, const struct source_events *events)
{
	struct stat st;
	seekable = seekable && fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
	if ((offset || part) && !seekable)
		return DANA_EIO;
	struct file_source *f = calloc(1, sizeof(*f));
	if (!f)
		return DANA_ENOMEM;
	*f = (struct file_source){ .source = { .ops = &file_ops,
					       .events = *events,
					       .seekable = seekable,
					       .size = part       ? part->length
						       : seekable ? (uint64_t)st.st_size
								  : UINT64_MAX,
					       .fd = fd,
					       .fd_begin = part ? part->begin : 0 },
				   .loop = l,
				   .read_size = source_read_size(),
				   .offset = offset };
	if (part)
		f->part = *part;
	f->is_part = part != NULL;
	f->buffer = malloc(f->read_size);
	if (!f->buffer) {
		free(f);
		return DANA_ENOMEM;
	}
	system_reads_in_order(fd);
	*out = &f->source;
	return DANA_OK;
}

/* ---- streams ---- */

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

static void read_stream(struct stream_source *s)
{
	int error = uv_read_start(&s->handle.stream, on_alloc, on_read);
	if (error < 0)
		s->source.events.failed(s->source.events.arg, system_text(-error));
}

static void on_rested(uv_timer_t *rest)
{
	struct stream_source *s = rest->data;
	read_stream(s);
	loop_look(s->loop);
}

static void stream_next(struct source *source)
{
	struct stream_source *s = (struct stream_source *)source;
	if (!s->rests || uv_timer_start(&s->rest, on_rested, REST, 0) < 0)
		read_stream(s);
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

static void stream_free(struct source *source)
{
	struct stream_source *s = (struct stream_source *)source;
	uv_os_fd_t fd;
	/* Standard input is shared with whoever gave it to us, and libuv has told it not to block. */
	if (s->flags >= 0 && uv_fileno((uv_handle_t *)&s->handle.stream, &fd) == 0)
		(void)fcntl((int)(intptr_t)fd, F_SETFL, s->flags); /* a handle of Windows has none */
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
		return error < 0 ? error : uv_tcp_open(&s->handle.tcp, (uv_os_sock_t)fd);
	default:
		error = uv_pipe_init(uv, &s->handle.pipe, 0);
		return error < 0 ? error : uv_pipe_open(&s->handle.pipe, fd);
	}
}

static int stream_source_open(struct source **out, struct loop *l, int fd, const struct source_events *events)
{
	struct stream_source *s = calloc(1, sizeof(*s));
	if (!s)
		return DANA_ENOMEM;
	s->source = (struct source){ .ops = &stream_ops,
				     .events = *events,
				     .seekable = false,
				     .size = UINT64_MAX,
				     .fd = -1 };
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
	s->big_pipe = system_pipe_size(fd) >= BIG_PIPE;
	*out = &s->source;
	return DANA_OK;
}

/* ---- all ---- */

int source_open(struct source **out, struct loop *l, const char *input, const struct source_part *part, uint64_t offset,
		const struct source_events *events, struct error *err)
{
	const bool is_stdin = strcmp(input, "-") == 0;
	struct stat st;
	const mode_t mode = !is_stdin && stat(input, &st) == 0 ? st.st_mode : 0;
	int fd = -1;
	if (S_ISDIR(mode)) /* it could be opened, but not read */
		errno = EISDIR;
	else if (is_stdin)
		fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
	else /* the writer of a named pipe is not waited for here but in the loop, where a signal is heard */
		fd = durable_open(input, O_RDONLY | O_CLOEXEC | (S_ISFIFO(mode) ? O_NONBLOCK : 0), 0);
	if (fd < 0)
		return error_set(err, DANA_EIO, "%s",
				 errno == ENOENT && strstr(input, "://")
					 ? "this address cannot be read here: fetch it, and give the file, or - for "
					   "standard input"
					 : system_text(errno));
	const uv_handle_type type = uv_guess_handle(fd);
	const bool stream = type == UV_NAMED_PIPE || type == UV_TTY || type == UV_TCP;
	/*
	 * Standard input is never sought in, even when it is a file: `dana - <FILE` and `cat FILE | dana -` are the
	 * same.
	 */
	int status = !stream  ? file_source_open(out, l, fd, !is_stdin, part, offset, events)
		     : offset ? DANA_EIO
			      : stream_source_open(out, l, fd, events);
	if (status < 0) {
		(void)close(fd);
		return error_set(err, status, "%s",
				 status == DANA_EIO && offset ? "it can only be read from its beginning"
							      : status_text(status));
	}
	return DANA_OK;
}

bool source_is_there(const char *input)
{
	struct stat st;
	return stat(input, &st) == 0 && !S_ISDIR(st.st_mode) && access(input, R_OK) == 0;
}

bool source_can_begin_anywhere(const char *input)
{
	struct stat st;
	return strcmp(input, "-") != 0 && (stat(input, &st) < 0 || S_ISREG(st.st_mode));
}
