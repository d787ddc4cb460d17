/* SPDX-License-Identifier: MIT */
/*
 * Writes an output by libuv, and makes it durable for checkpoints and at its end.
 *
 * Bytes are copied into blocks of 128 KiB; one block at a time is written by libuv's pool. A block that is not full is
 * written when the loop has nothing else to do (`prepare`), so that many small writes become few large ones and the
 * last bytes still go out soon. Example: 200 KiB arrive in pieces of 1 KiB: the first 128 KiB are written while the
 * rest arrives, then the rest.
 *
 * A file is written as FILE.part and gets its name at the end: fsync, rename, fsync of the folder. So a file of that
 * name is always complete, and a run that was stopped leaves only FILE.part. Standard output is written as it is.
 *
 * A commit waits until the outputs have written what they had taken when it began (commit_look), then the pool syncs
 * them and replaces the file. Bytes that follow meanwhile do no harm: the file does not speak of them. When fsync has
 * failed, nobody knows what is on the disk, and a later fsync would not report it: so no commit follows.
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
#include "base/file.h"
#include "base/slice.h"
#include "base/status.h"
#include "base/system.h"
#include "io/loop.h"

enum {
	BLOCK_SIZE = 128 << 10,
	SPARE_BLOCKS = 4,
	PIECE = 4096, /* what a pipe takes without waiting when it is ready */
	LOOK_MS = 50, /* how long to wait before looking whether there is a hurry */
	STUCK_MS = 500,
	READER_MS = 20, /* between two tries to open a pipe that nobody reads yet */
};

struct output_block {
	struct output_block *next;
	size_t len;
	uint8_t bytes[BLOCK_SIZE];
};

struct output {
	struct byte_sink sink;
	struct loop *loop;
	int fd;
	bool owns_fd;
	char *path, *part;  /* NULL: not a file of ours, nothing to rename */
	char *name;         /* for messages */
	bool forgives_pipe; /* a reader that goes away is not an error */
	bool kept;          /* FILE.part was left by an earlier run */
	uint64_t bytes;
	void (*moved)(void *arg);
	void *moved_arg;

	/* What waits to be written. */
	struct output_block *first, *last; /* `first` is being written when `writing` */
	struct output_block *spare;
	unsigned n_spare;
	size_t waiting; /* bytes */
	int error;      /* errno of the first failure */
	uv_work_t work;
	uv_prepare_t prepare; /* looks for something to write before the loop goes to sleep */
	bool has_reader;      /* who may take nothing: a pipe, socket or terminal */
	size_t pipe_size;     /* what an empty pipe takes without waiting; 0: not a pipe */
	atomic_bool hurry;
	bool writing, empty, closed;
	int work_error; /* pool thread until the work is done, loop thread after */
};

/* ---- writing ---- */

/*
 * Pool thread: until the reader has made room. A write to a full pipe could not be ended by anything but its reader, so
 * it is not begun. Returns 0 or an errno number.
 */
static int wait_for_room(struct output *o)
{
	struct pollfd p = { .fd = o->fd, .events = POLLOUT };
	for (int waited = 0; waited < STUCK_MS;) {
		int n = poll(&p, 1, LOOK_MS);
		if (n != 0)
			return n < 0 && errno != EINTR ? errno : 0;
		waited = atomic_load_explicit(&o->hurry, memory_order_relaxed) ? waited + LOOK_MS : 0;
	}
	return ETIMEDOUT;
}

/* Pool thread. The descriptor may be non-blocking by somebody else's doing (a shared terminal): then we wait for it. */
static int write_block(struct output *o, const uint8_t *data, size_t len)
{
	int filled;
	while (len > 0) {
		size_t room = len;
		if (o->has_reader) {
			int error = wait_for_room(o);
			if (error)
				return error;
			/* Partly filled pages count whole in a pipe. */
			const bool is_empty =
				o->pipe_size > PIECE && ioctl(o->fd, FIONREAD, &filled) == 0 && filled == 0;
			room = is_empty ? o->pipe_size : PIECE;
		}
		ssize_t n = write(o->fd, data, len < room ? len : room);
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
	struct output *o = work->data;
	o->work_error = write_block(o, o->first->bytes, o->first->len);
}

static void drop_first(struct output *o)
{
	struct output_block *b = o->first;
	o->first = b->next;
	if (!o->first)
		o->last = NULL;
	o->waiting -= b->len;
	if (o->n_spare < SPARE_BLOCKS) {
		b->next = o->spare;
		o->spare = b;
		o->n_spare++;
	} else {
		free(b);
	}
}

static void begin_write(struct output *o);

static void write_done(uv_work_t *work, int status)
{
	struct output *o = work->data;
	o->writing = false;
	if (status == 0 && o->work_error && !o->error)
		o->error = o->work_error;
	drop_first(o);
	while (o->error && o->first)
		drop_first(o);
	begin_write(o);
	if (o->moved)
		o->moved(o->moved_arg);
}

static void begin_write(struct output *o)
{
	o->empty = !o->first;
	if (!o->first)
		(void)uv_prepare_stop(&o->prepare);
	else if (!o->writing)
		o->writing = uv_queue_work(loop_uv(o->loop), &o->work, write_work, write_done) == 0;
}

static void on_prepare(uv_prepare_t *prepare)
{
	begin_write(prepare->data);
}

static int output_write(struct byte_sink *self, struct slice bytes)
{
	struct output *o = (struct output *)self;
	struct slice rest = bytes;
	while (rest.len > 0 && !o->error) {
		/* The block under way belongs to the pool. */
		struct output_block *b = o->last == o->first && o->writing ? NULL : o->last;
		if (!b || b->len == BLOCK_SIZE) {
			b = o->spare;
			if (b) {
				o->spare = b->next;
				o->n_spare--;
			} else {
				b = malloc(sizeof(*b));
			}
			if (!b)
				return DANA_ENOMEM;
			b->next = NULL;
			b->len = 0;
			if (o->last)
				o->last->next = b;
			else
				o->first = b;
			o->last = b;
		}
		size_t n = rest.len < BLOCK_SIZE - b->len ? rest.len : BLOCK_SIZE - b->len;
		memcpy(b->bytes + b->len, rest.data, n);
		b->len += n;
		o->waiting += n;
		rest = slice_skip(rest, n);
	}
	if (o->first && o->empty) {
		o->empty = false;
		(void)uv_prepare_start(&o->prepare, on_prepare);
	}
	/* A full block need not wait for the loop to come round. */
	if (o->first && o->first->len == BLOCK_SIZE)
		begin_write(o);
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

/* ---- opening ---- */

/* Takes the descriptor over where it is owned, also when it fails. `shown`: in the message of a failure. */
static int output_new(struct output **out, struct loop *l, int fd, bool owned, const char *name, const char *shown,
		      struct error *err)
{
	struct output *o = calloc(1, sizeof(*o));
	char *copy = o ? strdup(name) : NULL;
	struct stat st;
	const mode_t mode = fstat(fd, &st) == 0 ? st.st_mode : 0;
	const int pipe_size = S_ISFIFO(mode) ? system_pipe_size(fd) : 0;
	if (!copy) {
		free(o);
		if (owned)
			(void)close(fd);
		return error_set(err, DANA_ENOMEM, "%s%s%s", shown ? shown : "", shown ? ": " : "",
				 status_text(DANA_ENOMEM));
	}
	o->sink.ops = &output_sink_ops;
	o->loop = l;
	o->fd = fd;
	o->owns_fd = owned;
	o->name = copy;
	o->has_reader = !S_ISREG(mode) && (!S_ISCHR(mode) || isatty(fd));
	o->pipe_size = pipe_size > 0 ? (size_t)pipe_size : 0;
	o->empty = true;
	o->work.data = o;
	(void)uv_prepare_init(loop_uv(l), &o->prepare);
	o->prepare.data = o;
	*out = o;
	return DANA_OK;
}

int output_open_stdout(struct output **out, struct loop *l, struct error *err)
{
	*out = NULL;
	if ((fcntl(STDOUT_FILENO, F_GETFL) & O_ACCMODE) == O_RDONLY)
		return part_file_fault(err, "standard output", EBADF);
	int status = output_new(out, l, STDOUT_FILENO, false, "standard output", NULL, err);
	if (status == DANA_OK)
		(*out)->forgives_pipe = true;
	return status;
}

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

int output_open_file(struct output **out, struct loop *l, const char *path, enum output_way way, const bool *given_up,
		     struct error *err)
{
	mode_t mode;
	*out = NULL;
	if (way != OUTPUT_RESUME && part_file_special(path, &mode)) { /* devices and named pipes have no part */
		int fd = S_ISFIFO(mode) ? open_pipe(l, path, given_up) : open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
		if (fd < 0)
			return part_file_fault(err, path, errno);
		int status = output_new(out, l, fd, true, path, path, err);
		if (status == DANA_OK)
			(*out)->forgives_pipe = true;
		return status;
	}
	bool kept = false;
	char *part = path_with(path, OUTPUT_PART_SUFFIX), *copy = strdup(path);
	int fd = part && copy ? part_file_open(path, part, way, &kept, err)
			      : error_set(err, DANA_ENOMEM, "%s: %s", path, status_text(DANA_ENOMEM));
	int status = fd < 0 ? fd : output_new(out, l, fd, true, part, path, err);
	if (status < 0) {
		free(part);
		free(copy);
		return status;
	}
	(*out)->kept = kept;
	(*out)->path = copy;
	(*out)->part = part;
	return DANA_OK;
}

struct byte_sink *output_sink(struct output *o)
{
	return &o->sink;
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
	return o->waiting;
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
	atomic_store_explicit(&o->hurry, true, memory_order_relaxed);
}

bool output_reader_gone(const struct output *o)
{
	return o->forgives_pipe && (o->error == EPIPE || o->error == ETIMEDOUT);
}

bool output_reader_stuck(const struct output *o)
{
	return o->forgives_pipe && o->error == ETIMEDOUT;
}

int output_failed(const struct output *o, struct error *err)
{
	return o->error == 0 || output_reader_gone(o) ? DANA_OK : part_file_fault(err, o->name, o->error);
}

/* ---- the end ---- */

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
	if (end != OUTPUT_DISCARD) {
		begin_write(o);
		loop_run_until(o->loop, &o->empty);
	}
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

static void on_close(uv_handle_t *handle)
{
	struct output *o = handle->data;
	o->closed = true;
}

void output_free(struct output *o)
{
	if (!o)
		return;
	o->moved = NULL;
	if (o->writing) {
		o->error = o->error ? o->error : ECANCELED; /* nothing after the block under way */
		loop_run_until(o->loop, &o->empty);
	}
	uv_close((uv_handle_t *)&o->prepare, on_close);
	loop_run_until(o->loop, &o->closed);
	while (o->first)
		drop_first(o);
	while (o->spare) {
		struct output_block *b = o->spare;
		o->spare = b->next;
		free(b);
	}
	if (o->owns_fd)
		(void)close(o->fd);
	free(o->name);
	free(o->path);
	free(o->part);
	free(o);
}

/* ---- commits ---- */

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
		c->error = c->marks[i] ? durable_sync(c->outputs[i]->fd) : 0;
		c->at = c->outputs[i]->name;
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

void commit_look(struct commit *c)
{
	bool failed = false, written = true;
	for (size_t i = 0; i < COMMIT_OUTPUTS && c->waiting && c->outputs[i]; i++) {
		const struct output *o = c->outputs[i];
		failed = failed || output_failed(o, NULL) < 0; /* which it reports itself */
		written = written && o->bytes - o->waiting >= c->marks[i];
	}
	if (!c->waiting || (!written && !failed))
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
