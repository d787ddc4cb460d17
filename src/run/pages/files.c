/* SPDX-License-Identifier: MIT */
/*
 * Workers make the text of pages (run/ordered.h); this thread runs the loop and writes it, page after page. It stops
 * taking pages while too much waits to be written, and goes on when the output has moved.
 */
#include "config.h"

#include "run/pages/files.h"

#include <stdio.h>
#include <stdlib.h>

#include "archive/sink/text.h"
#include "base/printable.h"
#include "io/thread_pool.h"
#include "run/pages/page_run.h"
#include "run/signals.h"

enum { WAITING_MOST = 64 << 20, SHOWN = 200 };

struct run {
	struct page_run base;
	const struct extract_run_config *config;
	struct extract_page **pages; /* of each worker */
	unsigned n_pages;
	size_t written; /* pages */
};

/* ---- workers ---- */

/* The result of a page without text is the reason alone; `status` says which it is. */
static int work(void *arg, unsigned worker, size_t index, struct buf *out)
{
	struct run *r = arg;
	struct error err = { 0 };
	int status = atomic_load(&r->base.stop)
			     ? DANA_ESTATE
			     : extract_page_file(r->pages[worker], r->config->inputs->names.items[index], out, &err);
	return status == DANA_OK ? status : page_run_fault(out, status, &err);
}

/* ---- this thread ---- */

/* A file of its own for a page. */
static void write_file(struct run *r, const char *path, struct slice text)
{
	struct output *o = NULL;
	struct error err = { 0 };
	int status = output_open_file(&o, r->base.loop, path, r->config->way, &r->base.over, &err);
	if (status == DANA_OK && text.len)
		status = byte_sink_write(output_sink(o), text);
	if (status == DANA_OK)
		status = output_finish(o, OUTPUT_FINAL, &err);
	output_free(o);
	if (status < 0)
		page_run_end(&r->base, status, err.text[0] ? err.text : status_text(status));
}

static void write_text(struct run *r, size_t index, struct slice text)
{
	const char *const *outputs = r->config->inputs->outputs;
	if (outputs)
		write_file(r, outputs[index], text);
	else if (text.len && byte_sink_write(output_sink(r->base.output), text) == DANA_ENOMEM)
		page_run_end(&r->base, DANA_ENOMEM, status_text(DANA_ENOMEM));
	r->written++;
}

static void tell_failure(struct run *r, size_t index, int status, const char *reason)
{
	const char *name = r->config->inputs->names.items[index];
	char shown[SHOWN];
	struct buf line = { 0 };
	if (status == DANA_ECONFIG || status == DANA_ENOMEM) {
		page_run_end(&r->base, status, status == DANA_ENOMEM ? status_text(status) : reason);
		return;
	}
	notice(&r->base.page.notices, "%s: %s",
	       strcmp(name, "-") == 0 ? "standard input" : printable(slice_from_text(name), shown, sizeof(shown)),
	       reason);
	r->base.failed = true;
	if (r->base.page.format != EXTRACT_JSONL)
		return;
	if (text_failure_json(name, reason, &line) == DANA_OK)
		write_text(r, index, buf_slice(&line));
	else
		page_run_end(&r->base, DANA_ENOMEM, status_text(DANA_ENOMEM));
	buf_free(&line);
}

static bool output_broken(const struct run *r)
{
	return r->base.output && (output_failed(r->base.output, NULL) < 0 || output_reader_gone(r->base.output));
}

/* What is finished, as far as the output takes it. */
static void take_pages(struct run *r)
{
	struct slice result;
	int status;
	while (!r->base.over) {
		size_t index = ordered_given(r->base.ordered);
		r->base.over = output_broken(r) || atomic_load(&r->base.stop) || index == r->config->inputs->names.n;
		if (r->base.over || (r->base.output && output_queued(r->base.output) >= OUTPUT_SOFT_LIMIT) ||
		    !ordered_next(r->base.ordered, &result, &status))
			break;
		if (status == DANA_OK)
			write_text(r, index, result);
		else if (status != DANA_ESTATE)
			tell_failure(r, index, status, (const char *)result.data);
	}
}

static bool open_pages(struct run *r, struct error *err)
{
	unsigned n = r->config->jobs ? r->config->jobs : 1;
	r->pages = calloc(n, sizeof(struct extract_page *));
	if (!r->pages)
		return error_no_memory(err), false;
	while (r->n_pages < n && extract_page_new(&r->pages[r->n_pages], &r->base.page, err) == DANA_OK)
		r->n_pages++;
	return r->n_pages == n;
}

/* Everything that is written to is opened before the first page is. */
static bool open_output(struct run *r, struct error *err)
{
	const struct extract_run_config *c = r->config;
	return page_run_open_loop(&r->base, err) &&
	       (c->inputs->outputs || page_run_open_output(&r->base, c->output, c->way, err));
}

static void run_loop(struct run *r, struct error *err)
{
	const struct ordered_config config = { .jobs = r->config->jobs,
					       .n = r->config->inputs->names.n,
					       .bytes_most = WAITING_MOST,
					       .work = work,
					       .wake = page_run_wake,
					       .arg = r };
	r->base.ordered = ordered_new(&config, err);
	if (!r->base.ordered)
		return;
	page_run_watch(&r->base);
	while (!r->base.over) {
		r->base.moved = false;
		take_pages(r);
		if (!r->base.over)
			loop_run_until(r->base.loop, &r->base.moved);
	}
	page_run_unwatch(&r->base);
	r->base.stopped = atomic_load(&r->base.stop) && ordered_given(r->base.ordered) < r->config->inputs->names.n;
	atomic_store(&r->base.stop, true); /* what workers wait for is wanted no more */
	ordered_free(r->base.ordered);
}

/* What there is after a signal. */
static void tell_stopped(const struct run *r)
{
	const struct extract_run_config *c = r->config;
	if (c->output || c->inputs->outputs)
		notice(&r->base.page.notices, "stopped: %zu of %zu pages are in %s%s", r->written, c->inputs->names.n,
		       c->output ? c->output : "the folder", c->output ? ".part" : "");
}

/* FILE is complete also where pages failed, if there is any; FILE.part stays after a signal and after a fault. */
static enum output_end output_ends(const struct run *r)
{
	if (r->base.stopped || r->base.fatal.status < 0)
		return OUTPUT_PART;
	return r->written == 0 && r->base.failed ? OUTPUT_DISCARD : OUTPUT_FINAL;
}

static int finish(struct run *r)
{
	r->base.failed |= r->config->inputs->failed;
	if (r->base.output && r->base.stopped)
		output_hurry(r->base.output);
	int status = page_run_finish(&r->base, output_ends(r));
	if (r->base.stopped)
		tell_stopped(r);
	return status;
}

static int run(struct run *r)
{
	struct error err = { 0 };
	if (open_pages(r, &err) && open_output(r, &err))
		run_loop(r, &err);
	return err.status == DANA_OK ? finish(r) : page_run_refuse(&r->base, &err);
}

int extract_run_pages(const struct extract_run_config *config)
{
	struct run r = { .config = config };
	int status = DANA_ENOMEM;
	page_run_init(&r.base, &config->page);
	if (config->jobs == 0)
		thread_pool_of_one();
	if (signals_start() < 0)
		notice(&r.base.page.notices, "cannot start the thread for signals");
	else
		status = run(&r);
	for (unsigned i = 0; i < r.n_pages; i++)
		extract_page_free(r.pages[i]);
	free(r.pages);
	page_run_free(&r.base);
	return status;
}
