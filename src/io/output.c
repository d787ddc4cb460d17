/* SPDX-License-Identifier: MIT */
/*
 * Blocks of bytes on their way to a descriptor, written one after the other by libuv's pool.
 * Inside of io only. Threads: that of its loop.
 *
 * What other files of io may know of an output. Threads: as output.h.
 *
 * Bytes are copied into blocks of 128 KiB; one block at a time is written by libuv's pool. A block that is not full is
 * written when the loop has nothing else to do (`prepare`), so that many small writes become few large ones and the
 * last bytes still go out soon. Example: 200 KiB arrive in pieces of 1 KiB: the first 128 KiB are written while the
 * rest arrives, then the rest.
 *
 * A file is written as FILE.part and gets its name at the end: fsync, rename, fsync of the folder. So a file of that
 * name is always complete, and a run that was stopped leaves only FILE.part. Standard output is written as it is.
 *
 * A commit waits until the outputs have written what they had taken when it began (`look`), then the pool syncs them
 * and replaces the file. Bytes that follow meanwhile do no harm: the file does not speak of them.
 *
 * When fsync has failed, nobody knows what is on the disk, and a later fsync would not report it: so no commit follows.
 */
#include "config.h"

#include "io/output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uv.h>

#include "base/buf.h"
#include "base/file/durable.h"
#include "base/file/part_file.h"
#include "base/file/path.h"
#include "base/slice.h"
#include "base/status.h"
#include "io/loop.h"

struct loop;

struct output_queue;

enum {
	BLOCK_SIZE = 128 << 10,
	SPARE_BLOCKS = 4,
	PIECE = 4096, /* what a pipe takes without waiting when it is ready */
	LOOK_MS = 50, /* how long to wait before looking whether there is a hurry */
	STUCK_MS = 500,
};

struct block {
	struct block *next;
	size_t len;
	uint8_t bytes[BLOCK_SIZE];
};

struct output_queue {
	struct loop *loop;
	int fd;
	void (*moved)(void *arg);
	void *arg;
	struct block *first, *last; /* `first` is being written when `writing` */
	struct block *spare;
	unsigned n_spare;
	size_t waiting;
	int error; /* errno of the first failure */
	uv_work_t work;
	uv_prepare_t prepare; /* looks for something to write before the loop goes to sleep */
	bool has_reader;      /* who may take nothing: a pipe, socket or terminal */
	size_t pipe_size;     /* what an empty pipe takes without waiting; 0: not a pipe */
	atomic_bool hurry;
	bool writing, empty;
	bool closed;
	int work_error; /* pool thread until the work is done, loop thread after */
};

static void begin_write(struct output_queue *q);

/*
 * Pool thread: until the reader has made room. A write to a full pipe could not be ended by anything but its reader, so
 * it is not begun. Returns 0 or an errno number.
 */
static int wait_for_room(struct output_queue *q)
{
	struct pollfd p = { .fd = q->fd, .events = POLLOUT };
	for (int waited = 0; waited < STUCK_MS;) {
		int n = poll(&p, 1, LOOK_MS);
		if (n != 0)
			return n < 0 && errno != EINTR ? errno : 0;
		waited = atomic_load_explicit(&q->hurry, memory_order_relaxed) ? waited + LOOK_MS : 0;
	}
	return ETIMEDOUT;
}

/* Pool thread. How much may be written without waiting when there is room. Partly filled pages count whole in a pipe.
 */
static size_t room_of(const struct output_queue *q)
{
	int filled;
	if (!q->has_reader)
		return SIZE_MAX;
	return q->pipe_size > PIECE && ioctl(q->fd, FIONREAD, &filled) == 0 && filled == 0 ? q->pipe_size : PIECE;
}

/* Pool thread. The descriptor may be non-blocking by somebody else's doing (a shared terminal): then we wait for it. */
static int write_all(struct output_queue *q, const uint8_t *data, size_t len)
{
	while (len > 0) {
		int error = q->has_reader ? wait_for_room(q) : 0;
		if (error)
			return error;
		size_t room = room_of(q);
		ssize_t n = write(q->fd, data, len < room ? len : room);
		if (n >= 0) {
			data += n;
			len -= (size_t)n;
		} else if (errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK) {
			return errno;
		}
	}
	return 0;
}

static void write_work(uv_work_t *work)
{
	struct output_queue *q = work->data;
	q->work_error = write_all(q, q->first->bytes, q->first->len);
}

static void drop_first(struct output_queue *q)
{
	struct block *b = q->first;
	q->first = b->next;
	if (!q->first)
		q->last = NULL;
	q->waiting -= b->len;
	if (q->n_spare < SPARE_BLOCKS) {
		b->next = q->spare;
		q->spare = b;
		q->n_spare++;
	} else {
		free(b);
	}
}

static void work_done(uv_work_t *work, int status)
{
	struct output_queue *q = work->data;
	q->writing = false;
	if (status == 0 && q->work_error && !q->error)
		q->error = q->work_error;
	drop_first(q);
	while (q->error && q->first)
		drop_first(q);
	begin_write(q);
	if (q->moved)
		q->moved(q->arg);
}

static void begin_write(struct output_queue *q)
{
	q->empty = !q->first;
	if (!q->first) {
		(void)uv_prepare_stop(&q->prepare);
		return;
	}
	if (q->writing)
		return;
	q->writing = uv_queue_work(loop_uv(q->loop), &q->work, write_work, work_done) == 0;
}

static void on_prepare(uv_prepare_t *prepare)
{
	begin_write(prepare->data);
}

/**
 * The queue borrows `fd`. `moved(arg)` is called after each block and after a failure. Returns NULL if memory is
 * exhausted.
 */
static struct output_queue *output_queue_new(struct loop *l, int fd, void (*moved)(void *arg), void *arg)
{
	struct output_queue *q = calloc(1, sizeof(*q));
	if (!q)
		return NULL;
	struct stat st;
	const mode_t mode = fstat(fd, &st) == 0 ? st.st_mode : 0;
	const int pipe_size = S_ISFIFO(mode) ? fcntl(fd, F_GETPIPE_SZ) : 0;
	*q = (struct output_queue){ .loop = l,
				    .fd = fd,
				    .moved = moved,
				    .arg = arg,
				    .has_reader = !S_ISREG(mode) && (!S_ISCHR(mode) || isatty(fd)),
				    .pipe_size = pipe_size > 0 ? (size_t)pipe_size : 0,
				    .empty = true };
	q->work.data = q;
	(void)uv_prepare_init(loop_uv(l), &q->prepare);
	q->prepare.data = q;
	return q;
}

static struct block *block_new(struct output_queue *q)
{
	struct block *b = q->spare;
	if (b) {
		q->spare = b->next;
		q->n_spare--;
	} else {
		b = malloc(sizeof(*b));
		if (!b)
			return NULL;
	}
	b->next = NULL;
	b->len = 0;
	return b;
}

/** Copies `bytes`. Returns 0 or DANA_ENOMEM. Nothing is kept after a failure. */
static int output_queue_put(struct output_queue *q, struct slice bytes)
{
	while (bytes.len > 0 && !q->error) {
		/* The block under way belongs to the pool. */
		struct block *b = q->last == q->first && q->writing ? NULL : q->last;
		if (!b || b->len == BLOCK_SIZE) {
			b = block_new(q);
			if (!b)
				return DANA_ENOMEM;
			if (q->last)
				q->last->next = b;
			else
				q->first = b;
			q->last = b;
		}
		size_t n = bytes.len < BLOCK_SIZE - b->len ? bytes.len : BLOCK_SIZE - b->len;
		memcpy(b->bytes + b->len, bytes.data, n);
		b->len += n;
		q->waiting += n;
		bytes = slice_skip(bytes, n);
	}
	if (q->first && q->empty) {
		q->empty = false;
		(void)uv_prepare_start(&q->prepare, on_prepare);
	}
	/* A full block need not wait for the loop to come round. */
	if (q->first && q->first->len == BLOCK_SIZE)
		begin_write(q);
	return DANA_OK;
}

/** Not for regular files: from now on a write that waits in vain for half a second fails with ETIMEDOUT. */
static void output_queue_hurry(struct output_queue *q)
{
	atomic_store_explicit(&q->hurry, true, memory_order_relaxed);
}

static size_t output_queue_waiting(const struct output_queue *q)
{
	return q->waiting;
}

/** Returns the errno of the first write that failed; 0 if all went well. */
static int output_queue_error(const struct output_queue *q)
{
	return q->error;
}

/** Runs the loop until all is written, or a write has failed. */
static void output_queue_drain(struct output_queue *q)
{
	begin_write(q);
	loop_run_until(q->loop, &q->empty);
}

static void on_close(uv_handle_t *handle)
{
	struct output_queue *q = handle->data;
	q->closed = true;
}

/** Waits for a write that is under way. NULL allowed. */
static void output_queue_free(struct output_queue *q)
{
	if (!q)
		return;
	q->moved = NULL;
	if (q->writing) {
		q->error = q->error ? q->error : ECANCELED; /* nothing after the block under way */
		loop_run_until(q->loop, &q->empty);
	}
	uv_close((uv_handle_t *)&q->prepare, on_close);
	loop_run_until(q->loop, &q->closed);
	while (q->first)
		drop_first(q);
	while (q->spare) {
		struct block *b = q->spare;
		q->spare = b->next;
		free(b);
	}
	free(q);
}

struct output {
	struct byte_sink sink;
	struct output_queue *queue;
	int fd;
	bool owns_fd;
	char *path, *part;  /* NULL: not a file of ours, nothing to rename */
	char *name;         /* for messages */
	bool forgives_pipe; /* a reader that goes away is not an error */
	bool kept;          /* FILE.part is that of an earlier run */
	uint64_t bytes;
	void (*moved)(void *arg);
	void *moved_arg;
};

static int output_write(struct byte_sink *self, struct slice bytes)
{
	struct output *o = (struct output *)self;
	int status = output_queue_put(o->queue, bytes);
	if (status < 0)
		return status;
	o->bytes += bytes.len;
	return output_failed(o, NULL);
}

/* The end of the bytes is not the end of the file: output_finish decides what becomes of that. */
static int output_sink_finish(struct byte_sink *self)
{
	return output_failed((struct output *)self, NULL);
}

static const struct byte_sink_ops output_sink_ops = { .name = "output",
						      .write = output_write,
						      .finish = output_sink_finish };

static void on_moved(void *arg)
{
	struct output *o = arg;
	if (o->moved)
		o->moved(o->moved_arg);
}

static int output_new(struct output **out, struct loop *l, int fd, const char *name)
{
	struct output *o = calloc(1, sizeof(*o));
	if (!o)
		return DANA_ENOMEM;
	o->sink.ops = &output_sink_ops;
	o->fd = fd;
	o->name = strdup(name);
	o->queue = output_queue_new(l, fd, on_moved, o);
	if (!o->name || !o->queue) {
		output_free(o);
		return DANA_ENOMEM;
	}
	*out = o;
	return DANA_OK;
}

int output_open_stdout(struct output **out, struct loop *l, struct error *err)
{
	*out = NULL;
	if ((fcntl(STDOUT_FILENO, F_GETFL) & O_ACCMODE) == O_RDONLY)
		return part_file_fault(err, "standard output", EBADF);
	int status = output_new(out, l, STDOUT_FILENO, "standard output");
	if (status < 0)
		return error_set(err, status, "%s", status_text(status));
	(*out)->forgives_pipe = true;
	return DANA_OK;
}

enum { READER_MS = 20 }; /* between two tries */

/* A named pipe that is to be opened, and nobody reads it yet. */
struct reader_wait {
	const char *path;
	const bool *given_up;
	int fd, error;
	bool over;
};

static void try_pipe(void *arg)
{
	struct reader_wait *w = arg;
	w->fd = open(w->path, O_WRONLY | O_CLOEXEC | O_NONBLOCK);
	w->error = errno;
	w->over = w->fd >= 0 || w->error != ENXIO || *w->given_up;
}

/* The reader is waited for in the loop, where a signal is heard; open() would be deaf to it. Writes may block again. */
static int open_pipe(struct loop *l, const char *path, const bool *given_up)
{
	struct reader_wait w = { .path = path, .given_up = given_up };
	try_pipe(&w);
	if (!w.over) {
		loop_on_tick(l, READER_MS, try_pipe, &w);
		loop_run_until(l, &w.over);
		loop_on_tick(l, 0, NULL, NULL);
	}
	if (w.fd >= 0)
		(void)fcntl(w.fd, F_SETFL, O_WRONLY);
	errno = w.error;
	return w.fd;
}

/* Devices and named pipes have no part. */
static int open_special(struct output **out, struct loop *l, const char *path, mode_t mode, const bool *given_up,
			struct error *err)
{
	int fd = S_ISFIFO(mode) ? open_pipe(l, path, given_up) : open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return part_file_fault(err, path, errno);
	int status = output_new(out, l, fd, path);
	if (status < 0) {
		(void)close(fd);
		return error_set(err, status, "%s: %s", path, status_text(status));
	}
	(*out)->owns_fd = true;
	(*out)->forgives_pipe = true;
	return DANA_OK;
}

static int open_regular(struct output **out, struct loop *l, const char *path, char *part, enum output_way way,
			struct error *err)
{
	bool kept;
	int fd = part_file_open(path, part, way, &kept, err);
	if (fd < 0)
		return fd;
	int status = output_new(out, l, fd, part);
	if (status < 0) {
		(void)close(fd);
		return error_set(err, status, "%s: %s", path, status_text(status));
	}
	(*out)->owns_fd = true;
	(*out)->kept = kept;
	(*out)->path = strdup(path);
	(*out)->part = strdup(part);
	if ((*out)->path && (*out)->part)
		return DANA_OK;
	output_free(*out);
	*out = NULL;
	return error_set(err, DANA_ENOMEM, "%s: %s", path, status_text(DANA_ENOMEM));
}

int output_open_file(struct output **out, struct loop *l, const char *path, enum output_way way, const bool *given_up,
		     struct error *err)
{
	mode_t mode;
	*out = NULL;
	if (way != OUTPUT_RESUME && part_file_special(path, &mode))
		return open_special(out, l, path, mode, given_up, err);
	char *part = path_with(path, OUTPUT_PART_SUFFIX);
	if (!part)
		return error_set(err, DANA_ENOMEM, "%s: %s", path, status_text(DANA_ENOMEM));
	int status = open_regular(out, l, path, part, way, err);
	free(part);
	return status;
}

struct byte_sink *output_sink(struct output *o)
{
	return &o->sink;
}

/** Returns the descriptor; it is open until output_finish. */
static int output_fd(const struct output *o)
{
	return o->fd;
}

/** Returns the name for messages. */
static const char *output_name(const struct output *o)
{
	return o->name;
}

/** Returns how many bytes of output_bytes have been written. */
static uint64_t output_written(const struct output *o)
{
	return o->bytes - output_queued(o);
}

bool output_is_file(const struct output *o)
{
	return o->part != NULL;
}

bool output_kept(const struct output *o, uint64_t *size)
{
	struct stat st;
	*size = o->kept && fstat(o->fd, &st) == 0 ? (uint64_t)st.st_size : 0;
	return o->kept;
}

int output_cut(struct output *o, uint64_t size, struct error *err)
{
	int error = durable_cut(o->fd, (off_t)size);
	if (error == 0 && lseek(o->fd, (off_t)size, SEEK_SET) < 0)
		error = errno;
	if (error)
		return part_file_fault(err, o->part, error);
	o->bytes = size;
	return DANA_OK;
}

size_t output_queued(const struct output *o)
{
	return output_queue_waiting(o->queue);
}

uint64_t output_bytes(const struct output *o)
{
	return o->bytes;
}

void output_on_progress(struct output *o, void (*moved)(void *arg), void *arg)
{
	o->moved = moved;
	o->moved_arg = arg;
}

void output_hurry(struct output *o)
{
	output_queue_hurry(o->queue);
}

bool output_reader_gone(const struct output *o)
{
	return o->forgives_pipe && (output_queue_error(o->queue) == EPIPE || output_reader_stuck(o));
}

bool output_reader_stuck(const struct output *o)
{
	return o->forgives_pipe && output_queue_error(o->queue) == ETIMEDOUT;
}

int output_failed(const struct output *o, struct error *err)
{
	int error = output_queue_error(o->queue);
	if (error == 0 || output_reader_gone(o))
		return DANA_OK;
	return part_file_fault(err, o->name, error);
}

static int finish_file(struct output *o, enum output_end end, struct error *err)
{
	if (end == OUTPUT_DISCARD)
		return unlink(o->part) == 0 ? DANA_OK : part_file_fault(err, o->part, errno);
	int error = durable_sync(o->fd);
	if (error)
		return part_file_fault(err, o->part, error);
	if (end == OUTPUT_PART)
		return DANA_OK;
	error = durable_rename(o->part, o->path);
	return error ? part_file_fault(err, o->path, error) : DANA_OK;
}

int output_finish(struct output *o, enum output_end end, struct error *err)
{
	if (end != OUTPUT_DISCARD)
		output_queue_drain(o->queue);
	int status = output_failed(o, err);
	if (o->part) {
		int ended = finish_file(o, status < 0 && end == OUTPUT_FINAL ? OUTPUT_PART : end, err);
		status = status < 0 ? status : ended;
	}
	/* Some file systems report a failed write only now. */
	if (o->owns_fd && close(o->fd) < 0 && status == DANA_OK)
		status = part_file_fault(err, o->name, errno);
	o->owns_fd = false;
	return status;
}

void output_free(struct output *o)
{
	if (!o)
		return;
	output_queue_free(o->queue);
	if (o->owns_fd)
		(void)close(o->fd);
	free(o->name);
	free(o->path);
	free(o->part);
	free(o);
}

struct commit {
	struct loop *loop;
	struct output *outputs[COMMIT_OUTPUTS];
	uint64_t marks[COMMIT_OUTPUTS]; /* bytes that must be written first */
	char *path;
	struct buf bytes;
	bool waiting; /* for the outputs */
	bool working; /* in the pool */
	bool idle;    /* neither of both */
	uv_work_t work;
	/* Of the pool's thread until the work is done. */
	int error;
	const char *at; /* what the error is of */
};

struct commit *commit_new(struct loop *l, const char *path, struct output *const outputs[COMMIT_OUTPUTS])
{
	struct commit *c = calloc(1, sizeof(*c));
	if (!c)
		return NULL;
	*c = (struct commit){ .loop = l, .path = strdup(path), .idle = true };
	memcpy(c->outputs, outputs, sizeof(c->outputs));
	c->work.data = c;
	if (c->path)
		return c;
	free(c);
	return NULL;
}

/* Pool thread. */
static void commit_work(uv_work_t *work)
{
	struct commit *c = work->data;
	for (size_t i = 0; i < COMMIT_OUTPUTS && c->outputs[i] && !c->error; i++) {
		c->error = c->marks[i] ? durable_sync(output_fd(c->outputs[i])) : 0;
		c->at = output_name(c->outputs[i]);
	}
	if (c->error)
		return;
	c->error = durable_replace(c->path, buf_slice(&c->bytes));
	c->at = c->path;
}

static void commit_done(uv_work_t *work, int status)
{
	struct commit *c = work->data;
	(void)status;
	c->working = false;
	c->idle = true;
}

/* Returns false if an output has failed, which it reports itself. */
static bool is_written(const struct commit *c, bool *failed)
{
	bool written = true;
	for (size_t i = 0; i < COMMIT_OUTPUTS && c->outputs[i]; i++) {
		*failed = *failed || output_failed(c->outputs[i], NULL) < 0;
		written = written && output_written(c->outputs[i]) >= c->marks[i];
	}
	return written;
}

void commit_look(struct commit *c)
{
	bool failed = false;
	if (!c->waiting || (!is_written(c, &failed) && !failed))
		return;
	c->waiting = false;
	c->working = !failed && uv_queue_work(loop_uv(c->loop), &c->work, commit_work, commit_done) == 0;
	c->idle = !c->working;
}

int commit_begin(struct commit *c, struct slice bytes)
{
	if (c->error)
		return DANA_OK;
	buf_clear(&c->bytes);
	if (buf_append(&c->bytes, bytes.data, bytes.len) < 0)
		return DANA_ENOMEM;
	for (size_t i = 0; i < COMMIT_OUTPUTS && c->outputs[i]; i++)
		c->marks[i] = output_bytes(c->outputs[i]);
	c->waiting = true;
	c->idle = false;
	commit_look(c);
	return DANA_OK;
}

bool commit_under_way(const struct commit *c)
{
	return !c->idle;
}

void commit_wait(struct commit *c)
{
	loop_run_until(c->loop, &c->idle);
}

int commit_failed(const struct commit *c, struct error *err)
{
	return c->idle && c->error ? part_file_fault(err, c->at, c->error) : DANA_OK;
}

void commit_free(struct commit *c)
{
	if (!c)
		return;
	commit_wait(c);
	buf_free(&c->bytes);
	free(c->path);
	free(c);
}
