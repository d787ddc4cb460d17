/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "run/pages/page_run.h"

#include "run/signals.h"

void page_run_init(struct page_run *r, const struct extract_page_config *page)
{
	r->page = *page;
	model_reader_init(&r->models, page->methods->at, page->methods->n);
	r->page.models = &r->models;
	r->page.stop = &r->stop;
}

bool page_run_open_loop(struct page_run *r, struct error *err)
{
	r->loop = loop_new(err);
	return r->loop != NULL;
}

bool page_run_open_output(struct page_run *r, const char *file, enum output_way way, struct error *err)
{
	int status = file ? output_open_file(&r->output, r->loop, file, way, &r->over, err)
			  : output_open_stdout(&r->output, r->loop, err);
	return status == DANA_OK;
}

void page_run_wake(void *run)
{
	loop_wake(((struct page_run *)run)->loop);
}

static void on_moved(void *run)
{
	((struct page_run *)run)->moved = true;
}

static void stop(void *run)
{
	struct page_run *r = run;
	atomic_store(&r->stop, true);
	loop_wake(r->loop);
}

void page_run_watch(struct page_run *r)
{
	loop_on_wake(r->loop, on_moved, r);
	if (r->output)
		output_on_progress(r->output, on_moved, r);
	signals_watch(stop, r);
}

void page_run_unwatch(struct page_run *r)
{
	signals_unwatch(r);
}

void page_run_end(struct page_run *r, int status, const char *text)
{
	(void)error_set(&r->fatal, (enum dana_status)status, "%s", text);
	r->over = true;
}

int page_run_fault(struct buf *out, int status, const struct error *err)
{
	buf_clear(out);
	int kept = buf_append_text(out, err->text);
	return kept < 0 || buf_append_byte(out, 0) < 0 ? DANA_ENOMEM : status;
}

int page_run_finish(struct page_run *r, enum output_end end)
{
	struct error err = { 0 };
	if (r->output && output_finish(r->output, end, &err) < 0) {
		notice(&r->page.notices, "%s", err.text);
		r->failed = true;
	}
	if (r->fatal.status < 0)
		notice(&r->page.notices, "%s", r->fatal.text);
	if (r->stopped)
		return DANA_ESTATE;
	if (r->fatal.status < 0)
		return (int)r->fatal.status;
	return r->failed ? DANA_EIO : DANA_OK;
}

int page_run_refuse(struct page_run *r, const struct error *err)
{
	notice(&r->page.notices, "%s", err->text);
	if (r->output)
		(void)output_finish(r->output, OUTPUT_DISCARD, NULL);
	return (int)err->status;
}

void page_run_free(struct page_run *r)
{
	output_free(r->output);
	loop_free(r->loop);
	model_reader_free(&r->models);
}
