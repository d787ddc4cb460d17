/* SPDX-License-Identifier: MIT */
/*
 * A libuv loop with three ways to be called besides reads and writes: `wake` from another thread, a timer, and once at
 * the next round (`soon`). Closing a libuv handle is finished by the loop only, so everything that frees one runs the
 * loop until that is done.
 *
 * libuv ends the process without a word where it cannot make a loop, enlarge its table of descriptors, or have a thread
 * of its pool. So what a loop opens is tried before; as many threads as the pool has are made once, all at the same
 * time with stacks as large as those; and memory for the tables is held in reserve.
 *
 * It is handed out once and never comes back: a table takes 8 bytes for each descriptor and is enlarged by doubling, so
 * it lasts for dozens of loops.
 */
#include "config.h"

#include "io/loop.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <uv.h>

#include "base/status.h"
#include "base/system.h"

enum { RESERVE = 64 << 10, PIECE = 16 };

static _Alignas(PIECE) uint8_t reserve[RESERVE];

static atomic_size_t used;

static bool is_reserve(const void *p)
{
	return (uintptr_t)p - (uintptr_t)reserve < RESERVE;
}

static void *from_reserve(void *old, size_t size)
{
	if (size > RESERVE)
		return NULL;
	size_t rounded = (size + PIECE - 1) / PIECE * PIECE, at = atomic_load(&used);
	do {
		if (rounded > RESERVE - at)
			return NULL;
	} while (!atomic_compare_exchange_weak(&used, &at, at + rounded));
	size_t had = !old ? 0 : is_reserve(old) ? (size_t)(reserve + at - (uint8_t *)old) : system_block_size(old);
	if (had)
		memcpy(reserve + at, old, had < size ? had : size);
	return reserve + at;
}

static void release(void *p)
{
	if (!is_reserve(p))
		free(p);
}

static void *enlarge(void *old, size_t size)
{
	void *moved = is_reserve(old) ? NULL : realloc(old, size);
	if (moved || size == 0)
		return moved;
	moved = from_reserve(old, size);
	if (moved)
		release(old);
	return moved;
}

static void replace_allocator(void)
{
	(void)uv_replace_allocator(malloc, enlarge, calloc, release);
}

/* As libuv has them in its thread pool */
enum { POOL_STANDARD = 4, POOL_MOST = 1024, POOL_STACK = 8 << 20 };

static uv_once_t pool_once = UV_ONCE_INIT;

static int pool_error;

/* Ends when all have been made. */
static void wait_for_others(void *made)
{
	uv_sem_wait(made);
	uv_sem_post(made);
}

static int try_threads(size_t wanted)
{
	const uv_thread_options_t options = { .flags = UV_THREAD_HAS_STACK_SIZE, .stack_size = POOL_STACK };
	uv_sem_t made;
	uv_thread_t threads[POOL_MOST];
	size_t n = 0;
	int error = uv_sem_init(&made, 0);
	if (error)
		return error;
	while (n < wanted && (error = uv_thread_create_ex(&threads[n], &options, wait_for_others, &made)) == 0)
		n++;
	uv_sem_post(&made);
	while (n > 0)
		(void)uv_thread_join(&threads[--n]);
	uv_sem_destroy(&made);
	return error;
}

static void nothing(uv_work_t *work)
{
	(void)work;
}

static void is_done(uv_work_t *work, int status)
{
	(void)work;
	(void)status;
}

/* Signals are for the thread that waits for them, also where it is made later: the threads of the pool take none. */
static void start_pool(void)
{
	sigset_t all, before;
	uv_work_t work;
	uv_loop_t loop;
	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &before);
	const char *text = getenv("UV_THREADPOOL_SIZE");
	const long n = text ? strtol(text, NULL, 10) : POOL_STANDARD;
	pool_error = -try_threads(n < 1 ? 1 : n > POOL_MOST ? POOL_MOST : (size_t)n);
	if (pool_error == 0)
		pool_error = -uv_loop_init(&loop);
	if (pool_error == 0) {
		pool_error = -uv_queue_work(&loop, &work, nothing, is_done);
		(void)uv_run(&loop, UV_RUN_DEFAULT);
		(void)uv_loop_close(&loop);
	}
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* libuv reads the variable when the pool begins. What the user has set counts. */
void thread_pool_of_one(void)
{
	(void)setenv("UV_THREADPOOL_SIZE", "1", 0);
}

/*
 * Starts the pool when it is called for the first time. Returns 0 or an errno number, the same at each call. Any
 * thread.
 */
static int thread_pool_start(void)
{
	uv_once(&pool_once, start_pool);
	return pool_error;
}

struct loop {
	uv_loop_t uv;
	uv_async_t wake;
	uv_timer_t tick;
	uv_idle_t soon;
	void (*woken)(void *arg);
	void *woken_arg;
	void (*ticked)(void *arg);
	void *ticked_arg;
	void (*then)(void *arg);
	void *then_arg;
	bool alone;
};

static void on_wake(uv_async_t *handle)
{
	struct loop *l = handle->data;
	if (l->woken)
		l->woken(l->woken_arg);
}

static void on_tick(uv_timer_t *handle)
{
	struct loop *l = handle->data;
	l->ticked(l->ticked_arg);
}

static void on_soon(uv_idle_t *handle)
{
	struct loop *l = handle->data;
	(void)uv_idle_stop(handle);
	l->then(l->then_arg);
}

/*
 * What the first loop of a process opens. Where it cannot, libuv ends the process without a word: so they are tried
 * before.
 */
enum { LOOP_DESCRIPTORS = 6 };

/* Returns 0 or an errno number. */
static int make(struct loop *l)
{
	int held[LOOP_DESCRIPTORS], n = 0, error = 0;
	while (n < LOOP_DESCRIPTORS && (held[n] = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0)) >= 0)
		n++;
	if (n < LOOP_DESCRIPTORS)
		error = errno;
	while (n > 0)
		(void)close(held[--n]);
	if (error)
		return error;
	/* from now on libuv enlarges its tables from a reserve where memory is exhausted, so that our own code comes to
	 * say so. Before the first loop is made; any thread, later calls do nothing. */
	static uv_once_t once = UV_ONCE_INIT;
	uv_once(&once, replace_allocator);
	error = l->alone ? 0 : thread_pool_start();
	if (error)
		return error;
	error = -uv_loop_init(&l->uv);
	if (error)
		return error;
	error = -uv_async_init(&l->uv, &l->wake, on_wake);
	if (error)
		(void)uv_loop_close(&l->uv);
	return error;
}

static struct loop *new_loop(bool alone, struct error *err)
{
	struct loop *l = calloc(1, sizeof(*l));
	if (!l) {
		(void)error_no_memory(err);
		return NULL;
	}
	l->alone = alone;
	int error = make(l);
	if (error) {
		(void)error_set(err, error == ENOMEM ? DANA_ENOMEM : DANA_EIO, "cannot make an event loop: %s",
				error == EAGAIN ? NO_THREAD_TEXT : system_text(error));
		free(l);
		return NULL;
	}
	l->wake.data = l;
	(void)uv_timer_init(&l->uv, &l->tick);
	l->tick.data = l;
	(void)uv_idle_init(&l->uv, &l->soon);
	l->soon.data = l;
	return l;
}

struct loop *loop_new(struct error *err)
{
	return new_loop(false, err);
}

struct loop *loop_new_alone(struct error *err)
{
	return new_loop(true, err);
}

struct uv_loop_s *loop_uv(struct loop *l)
{
	return &l->uv;
}

void loop_on_wake(struct loop *l, void (*woken)(void *arg), void *arg)
{
	l->woken = woken;
	l->woken_arg = arg;
}

void loop_wake(struct loop *l)
{
	(void)uv_async_send(&l->wake);
}

void loop_on_tick(struct loop *l, uint64_t milliseconds, void (*tick)(void *arg), void *arg)
{
	l->ticked = tick;
	l->ticked_arg = arg;
	if (milliseconds && tick)
		(void)uv_timer_start(&l->tick, on_tick, milliseconds, milliseconds);
	else
		(void)uv_timer_stop(&l->tick);
}

void loop_soon(struct loop *l, void (*then)(void *arg), void *arg)
{
	l->then = then;
	l->then_arg = arg;
	if (then)
		(void)uv_idle_start(&l->soon, on_soon);
	else
		(void)uv_idle_stop(&l->soon);
}

void loop_run_until(struct loop *l, const bool *done)
{
	/* The wake handle keeps the loop alive, so UV_RUN_ONCE always has something to wait for. */
	while (!*done)
		(void)uv_run(&l->uv, UV_RUN_ONCE);
}

/* libuv calls timers before it waits for all else, and would wait then for what may never come. */
void loop_look(struct loop *l)
{
	uv_stop(&l->uv);
}

void loop_free(struct loop *l)
{
	if (!l)
		return;
	uv_close((uv_handle_t *)&l->wake, NULL);
	uv_close((uv_handle_t *)&l->tick, NULL);
	uv_close((uv_handle_t *)&l->soon, NULL);
	(void)uv_run(&l->uv, UV_RUN_DEFAULT);
	(void)uv_loop_close(&l->uv);
	free(l);
}
