/* SPDX-License-Identifier: MIT */
/*
 * Bytes are copied into blocks of 128 KiB; one block at a time is written by libuv's pool. A block that is not full is
 * written when the loop has nothing else to do (`prepare`), so that many small writes become few large ones and the
 * last bytes still go out soon. Example: 200 KiB arrive in pieces of 1 KiB: the first 128 KiB are written while the
 * rest arrives, then the rest.
 */
#include "config.h"

#include "io/output_queue.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uv.h>

#include "base/status.h"
#include "io/loop.h"

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

static void begin_write(struct output_queue *q);

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

struct output_queue *output_queue_new(struct loop *l, int fd, void (*moved)(void *arg), void *arg)
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

int output_queue_put(struct output_queue *q, struct slice bytes)
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

void output_queue_hurry(struct output_queue *q)
{
	atomic_store_explicit(&q->hurry, true, memory_order_relaxed);
}

size_t output_queue_waiting(const struct output_queue *q)
{
	return q->waiting;
}

int output_queue_error(const struct output_queue *q)
{
	return q->error;
}

void output_queue_drain(struct output_queue *q)
{
	begin_write(q);
	loop_run_until(q->loop, &q->empty);
}

static void on_close(uv_handle_t *handle)
{
	struct output_queue *q = handle->data;
	q->closed = true;
}

void output_queue_free(struct output_queue *q)
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
