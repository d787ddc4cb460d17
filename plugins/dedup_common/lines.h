/* SPDX-License-Identifier: MIT */
/*
 * Pages as lines, for plugins that drop some of them: workers hash the lines and attach the hashes; then, in the order
 * of the input, the plugin marks lines and drops the marked ones.
 */
#ifndef DANA_PLUGINS_DEDUP_COMMON_LINES_H
#define DANA_PLUGINS_DEDUP_COMMON_LINES_H

#include "dedup/page_lines.h"
#include "plugins/dedup_common/duplicate.h"
#include "plugins/dedup_common/pool.h"

/** Prepares the pool of objects that lines_attach borrows from. */
void lines_pool_init(struct pool *p);
/**
 * Attaches the lines of the page's text, in the scope of its site or of all pages. Returns 0 or a negative status. Any
 * thread.
 */
int lines_attach(const struct dana_host *host, struct pool *p, struct dana_page *page, bool by_site);

/** The lines of a page, as attached. Zero-initialised it is empty. */
struct lines {
	struct page_lines lines;
	uint64_t scope;
	struct buf text; /* of what is left */
	struct buf keys; /* lines_keys: uint64_t each */
};

/** Fills `l` with the lines that are attached to the page. Returns 0 or DANA_ENOMEM. */
int lines_take(struct lines *l, const struct dana_host *host, const struct dana_page *page);
void lines_free(struct lines *l);

/**
 * Returns the *n keys of all lines of at least `min_chars` characters, each once, sorted; NULL if memory is exhausted.
 */
const uint64_t *lines_keys(struct lines *l, size_t min_chars, size_t *n);

/** What is dropped: marked lines, and their characters. */
struct lines_dropped {
	size_t lines;
	uint64_t chars;
};

struct lines_dropped lines_count_marked(const struct lines *l);
/** Sets the page's text to the lines that are not marked. Returns 0 or a negative status. */
int lines_set_left(struct lines *l, const struct dana_host *host, struct dana_page *page);
/** Adds the members dropped_lines and dropped_chars. Returns 0 or a negative status. */
int lines_put_dropped(const struct dana_host *host, struct dana_page *page, struct lines_dropped d);
/**
 * Adds the member `name` with the numbers of the marked lines, from 0, and the member "marks" with their marks. Returns
 * 0 or a negative status.
 */
int lines_put_marks(struct lines *l, const struct dana_host *host, struct dana_page *page, const char *name);

#endif
