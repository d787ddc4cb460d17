/* SPDX-License-Identifier: MIT */
/* The parts of the service, from its first socket to its last response, and how it is: /healthz and /metrics. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "archive/survey.h"
#include "base/system.h"
#include "io/loop.h"
#include "serve/request.h"

/* ---- how the service is ---- */

static void show_health(struct request *r)
{
	struct buf body = { 0 };
	bool ends = r->server->draining;
	buf_append_text(&body, ends ? "the service is about to end\n" : "ok\n");
	request_reply(r, ends ? 503 : 200, "text/plain; charset=utf-8", &body);
}

static const double bounds[METRICS_BUCKETS] = { 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10 };

void metrics_time(struct metrics *m, double seconds)
{
	size_t i = 0;
	while (i < METRICS_BUCKETS && seconds > bounds[i])
		i++;
	if (i < METRICS_BUCKETS)
		m->buckets[i]++;
	m->timed++;
	m->seconds += seconds;
}

static void begin(struct buf *out, const char *name, const char *type, const char *help)
{
	buf_printf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

/* The text that Prometheus reads (exposition format 0.0.4). */
static void show_metrics(struct request *r)
{
	const struct server *s = r->server;
	const struct metrics *m = &s->metrics;
	const struct gate_counts *gate = gate_counts(s->gate);
	const struct {
		const char *name, *type, *help;
		uint64_t value;
	} rows[] = {
		{ "dana_connections", "gauge", "Connections of clients.", gate->connections },
		{ "dana_requests", "gauge", "Requests under way.", gate->requests },
		{ "dana_memory_bytes", "gauge", "Bodies and responses that are held.", server_memory(s) },
		{ "dana_children", "gauge", "Processes that work on archives and reports.", s->children },
		{ "dana_workers", "gauge", "Processes that make the texts of pages.", pages_workers(s->pages) },
		{ "dana_draining", "gauge", "1 when the service is about to end.", s->draining },
		{ "dana_connections_total", "counter", "Connections that were accepted.", gate->accepted },
		{ "dana_read_bytes_total", "counter", "Bytes from clients.", gate->bytes_read },
		{ "dana_written_bytes_total", "counter", "Bytes to clients.", gate->bytes_written },
		{ "dana_pages_total", "counter", "Pages whose text was made.", m->pages },
		{ "dana_html_bytes_total", "counter", "Bytes of these pages.", m->html_bytes },
		{ "dana_text_chars_total", "counter", "Characters of their text.", m->text_chars },
	};
	struct rusage use;
	struct buf body = { 0 };
	begin(&body, "dana_build_info", "gauge", "The version.");
	buf_printf(&body, "dana_build_info{version=\"%s\"} 1\n", PACKAGE_VERSION);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		begin(&body, rows[i].name, rows[i].type, rows[i].help);
		buf_printf(&body, "%s %" PRIu64 "\n", rows[i].name, rows[i].value);
	}
	begin(&body, "dana_responses_total", "counter", "Responses by status.");
	for (unsigned status = 100; status < METRICS_STATUSES; status++) {
		uint64_t n = m->responses[status] + (status >= 400 ? gate->refused[status - 400] : 0);
		if (n)
			buf_printf(&body, "dana_responses_total{status=\"%u\"} %" PRIu64 "\n", status, n);
	}
	begin(&body, "dana_extract_seconds", "histogram",
	      "Time from the header of a request of /extract to its response.");
	uint64_t sum = 0;
	for (unsigned i = 0; i < METRICS_BUCKETS; i++) {
		sum += m->buckets[i];
		buf_printf(&body, "dana_extract_seconds_bucket{le=\"%g\"} %" PRIu64 "\n", bounds[i], sum);
	}
	buf_printf(&body,
		   "dana_extract_seconds_bucket{le=\"+Inf\"} %" PRIu64 "\ndana_extract_seconds_sum %.6f\n"
		   "dana_extract_seconds_count %" PRIu64 "\n",
		   m->timed, m->seconds, m->timed);
	(void)getrusage(RUSAGE_SELF, &use);
	begin(&body, "process_cpu_seconds_total", "counter", "CPU time of the process.");
	buf_printf(&body, "process_cpu_seconds_total %.3f\n",
		   (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
			   (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec) / 1e6);
	begin(&body, "process_resident_memory_bytes", "gauge", "Resident memory of the process.");
	buf_printf(&body, "process_resident_memory_bytes %" PRIu64 "\n", system_resident_bytes());
	request_reply(r, 200, "text/plain; version=0.0.4; charset=utf-8", &body);
}

const struct route health_route = { .path = "/healthz", .get = true, .is_open = true, .end = show_health };
const struct route metrics_route = { .path = "/metrics", .get = true, .end = show_metrics };

static const struct route *const routes[] = {
	&front_route,   &openapi_route, &fetch_route,  &lines_route,   &pages_route, &archives_route,
	&reports_route, &report_route,  &health_route, &metrics_route, NULL
};

/* ---- from the first socket to the last response ---- */

/* A connection needs a descriptor, a child three. Returns how many connections there can be. */
static size_t raise_descriptors(const struct serve_config *config)
{
	enum { OTHERS = 64 };
	const size_t least = (config->children_most + workers_most(config)) * 4 + OTHERS,
		     n = system_raise_descriptors();
	if (n == 0 || n >= config->connections_most + least)
		return config->connections_most;
	return n > 2 * least ? n - least : n / 4;
}

/* Any thread. */
static void on_stop(void *arg)
{
	struct server *s = arg;
	atomic_store(&s->stop, true);
	loop_wake(s->loop);
}

enum { TICK_MS = 50 };

static void on_tick(void *arg)
{
	struct server *s = arg;
	s->over = !gate_is_busy(s->gate) || s->drain_ticks >= s->config->drain_seconds * (1000 / TICK_MS);
	s->drain_ticks++;
}

static void on_wake(void *arg)
{
	struct server *s = arg;
	if (!atomic_load(&s->stop) || s->draining)
		return;
	s->draining = true;
	gate_drain(s->gate);
	loop_on_tick(s->loop, TICK_MS, on_tick, s);
	on_tick(s);
}

int serve_run(const struct serve_config *config, struct error *err)
{
	struct server server = { .config = config, .routes = routes }, *s = &server;
	char line[120];
	if (gate_check_inherited(config, err) == DANA_OK)
		s->loop = loop_new_alone(err);
	if (!s->loop)
		return err->status;
	size_t connections = raise_descriptors(config);
	(void)snprintf(line, sizeof(line),
		       "%zu connections at most: the limit of open files (ulimit -n) allows no more", connections);
	if (connections < config->connections_most)
		config->line(line);
	if (config->report) {
		s->survey = survey_new();
		if (!s->survey || survey_settings(s->survey, config->settings) < 0)
			(void)error_no_memory(err);
	}
	if (err->status == DANA_OK)
		s->pages = pages_new(s, err);
	if (s->pages)
		s->gate = gate_new(config, connections, s->loop, &request_calls, s, err);
	if (s->gate && gate_open(s->gate, err) == DANA_OK) {
		loop_on_wake(s->loop, on_wake, s);
		config->watch(on_stop, s);
		loop_run_until(s->loop, &s->over);
		config->unwatch(s);
		loop_on_tick(s->loop, 0, NULL, NULL);
	}
	if (s->gate)
		gate_close(s->gate); /* what a request waits for is not waited for any more */
	if (s->pages)
		pages_stop(s);
	while (s->gate && gate_counts(s->gate)->requests)
		(void)uv_run(loop_uv(s->loop), UV_RUN_ONCE);
	gate_free(s->gate);
	pages_free(s->pages);
	survey_free(s->survey);
	loop_free(s->loop);
	return err->status;
}
