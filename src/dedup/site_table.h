/* SPDX-License-Identifier: MIT */
/*
 * What a table of lines by site (dedup/line_table.h) has on the text of pages, for extractors: `--site FILE`. The page
 * itself is one of those that the table has counted, so that a line on 13 pages is on 12 others.
 */
#ifndef DANA_DEDUP_SITE_TABLE_H
#define DANA_DEDUP_SITE_TABLE_H

#include <stdint.h>

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

#endif
