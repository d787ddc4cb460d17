/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "serve/gate.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

#include "io/loop.h"
#include "serve/connection.h"

enum { BACKLOG = 1024, TICK_MS = 1000 };

static void on_tick(uv_timer_t *timer)
{
	struct gate *g = timer->data;
	for (struct connection *c = g->first, *next; c; c = next) {
		next = c->next;
		connection_tick(c);
	}
	for (struct listener *l = g->listeners; l; l = l->next)
		l->waits = l->waits && !connection_open(g, l);
}

struct gate *gate_new(const struct gate_config *config, struct error *err)
{
	struct gate *g = calloc(1, sizeof(*g));
	if (!g) {
		(void)error_no_memory(err);
		return NULL;
	}
	g->config = *config;
	if (getrandom(&g->seed, sizeof(g->seed), GRND_NONBLOCK) < 0)
		g->seed = (uint32_t)getpid();
	(void)uv_timer_init(loop_uv(config->loop), &g->timer);
	g->timer.data = g;
	(void)uv_timer_start(&g->timer, on_tick, TICK_MS, TICK_MS);
	return g;
}

/* libuv accepts no other client before this one is taken. */
static void on_client(uv_stream_t *stream, int status)
{
	struct listener *l = stream->data;
	if (status == 0)
		l->waits = !connection_open(l->gate, l);
}

static int open_handle(struct listener *l, int fd)
{
	uv_loop_t *loop = loop_uv(l->gate->config.loop);
	if (l->reach == ADDRESS_UNIX) {
		int error = uv_pipe_init(loop, &l->handle.pipe, 0);
		return error < 0 ? error : uv_pipe_open(&l->handle.pipe, fd);
	}
	int error = uv_tcp_init(loop, &l->handle.tcp);
	return error < 0 ? error : uv_tcp_open(&l->handle.tcp, fd);
}

int gate_listen(struct gate *g, int fd, const struct address *address, struct error *err)
{
	struct listener *l = calloc(1, sizeof(*l));
	char shown[400];
	if (!l)
		return error_no_memory(err);
	l->gate = g;
	l->reach = address->reach;
	int error = open_handle(l, fd);
	if (error == 0)
		error = uv_listen(&l->handle.stream, BACKLOG, on_client);
	l->handle.stream.data = l;
	l->next = g->listeners;
	g->listeners = l;
	if (error == 0)
		return DANA_OK;
	address_show(address, shown, sizeof(shown));
	return error_set(err, DANA_EIO, "--listen: %s: %s", shown, system_text(-error));
}

void gate_drain(struct gate *g)
{
	g->draining = true;
	on_tick(&g->timer);
}

const struct gate_counts *gate_counts(const struct gate *g)
{
	return &g->counts;
}

bool gate_is_busy(const struct gate *g)
{
	const struct connection *c = g->first;
	while (c && c->client.stream.write_queue_size == 0)
		c = c->next;
	return c || g->counts.requests;
}

void gate_close(struct gate *g)
{
	for (struct connection *c = g->first; c; c = c->next)
		connection_close(c);
}

static void on_closed(uv_handle_t *handle)
{
	struct gate *g = ((struct listener *)handle->data)->gate;
	g->open_handles--;
}

static void on_timer_closed(uv_handle_t *handle)
{
	struct gate *g = handle->data;
	g->open_handles--;
}

void gate_free(struct gate *g)
{
	if (!g)
		return;
	g->open_handles = 1;
	uv_close((uv_handle_t *)&g->timer, on_timer_closed);
	for (struct listener *l = g->listeners; l; l = l->next) {
		g->open_handles++;
		uv_close((uv_handle_t *)&l->handle, on_closed);
	}
	gate_close(g);
	while (g->open_handles || g->first)
		(void)uv_run(loop_uv(g->config.loop), UV_RUN_ONCE);
	while (g->listeners) {
		struct listener *l = g->listeners;
		g->listeners = l->next;
		free(l);
	}
	free(g);
}
