/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "serve/server.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <uv.h>

#include "io/loop.h"
#include "serve/engine.h"
#include "serve/listen.h"
#include "serve/pages.h"
#include "serve/reports.h"
#include "serve/request.h"
#include "serve/streams.h"

/* ---- the two small routes ---- */

static void show_health(struct request *r)
{
	struct buf body = { 0 };
	bool ends = r->server->draining;
	buf_append_text(&body, ends ? "the service is about to end\n" : "ok\n");
	request_reply(r, ends ? MHD_HTTP_SERVICE_UNAVAILABLE : MHD_HTTP_OK, "text/plain; charset=utf-8", &body);
}

static void show_metrics(struct request *r)
{
	const struct server *s = r->server;
	const struct metrics_now now = { server_memory(s), s->children, s->draining };
	struct buf body = { 0 };
	(void)metrics_write(&s->metrics, gate_counts(s->gate), &now, &body);
	request_reply(r, MHD_HTTP_OK, "text/plain; version=0.0.4; charset=utf-8", &body);
}

static const struct route health_route = { .path = "/healthz", .get = true, .is_open = true, .end = show_health };
static const struct route metrics_route = { .path = "/metrics", .get = true, .end = show_metrics };

static const struct route *const routes[] = {
	&reports_page_route, &pages_route, &streams_route, &reports_route, &health_route, &metrics_route, NULL
};

/* ---- the parts ---- */

static int begin_request(void *arg, struct connection *c, int fd)
{
	struct server *s = arg;
	return engine_add(s->engine, fd, c);
}

static void on_writable(void *arg, struct connection *c)
{
	struct request *r = connection_user(c);
	(void)arg;
	if (r && r->direct)
		streams_writable(r);
}

/* A connection needs a descriptor, a request two more, a child three. Returns how many connections there can be. */
static size_t raise_descriptors(const struct serve_config *config)
{
	enum { OTHERS = 64 };
	struct rlimit limit;
	size_t least = config->requests_most * 2 + config->children_most * 4 + OTHERS;
	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return config->connections_most;
	limit.rlim_cur = limit.rlim_max;
	(void)setrlimit(RLIMIT_NOFILE, &limit);
	if (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= config->connections_most + least)
		return config->connections_most;
	return limit.rlim_cur > 2 * least ? limit.rlim_cur - least : limit.rlim_cur / 4;
}

static bool open_parts(struct server *s, struct error *err)
{
	const struct serve_config *config = s->config;
	char line[120];
	size_t connections = raise_descriptors(config);
	const struct gate_config gate = {
		.loop = s->loop,
		.connections_most = connections,
		.peer_most = config->peer_most,
		.requests_most = config->requests_most,
		.head_seconds = config->head_seconds,
		.idle_seconds = config->idle_seconds,
		.admit = request_admit,
		.begin = begin_request,
		.writable = on_writable,
		.gone = request_gone,
		.arg = s,
	};
	const struct engine_config engine = { s->loop, config->requests_most, request_handle, request_done, s };
	(void)snprintf(line, sizeof(line),
		       "%zu connections at most: the limit of open files (ulimit -n) allows no more", connections);
	if (connections < config->connections_most)
		config->line(line);
	s->pages = pages_new(s, err);
	s->gate = s->pages ? gate_new(&gate, err) : NULL;
	s->engine = s->gate ? engine_new(&engine, err) : NULL;
	return s->engine && listen_open(s, err) == DANA_OK;
}

/* ---- the end ---- */

struct run {
	struct server server;
	atomic_bool stop;
	bool over;
	unsigned ticks; /* since the drain began */
};

/* Any thread. */
static void on_stop(void *arg)
{
	struct run *run = arg;
	atomic_store(&run->stop, true);
	loop_wake(run->server.loop);
}

enum { TICK_MS = 50 };

static void on_tick(void *arg)
{
	struct run *run = arg;
	const struct server *s = &run->server;
	run->over = !gate_is_busy(s->gate) || run->ticks >= s->config->drain_seconds * (1000 / TICK_MS);
	run->ticks++;
}

static void on_wake(void *arg)
{
	struct run *run = arg;
	struct server *s = &run->server;
	if (!atomic_load(&run->stop) || s->draining)
		return;
	s->draining = true;
	gate_drain(s->gate);
	loop_on_tick(s->loop, TICK_MS, on_tick, run);
	on_tick(run);
}

/* What a request waits for is not waited for any more. */
static void close_parts(struct server *s)
{
	if (s->gate)
		gate_close(s->gate);
	while (s->engine && gate_counts(s->gate)->requests)
		(void)uv_run(loop_uv(s->loop), UV_RUN_ONCE);
	engine_free(s->engine);
	gate_free(s->gate);
	pages_free(s->pages);
}

static void run_loop(struct run *run)
{
	struct server *s = &run->server;
	loop_on_wake(s->loop, on_wake, run);
	s->config->watch(on_stop, run);
	loop_run_until(s->loop, &run->over);
	s->config->unwatch(run);
	loop_on_tick(s->loop, 0, NULL, NULL);
}

const char *serve_library(void)
{
	return http_library_load(NULL) == DANA_OK ? http_library.MHD_get_version() : "cannot be loaded";
}

int serve_run(const struct serve_config *config, struct error *err)
{
	struct run run = { .server = { .config = config, .routes = routes } };
	char jobs[16];
	(void)snprintf(jobs, sizeof(jobs), "%u", config->jobs);
	(void)setenv("UV_THREADPOOL_SIZE", jobs, 1);
	if (listen_check_inherited(config, err) == DANA_OK && http_library_load(err) == DANA_OK)
		run.server.loop = loop_new(err);
	if (!run.server.loop)
		return err->status;
	if (open_parts(&run.server, err))
		run_loop(&run);
	close_parts(&run.server);
	if (err->status == DANA_OK)
		listen_close(&run.server);
	loop_free(run.server.loop);
	return err->status;
}
