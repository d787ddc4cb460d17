/* SPDX-License-Identifier: MIT */
/*
 * The lines of a text as numbers: each line that is not blank gets a key, which is the XXH3-64 of its normal form in
 * lower case, with the number of its scope as seed. Equal lines of one scope have equal keys.
 */
#ifndef DANA_DEDUP_PAGE_LINES_H
#define DANA_DEDUP_PAGE_LINES_H

#include "base/buf.h"
#include "dedup/text_hash.h"

struct page_line {
	uint64_t key;        /* 0: the line is blank */
	uint32_t start, len; /* bytes of the text, without the line end */
	uint32_t chars;      /* of the normal form */
	uint32_t mark;       /* for the user of the list; 0 at first */
};

/** Zero-initialised it is empty. */
struct page_lines {
	struct page_line *items;
	size_t n, cap;
	uint64_t chars; /* of all lines */
};

/** Appends the lines of `text`, of at most 4 GiB. Returns 0 or DANA_ENOMEM. */
int page_lines_add(struct page_lines *lines, struct text_hasher *hasher, struct slice text, uint64_t scope);
void page_lines_clear(struct page_lines *lines);
void page_lines_free(struct page_lines *lines);

/** Numbers of scopes, within which lines are compared: all pages, or the pages of a site. */
enum { LINE_SCOPE_ALL = 1 };
uint64_t line_scope(struct slice site);

/** Writes the lines whose mark is 0, joined by LF, to `out`. Returns 0 or DANA_ENOMEM. */
int page_lines_left(const struct page_lines *lines, struct slice text, struct buf *out);

#endif
