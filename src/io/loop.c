/* SPDX-License-Identifier: MIT */
/*
 * A libuv loop with four ways to be called: `wake` from another thread, a timer, once at the next round (`soon`), and
 * by what waits for reads and writes. Closing a libuv handle is finished by the loop only, so everything that frees
 * one runs the loop until that is done.
 */
#include "config.h"

#include "io/loop.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
#include <uv.h>

#include "base/status.h"
#include "io/loop_memory.h"
#include "io/thread_pool.h"

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

bool loop_is_alone(const struct loop *l)
{
	return l->alone;
}

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

static int try_descriptors(void)
{
	int held[LOOP_DESCRIPTORS], n = 0, error = 0;
	while (n < LOOP_DESCRIPTORS && (held[n] = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0)) >= 0)
		n++;
	if (n < LOOP_DESCRIPTORS)
		error = errno;
	while (n > 0)
		(void)close(held[--n]);
	return error;
}

/* Returns 0 or an errno number. */
static int make(struct loop *l)
{
	int error = try_descriptors();
	if (error)
		return error;
	loop_memory_start();
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
