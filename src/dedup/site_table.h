/* SPDX-License-Identifier: MIT */
/*
 * Tables of what the pages of a site have in common, for extractors (`--site FILE`), and how they are learned: a table
 * of lines by site (dedup/line_table.h), which also has the paths of pages. A page that is judged is in the table
 * itself, so that a line on 13 pages is on 12 others.
 */
#ifndef DANA_DEDUP_SITE_TABLE_H
#define DANA_DEDUP_SITE_TABLE_H

#include <stdint.h>

#include "base/buf.h"
#include "base/status.h"
#include "extract/method.h"

struct line_table;
struct site_table;

/** A table without pages, for site_table_take. Returns NULL with a text in `err`: DANA_ELIBRARY, DANA_ENOMEM. */
struct site_table *site_table_empty(struct error *err);
/** Gives the table the lines of another one, which it frees. No source may be in use. */
void site_table_take(struct site_table *t, const struct line_table *lines);
/** Reads the table whole. Returns NULL with a text in `err`: DANA_ECONFIG, DANA_EFORMAT, DANA_EIO, DANA_ENOMEM. */
struct site_table *site_table_open(const char *path, struct error *err);
/** A number that differs for tables of other content. */
uint64_t site_table_identity(const struct site_table *t);
/** Sources for any number of threads, which live as long as the table. */
const struct site_sources *site_table_sources(const struct site_table *t);
/** NULL is allowed. */
void site_table_free(struct site_table *t);

/**
 * Collects what the method `learned` has of a page: the lines of its blocks, and what the method thinks of each path.
 * Of one thread.
 */
struct site_collector;

/** Returns NULL if memory is exhausted. */
struct site_collector *site_collector_new(void);
/** Returns the source that fills it, for an extractor. Borrowed. */
const struct site_source *site_collector_source(const struct site_collector *p);
/**
 * Appends what the last page has to `pairs`: struct pair of runs.h, each key once. *scope: its site; 0 if it has
 * nothing. Forgets it. Returns 0 or DANA_ENOMEM.
 */
int site_collector_take(struct site_collector *p, uint64_t *scope, struct buf *pairs);
void site_collector_forget(struct site_collector *p);
/** NULL is allowed. */
void site_collector_free(struct site_collector *p);

/** Makes a table from what any number of threads learn. */
struct site_learner;
struct line_counter_settings;

/** As line_counter_new, with settings by site. */
struct site_learner *site_learner_open(const char *path, const struct line_counter_settings *settings,
				       struct error *err);
/** Sources that learn, to be closed before site_learner_finish. */
const struct site_sources *site_learner_sources(const struct site_learner *l);
/** Returns the number of pages that were counted. Not while sources are open. */
uint64_t site_learner_pages(const struct site_learner *l);
/** Writes the table. Frees the learner, also on failure. */
int site_learner_finish(struct site_learner *l, struct error *err);
/** NULL is allowed. */
void site_learner_abandon(struct site_learner *l);

#endif
