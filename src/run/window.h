/* SPDX-License-Identifier: MIT */
/*
 * Pages that wait for each other, to be judged by what the others of their sites have: `--site window`. A stage between
 * the framer and what takes its records (a processor, or workers).
 *
 * It keeps records until their bytes are enough for a window, counts the lines of their pages meanwhile, as `dana site
 * learn` does, and passes them on in order, with a table of the whole window. A window holds records of one input, and
 * ends where that does.
 *
 *     pump ─ records ─▶ counting, by workers ─▶ the window that fills ─▶ the window that passes ─▶ processor or workers
 *
 * Which records a window holds depends on nothing but the records from its first one on: not on workers, or on how the
 * input was cut. Memory: two windows, each of `bytes` and one record more.
 * Threads: the loop's thread alone. Ownership: borrows all that its config points to.
 */
#ifndef DANA_RUN_WINDOW_H
#define DANA_RUN_WINDOW_H

#include "archive/processor.h"
#include "archive/record.h"
#include "base/status.h"

struct handoff;
struct plugins;
struct resume_point;
struct site_window;

struct site_window_config {
	uint64_t bytes;
	const struct processor_config *processor;            /* of the pages */
	struct plugins *plugins;                             /* filters alone: which pages are counted */
	unsigned jobs;                                       /* that count; 0: this thread does */
	struct archive_dates *dates;                         /* of the records that are passed on */
	const struct resume_point *point;                    /* at or before the record that comes */
	bool (*wants)(void *arg);                            /* more records may be passed on */
	int (*refuses)(void *arg, const struct record *rec); /* as handoff_config */
	void (*wake)(void *arg);                             /* the same: call site_window_move soon */
	void *arg;
};

struct site_window *site_window_new(const struct site_window_config *config, struct error *err);
/** What is known of the pages that are passed on. */
const struct site_sources *site_window_sources(const struct site_window *w);
struct record_sink *site_window_records(struct site_window *w);
/**
 * An input begins, at `from`; all records of the one before are over. `next` takes the records; `workers`: `next` is
 * theirs, or NULL. A resumed run: the first window begins with record `first`, and those before `until` are done.
 */
int site_window_input(struct site_window *w, struct record_sink *next, struct handoff *workers,
		      const struct resume_point *from, uint64_t first, uint64_t until);
bool site_window_wants_input(const struct site_window *w);
/** No input may come for a while. */
void site_window_flush(struct site_window *w);
/** Takes what is counted, and passes on what it may. Returns 0 or a negative status. */
int site_window_move(struct site_window *w);
/** No more records come: what is kept is the last window. Then site_window_move until site_window_is_empty. */
int site_window_end(struct site_window *w);
bool site_window_is_empty(const struct site_window *w);
/** Forgets what is kept. */
void site_window_drop(struct site_window *w);
/** Returns where the window that passes can be read again from, and the number of its first record. */
const struct resume_point *site_window_point(const struct site_window *w);
uint64_t site_window_first(const struct site_window *w);
/** NULL is allowed. */
void site_window_free(struct site_window *w);

#endif
