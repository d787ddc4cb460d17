/* SPDX-License-Identifier: MIT */
/*
 * Workers make the text of pages (run/ordered.h); this thread runs the loop and writes it, page after page. It stops taking
 * pages while too much waits to be written, and goes on when the output has moved.
 */
#include "config.h"

#include "run/pages/files.h"

#include <stdio.h>
#include <stdlib.h>

#include "archive/sink/text.h"
#include "base/printable.h"
#include "io/loop.h"
#include "io/output.h"
#include "io/thread_pool.h"
#include "run/ordered.h"
#include "run/signals.h"

enum { WAITING_MOST = 64 << 20, SHOWN = 200 };

struct run {
	const struct extract_run_config *config;
	struct extract_page_config page;
	struct model_reader models;
	struct extract_page **pages; /* of each worker */
	unsigned n_pages;
	struct loop *loop;
	struct output *output; /* of all pages; NULL: each has its own */
	struct ordered *ordered;
	atomic_bool stop; /* by a signal */
	bool over, moved; /* moved: a page is finished, or the output has written something */
	size_t written;   /* pages */
	bool failed;      /* a page, or the output */
	bool stopped;     /* before the last page */
	struct error fatal;
};

/* ---- workers ---- */

/* The result of a page without text is the reason alone; `status` tells them apart. */
static int work(void *arg, unsigned worker, size_t index, struct buf *out)
{
	struct run *r = arg;
	struct error err = { 0 };
	int status = atomic_load(&r->stop)
			     ? DANA_ESTATE
			     : extract_page_file(r->pages[worker], r->config->inputs->names.items[index], out, &err);
	if (status == DANA_OK)
		return status;
	buf_clear(out);
	int kept = buf_append_text(out, err.text);
	return kept < 0 ? kept : buf_append_byte(out, 0) < 0 ? DANA_ENOMEM : status;
}

static void wake(void *arg)
{
	loop_wake(((struct run *)arg)->loop);
}

static void stop(void *arg)
{
	struct run *r = arg;
	atomic_store(&r->stop, true);
	loop_wake(r->loop);
}

/* ---- this thread ---- */

static void end_by(struct run *r, int status, const char *text)
{
	(void)error_set(&r->fatal, (enum dana_status)status, "%s", text);
	r->over = true;
}

/* A file of its own for a page. */
static void write_file(struct run *r, const char *path, struct slice text)
{
	struct output *o = NULL;
	struct error err = { 0 };
	int status = output_open_file(&o, r->loop, path, r->config->way, &r->over, &err);
	if (status == DANA_OK && text.len)
		status = byte_sink_write(output_sink(o), text);
	if (status == DANA_OK)
		status = output_finish(o, OUTPUT_FINAL, &err);
	output_free(o);
	if (status < 0)
		end_by(r, status, err.text[0] ? err.text : status_text(status));
}

static void write_text(struct run *r, size_t index, struct slice text)
{
	const char *const *outputs = r->config->inputs->outputs;
	if (outputs)
		write_file(r, outputs[index], text);
	else if (text.len && byte_sink_write(output_sink(r->output), text) == DANA_ENOMEM)
		end_by(r, DANA_ENOMEM, status_text(DANA_ENOMEM));
	r->written++;
}

static void tell_failure(struct run *r, size_t index, int status, const char *reason)
{
	const char *name = r->config->inputs->names.items[index];
	char shown[SHOWN];
	struct buf line = { 0 };
	if (status == DANA_ECONFIG || status == DANA_ENOMEM) {
		end_by(r, status, status == DANA_ENOMEM ? status_text(status) : reason);
		return;
	}
	notice(&r->page.notices, "%s: %s",
	       strcmp(name, "-") == 0 ? "standard input" : printable(slice_from_text(name), shown, sizeof(shown)),
	       reason);
	r->failed = true;
	if (r->page.format != EXTRACT_JSONL)
		return;
	if (text_failure_json(name, reason, &line) == DANA_OK)
		write_text(r, index, buf_slice(&line));
	else
		end_by(r, DANA_ENOMEM, status_text(DANA_ENOMEM));
	buf_free(&line);
}

static bool output_broken(const struct run *r)
{
	return r->output && (output_failed(r->output, NULL) < 0 || output_reader_gone(r->output));
}

/* What is finished, as far as the output takes it. */
static void take_pages(struct run *r)
{
	struct slice result;
	int status;
	while (!r->over) {
		size_t index = ordered_given(r->ordered);
		r->over = output_broken(r) || atomic_load(&r->stop) || index == r->config->inputs->names.n;
		if (r->over || (r->output && output_queued(r->output) >= OUTPUT_SOFT_LIMIT) ||
		    !ordered_next(r->ordered, &result, &status))
			break;
		if (status == DANA_OK)
			write_text(r, index, result);
		else if (status != DANA_ESTATE)
			tell_failure(r, index, status, (const char *)result.data);
	}
}

static void on_moved(void *arg)
{
	((struct run *)arg)->moved = true;
}

static bool open_pages(struct run *r, struct error *err)
{
	unsigned n = r->config->jobs ? r->config->jobs : 1;
	r->pages = calloc(n, sizeof(struct extract_page *));
	if (!r->pages)
		return error_set(err, DANA_ENOMEM, "%s", status_text(DANA_ENOMEM)), false;
	while (r->n_pages < n && extract_page_new(&r->pages[r->n_pages], &r->page, err) == DANA_OK)
		r->n_pages++;
	return r->n_pages == n;
}

/* Everything that is written to is opened before the first page is. */
static bool open_output(struct run *r, struct error *err)
{
	const struct extract_run_config *c = r->config;
	r->loop = loop_new(err);
	if (!r->loop)
		return false;
	if (c->inputs->outputs)
		return true;
	int status = c->output ? output_open_file(&r->output, r->loop, c->output, c->way, &r->over, err)
			       : output_open_stdout(&r->output, r->loop, err);
	return status == DANA_OK;
}

static void run_loop(struct run *r, struct error *err)
{
	const struct ordered_config config = { .jobs = r->config->jobs,
					       .n = r->config->inputs->names.n,
					       .bytes_most = WAITING_MOST,
					       .work = work,
					       .wake = wake,
					       .arg = r };
	r->ordered = ordered_new(&config, err);
	if (!r->ordered)
		return;
	loop_on_wake(r->loop, on_moved, r);
	if (r->output)
		output_on_progress(r->output, on_moved, r);
	signals_watch(stop, r);
	while (!r->over) {
		r->moved = false;
		take_pages(r);
		if (!r->over)
			loop_run_until(r->loop, &r->moved);
	}
	signals_unwatch(r);
	r->stopped = atomic_load(&r->stop) && ordered_given(r->ordered) < r->config->inputs->names.n;
	atomic_store(&r->stop, true); /* what workers wait for is wanted no more */
	ordered_free(r->ordered);
}

/* What there is after a signal. */
static void tell_stopped(const struct run *r)
{
	const struct extract_run_config *c = r->config;
	if (c->output || c->inputs->outputs)
		notice(&r->page.notices, "stopped: %zu of %zu pages are in %s%s", r->written, c->inputs->names.n,
		       c->output ? c->output : "the folder", c->output ? ".part" : "");
}

/* FILE is complete also where pages failed, if there is any; FILE.part stays after a signal and after a fault. */
static enum output_end output_ends(const struct run *r)
{
	if (r->stopped || r->fatal.status < 0)
		return OUTPUT_PART;
	return r->written == 0 && r->failed ? OUTPUT_DISCARD : OUTPUT_FINAL;
}

static int finish(struct run *r)
{
	struct error err = { 0 };
	if (r->output && r->stopped)
		output_hurry(r->output);
	if (r->output && output_finish(r->output, output_ends(r), &err) < 0) {
		notice(&r->page.notices, "%s", err.text);
		r->failed = true;
	}
	if (r->fatal.status < 0)
		notice(&r->page.notices, "%s", r->fatal.text);
	if (r->stopped) {
		tell_stopped(r);
		return DANA_ESTATE;
	}
	if (r->fatal.status < 0)
		return (int)r->fatal.status;
	return r->failed || r->config->inputs->failed ? DANA_EIO : DANA_OK;
}

static int run(struct run *r)
{
	struct error err = { 0 };
	bool opened = open_pages(r, &err) && open_output(r, &err);
	if (opened)
		run_loop(r, &err);
	if (err.status == DANA_OK)
		return finish(r);
	notice(&r->page.notices, "%s", err.text);
	if (opened && r->output)
		(void)output_finish(r->output, OUTPUT_DISCARD, NULL);
	return (int)err.status;
}

int extract_run_pages(const struct extract_run_config *config)
{
	struct run r = { .config = config, .page = config->page };
	(void)model_reader_init(&r.models, config->page.method);
	r.page.models = &r.models;
	r.page.stop = &r.stop;
	int status = DANA_ENOMEM;
	if (config->jobs == 0)
		thread_pool_of_one();
	if (signals_start() < 0)
		notice(&r.page.notices, "no thread for signals");
	else
		status = run(&r);
	output_free(r.output);
	loop_free(r.loop);
	for (unsigned i = 0; i < r.n_pages; i++)
		extract_page_free(r.pages[i]);
	free(r.pages);
	model_reader_free(&r.models);
	return status;
}
