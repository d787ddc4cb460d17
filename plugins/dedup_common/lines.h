/* SPDX-License-Identifier: MIT */
/*
 * Pages as lines, for plugins that drop some of them: workers hash the lines and attach them, and in the order of the input those
 * that were marked are left out.
 */
#ifndef DANA_PLUGINS_DEDUP_COMMON_LINES_H
#define DANA_PLUGINS_DEDUP_COMMON_LINES_H

#include "dedup/page_lines.h"
#include "plugins/dedup_common/duplicate.h"
#include "plugins/dedup_common/pool.h"

/** Makes objects for lines_attach. */
void lines_pool_init(struct pool *p);
/** Any thread: attaches the lines of the page's text, in the scope of its site or of all. 0 or negative. */
int lines_attach(const struct dana_host *host, struct pool *p, struct dana_page *page, bool by_site);

/** The lines of a page, as attached; zeroed: none. */
struct lines {
	struct page_lines lines;
	uint64_t scope;
	struct buf text; /* of what is left */
	struct buf keys; /* lines_keys: uint64_t each */
};

/** Takes the lines that are attached to the page. 0 or DANA_ENOMEM. */
int lines_take(struct lines *l, const struct dana_host *host, const struct dana_page *page);
void lines_free(struct lines *l);

/** The keys of all lines of so many characters and more, each once, sorted: *n of them. NULL: memory is exhausted. */
const uint64_t *lines_keys(struct lines *l, size_t min_chars, size_t *n);

/** What is dropped: marked lines, and their characters. */
struct lines_dropped {
	size_t lines;
	uint64_t chars;
};

struct lines_dropped lines_count_marked(const struct lines *l);
/** Sets the page's text to the lines that are not marked. 0 or negative. */
int lines_set_left(struct lines *l, const struct dana_host *host, struct dana_page *page);
/** Puts how much was dropped: members dropped_lines and dropped_chars. 0 or negative. */
int lines_put_dropped(const struct dana_host *host, struct dana_page *page, struct lines_dropped d);
/** Puts the numbers of the marked lines, from 0, and what is marked of them: members "NAME" and "marks". 0 or negative. */
int lines_put_marks(struct lines *l, const struct dana_host *host, struct dana_page *page, const char *name);

#endif
