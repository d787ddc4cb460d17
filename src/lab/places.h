/* SPDX-License-Identifier: MIT */
/*
 * Where the text of a page is: its elements that have text, each with what a selector can name of it, and its lines of
 * text, each with the elements that this is in. So a report can find selectors without the page.
 *
 * Example: "<div id=x><p>one <b>two</b></div>" has the elements div, p and b, and one line, whose elements are p and b.
 */
#ifndef DANA_LAB_PLACES_H
#define DANA_LAB_PLACES_H

#include "base/buf.h"
#include "base/json.h"
#include "base/slice.h"

struct recording;

struct place_element;
struct place_line;

/** Zeroed, it is empty. */
struct page_places {
	struct place_element *elements;
	struct place_line *lines;
	uint32_t *in; /* elements of lines, in their order */
	size_t n_elements, n_lines, n_in, cap_elements, cap_lines, cap_in;
	struct buf texts;     /* of lines */
	struct buf json;      /* of elements */
	struct buf canonical; /* the URL that the page gives itself; empty: none */
};

/** Reads a page, UTF-8. Beyond 20,000 elements text has no place. Returns 0 or DANA_ENOMEM. */
int page_places_read(struct page_places *p, struct slice html);
/** Appends the elements as an array: [number of the parent or -1, name, {attribute: value}], parents first. */
void page_places_put(const struct page_places *p, struct json_writer *w);
/**
 * Finds the block of each line, by the order of its words. *blocks: of each line the number of a block of `r`, or
 * SIZE_MAX; to be freed. Returns 0 or DANA_ENOMEM.
 */
int page_places_match(const struct page_places *p, const struct recording *r, size_t **blocks);
/**
 * Appends an array of the elements that the text of a block is in. Blocks come in their order; *line is where to look
 * for the next one, 0 before the first.
 */
void page_places_put_block(const struct page_places *p, const size_t *blocks, size_t *line, size_t block,
			   struct json_writer *w);
void page_places_free(struct page_places *p);

#endif
