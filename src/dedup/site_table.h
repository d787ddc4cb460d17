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

/** Collects what the method `learned` has of pages: the lines of their blocks, and what it thinks of each path. */
extern const struct site_sources site_collectors;
/**
 * Reads what one of them has learned of a page: returns the pairs (struct pair of runs.h), each key once. *scope: the
 * page's site; 0 if there is no page.
 */
struct slice site_learned_pairs(struct slice learned, uint64_t *scope);

/** Makes a table from what any number of threads learn. */
struct site_learner;
struct line_counter_settings;

/**
 * As line_counter_new, with settings by site. `samples`: it learns from the first pages of each site that `take` gets,
 * and from ever fewer of the others, which is as good as all (doc/HISTORY.md), and the table knows which.
 */
struct site_learner *site_learner_open(const char *path, const struct line_counter_settings *settings, bool samples,
				       struct error *err);
/** Sources that learn. What `take` gets after site_learner_finish does not count. */
const struct site_sources *site_learner_sources(const struct site_learner *l);
/** Returns the number of pages that were counted. */
uint64_t site_learner_pages(const struct site_learner *l);
/** Writes the table. Frees the learner, also on failure. */
int site_learner_finish(struct site_learner *l, struct error *err);
/** NULL is allowed. */
void site_learner_abandon(struct site_learner *l);

#endif
