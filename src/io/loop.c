#include "config.h"

#include "io/loop.h"

#include <stdlib.h>
#include <uv.h>

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

struct loop *loop_new(void)
{
	struct loop *l = calloc(1, sizeof *l);
	if (!l)
		return NULL;
	if (uv_loop_init(&l->uv) < 0) {
		free(l);
		return NULL;
	}
	if (uv_async_init(&l->uv, &l->wake, on_wake) < 0) {
		(void)uv_loop_close(&l->uv);
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
