/* SPDX-License-Identifier: MIT */
/*
 * Files and devices: two buffers, one in use by the owner of the source, one being filled by libuv's thread pool. What
 * the system has in memory is read on this thread: to pass it from thread to thread would cost more than to copy it.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#include <uv.h>

#include "base/digest/sha256.h"
#include "io/loop.h"
#include "io/source.h"

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

static void deliver(struct file_source *f);
static void read_done(uv_fs_t *request);

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
