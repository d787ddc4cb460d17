/* SPDX-License-Identifier: MIT */
/*
 * What all kinds of sources have.
 *
 * Files and devices: two buffers, one in use by the owner of the source, one being filled by libuv's thread pool. What
 * the system has in memory is read on this thread: to pass it from thread to thread would cost more than to copy it.
 *
 * Pipes, sockets and terminals: one buffer; the stream rests while the owner holds it.
 *
 * Waking up for each small piece costs more than reading it. A pipe that was made to hold a megabyte or more is read at
 * most every few milliseconds, as long as it has little in it: its writer is not held up meanwhile.
 *
 * Chooses between the two kinds of sources: pipes, terminals and sockets are streams, all else is read as a file.
 */
#include "config.h"

#include "io/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#include <uv.h>

#include "base/digest/sha256.h"
#include "base/file/durable.h"
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

void source_free(struct source *s)
{
	if (s)
		s->ops->free(s);
}

enum { IDENTITY_START = 64 << 10 }; /* bytes at the beginning by which two files differ */

enum buffer_state {
	BUFFER_FREE,
	BUFFER_READING, /* the pool fills it */
	BUFFER_READY,   /* filled, waits for its turn; or given out */
};

struct buffer {
	enum buffer_state state;
	uint8_t *data;
	size_t len;
};

struct file_source {
	struct source source;
	struct loop *loop;
	int fd;
	size_t read_size;
	uint64_t offset; /* of the next read */
	struct buffer buffers[2];
	unsigned fill, give; /* buffer that is filled next, buffer that is given next */
	uv_fs_t request;
	bool reading;    /* request is under way */
	bool cached;     /* the last bytes were in memory */
	bool soon;       /* they are given in the loop's next round, so that others have their turn */
	bool stale;      /* a seek made the read under way useless */
	bool idle;       /* the owner waits for a chunk or the end */
	bool delivering; /* an event of ours is on the stack */
	bool at_end;     /* a read has answered 0 */
	int error;       /* of a read on this thread; reported in the loop's next round */
	bool quiet;      /* failed, or being freed: no more events */
	bool read_done;  /* for source_free, which waits for it */
};

static void read_done(uv_fs_t *request);
static void deliver(struct file_source *f);

static void fail(struct file_source *f, int error)
{
	f->quiet = true;
	f->source.events.failed(f->source.events.arg, system_text(error));
}

static void deliver_soon(void *arg)
{
	struct file_source *f = arg;
	f->soon = false;
	if (f->error)
		fail(f, f->error);
	else
		deliver(f);
}

/* What a read has brought. */
static void take_read(struct file_source *f, size_t n)
{
	struct buffer *b = &f->buffers[f->fill];
	if (n == 0) {
		f->at_end = true;
		return;
	}
	b->len = n;
	b->state = BUFFER_READY;
	f->offset += n;
	f->fill ^= 1;
}

/*
 * Reads what is there without waiting; false when that is nothing, or the system cannot say. A result of 0 does not
 * mean the end of the file here: some file systems return it for data that is not in memory. Only the read that waits
 * finds the end.
 */
static bool read_cached(struct file_source *f)
{
#ifdef RWF_NOWAIT
	const struct iovec room = { f->buffers[f->fill].data, f->read_size };
	ssize_t n = f->source.seekable ? preadv2(f->fd, &room, 1, (off_t)f->offset, RWF_NOWAIT) : -1;
	if (n <= 0)
		return false;
	take_read(f, (size_t)n);
	f->soon = true;
	loop_soon(f->loop, deliver_soon, f);
	return true;
#else
	(void)f;
	return false;
#endif
}

/* Reads on this thread, waiting for what is not in memory. */
static void read_here(struct file_source *f)
{
	struct buffer *b = &f->buffers[f->fill];
	ssize_t n;
	do
		n = f->source.seekable ? pread(f->fd, b->data, f->read_size, (off_t)f->offset)
				       : read(f->fd, b->data, f->read_size);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		f->error = errno;
	else
		take_read(f, (size_t)n);
	f->soon = true;
	loop_soon(f->loop, deliver_soon, f);
}

/*
 * Fills the free buffer: from the system's memory if it is there, else by the pool. While the owner still works on a
 * chunk that was in memory, the next one is not copied yet: it would leave the caches again.
 */
static void read_ahead(struct file_source *f)
{
	struct buffer *b = &f->buffers[f->fill];
	if (f->reading || f->at_end || f->quiet || b->state != BUFFER_FREE || (f->cached && !f->idle))
		return;
	if (f->soon && loop_is_alone(f->loop))
		return;
	f->cached = read_cached(f);
	if (f->cached)
		return;
	if (loop_is_alone(f->loop)) {
		read_here(f);
		return;
	}
	uv_buf_t buf = uv_buf_init((char *)b->data, (unsigned)f->read_size);
	b->state = BUFFER_READING;
	f->reading = true;
	f->request.data = f;
	int64_t at = f->source.seekable ? (int64_t)f->offset : -1;
	(void)uv_fs_read(loop_uv(f->loop), &f->request, f->fd, &buf, 1, at, read_done);
}

static void read_done(uv_fs_t *request)
{
	struct file_source *f = request->data;
	ssize_t n = request->result;
	uv_fs_req_cleanup(request);
	f->reading = false;
	f->read_done = true;
	struct buffer *b = &f->buffers[f->fill];
	b->state = BUFFER_FREE;
	if (f->quiet)
		return;
	if (f->stale) {
		f->stale = false;
	} else if (n < 0 && n != UV_EINTR && n != UV_EAGAIN) {
		fail(f, (int)-n);
		return;
	} else if (n >= 0) {
		take_read(f, (size_t)n);
	}
	read_ahead(f);
	if (f->idle)
		deliver(f);
}

/*
 * An owner that asks for the next chunk from within the event finds `delivering` set: the loop here goes on, and
 * nothing recurses.
 */
static void deliver(struct file_source *f)
{
	if (f->delivering)
		return;
	f->delivering = true;
	while (f->idle && !f->quiet && !f->soon) {
		struct buffer *b = &f->buffers[f->give];
		if (b->state == BUFFER_READY) {
			f->idle = false;
			f->source.events.chunk(f->source.events.arg, slice_of(b->data, b->len));
		} else if (f->at_end && !f->reading) {
			f->idle = false;
			f->source.events.end(f->source.events.arg);
		} else {
			break;
		}
	}
	f->delivering = false;
}

static void go_on(struct file_source *f)
{
	f->idle = true;
	read_ahead(f);
	deliver(f);
}

static void file_start(struct source *s)
{
	source_opened(s);
	go_on((struct file_source *)s);
}

static void file_next(struct source *s)
{
	struct file_source *f = (struct file_source *)s;
	f->buffers[f->give].state = BUFFER_FREE;
	if (f->buffers[f->give ^ 1].state != BUFFER_FREE)
		f->give ^= 1;
	else
		f->fill = f->give; /* what was just read from is in the caches still */
	go_on(f);
}

static int file_seek(struct source *s, uint64_t offset)
{
	struct file_source *f = (struct file_source *)s;
	if (!s->seekable)
		return DANA_EIO;
	for (unsigned i = 0; i < 2; i++) {
		if (f->buffers[i].state == BUFFER_READY)
			f->buffers[i].state = BUFFER_FREE;
	}
	f->stale = f->reading;
	f->give = f->fill;
	f->offset = offset;
	f->at_end = false;
	go_on(f);
	return DANA_OK;
}

/* The digest of the first bytes, in hexadecimal. */
static int digest_start(int fd, char out[SHA256_TEXT + 1])
{
	uint8_t *bytes = malloc(IDENTITY_START);
	size_t len = 0;
	ssize_t n = 1;
	while (bytes && n > 0 && len < IDENTITY_START) {
		n = pread(fd, bytes + len, IDENTITY_START - len, (off_t)len);
		if (n < 0 && errno == EINTR)
			n = 1;
		else if (n > 0)
			len += (size_t)n;
	}
	int status = !bytes ? DANA_ENOMEM : n < 0 ? DANA_EIO : DANA_OK;
	if (status == DANA_OK)
		sha256_text(slice_of(bytes, len), out);
	free(bytes);
	return status;
}

static int file_identity(struct source *s, struct buf *out)
{
	const struct file_source *f = (const struct file_source *)s;
	char digest[SHA256_TEXT + 1];
	struct stat st;
	if (!s->seekable)
		return DANA_ECONFIG;
	int status = fstat(f->fd, &st) < 0 ? DANA_EIO : digest_start(f->fd, digest);
	if (status < 0)
		return status;
	return buf_printf(out, "size %lld\ntime %lld.%09ld\nstart %s\n", (long long)st.st_size,
			  (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec, digest);
}

static void file_free(struct source *s)
{
	struct file_source *f = (struct file_source *)s;
	f->quiet = true;
	if (f->soon)
		loop_soon(f->loop, NULL, NULL);
	if (f->reading) {
		(void)uv_cancel((uv_req_t *)&f->request);
		f->read_done = false;
		loop_run_until(f->loop, &f->read_done);
	}
	for (unsigned i = 0; i < 2; i++)
		free(f->buffers[i].data);
	(void)close(f->fd);
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

int file_source_open(struct source **out, struct loop *l, int fd, bool seekable, uint64_t offset,
		     const struct source_events *events)
{
	struct stat st;
	seekable = seekable && fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
	if (offset && !seekable)
		return DANA_EIO;
	struct file_source *f = calloc(1, sizeof(*f));
	if (!f)
		return DANA_ENOMEM;
	f->read_size = source_read_size();
	for (unsigned i = 0; i < 2; i++) {
		f->buffers[i].data = malloc(f->read_size);
		if (!f->buffers[i].data) {
			free(f->buffers[0].data);
			free(f);
			return DANA_ENOMEM;
		}
	}
	f->source = (struct source){ .ops = &file_ops,
				     .events = *events,
				     .seekable = seekable,
				     .size = seekable ? (uint64_t)st.st_size : UINT64_MAX,
				     .fd = fd };
	f->loop = l;
	f->fd = fd;
	f->offset = offset;
	f->at_end = seekable && offset > f->source.size; /* where reading may be an error of its own */
	(void)posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
	*out = &f->source;
	return DANA_OK;
}

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

static int adopt(struct source **out, struct loop *l, int fd, bool seekable, uint64_t offset,
		 const struct source_events *events)
{
	switch (uv_guess_handle(fd)) {
	case UV_NAMED_PIPE:
	case UV_TTY:
	case UV_TCP:
		return offset ? DANA_EIO : stream_source_open(out, l, fd, events);
	default:
		return file_source_open(out, l, fd, seekable, offset, events);
	}
}

/* Why `input` could not be opened. */
static const char *open_fault(const char *input, int error)
{
	if (error == ENOENT && strstr(input, "://"))
		return "this address cannot be read here: fetch it, and give the file, or - for standard input";
	return system_text(error);
}

/*
 * A named pipe is not waited for here, until somebody writes to it, but in the loop, where a signal is heard. A folder
 * could be opened, but not be read.
 */
static int open_input(const char *path)
{
	struct stat st;
	mode_t mode = stat(path, &st) == 0 ? st.st_mode : 0;
	if (S_ISDIR(mode)) {
		errno = EISDIR;
		return -1;
	}
	return durable_open(path, O_RDONLY | O_CLOEXEC | (S_ISFIFO(mode) ? O_NONBLOCK : 0), 0);
}

int source_open(struct source **out, struct loop *l, const char *input, uint64_t offset,
		const struct source_events *events, struct error *err)
{
	bool is_stdin = strcmp(input, "-") == 0;
	int fd = is_stdin ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) : open_input(input);
	if (fd < 0)
		return error_set(err, DANA_EIO, "%s", open_fault(input, errno));
	/*
	 * Standard input is never sought in, even when it is a file: `dana - <FILE` and `cat FILE | dana -` are the
	 * same.
	 */
	int status = adopt(out, l, fd, !is_stdin, offset, events);
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
