/* SPDX-License-Identifier: MIT */
/*
 * What every run over pages has: a loop on this thread, one output for all pages (or none), workers whose results come
 * in order, and a signal that stops it. Threads: that of the loop, but for page_run_wake. Ownership: borrows the
 * config's texts.
 */
#ifndef DANA_RUN_PAGES_PAGE_RUN_H
#define DANA_RUN_PAGES_PAGE_RUN_H

#include "io/loop.h"
#include "io/output.h"
#include "run/ordered.h"
#include "run/pages/page.h"

struct page_run {
	struct extract_page_config page;
	struct model_reader models;
	struct loop *loop;
	struct output *output; /* NULL: each page has its own */
	struct ordered *ordered;
	atomic_bool stop; /* by a signal */
	bool over;        /* nothing more is taken */
	bool moved;       /* a result waits, or the output has written something */
	bool stopped;     /* before the last page */
	bool failed;      /* a page, the input or the output */
	struct error fatal;
};

/** Zeroed before. `page` without `models` and `stop`, which are the run's own. page_run_free in every case. */
void page_run_init(struct page_run *r, const struct extract_page_config *page);
/** Makes the loop. Returns false with a text in `err` on failure. */
bool page_run_open_loop(struct page_run *r, struct error *err);
/** Opens FILE, or standard output if `file` is NULL. Returns false with a text in `err` on failure. */
bool page_run_open_output(struct page_run *r, const char *file, enum output_way way, struct error *err);
/** Begins, and ends, to listen to workers, the output and signals. */
void page_run_watch(struct page_run *r);
void page_run_unwatch(struct page_run *r);
/** ordered_config.wake, with the run. */
void page_run_wake(void *run);
/** Nothing more can be done. */
void page_run_end(struct page_run *r, int status, const char *text);
/** A worker's result becomes the text of `err`, terminated. Returns `status`, or DANA_ENOMEM. */
int page_run_fault(struct buf *out, int status, const struct error *err);
/** Ends the output and reports faults. Returns 0, DANA_ESTATE (stopped), the fatal fault, or DANA_EIO (`failed`). */
int page_run_finish(struct page_run *r, enum output_end end);
/** Nothing was begun: reports `err` and takes the output back. Returns its status. */
int page_run_refuse(struct page_run *r, const struct error *err);
void page_run_free(struct page_run *r);

#endif
