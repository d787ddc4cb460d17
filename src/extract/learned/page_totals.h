/* SPDX-License-Identifier: MIT */
/*
 * Sums over all blocks of a page, and the block that has the page's description. A tree compares a feature with a
 * constant, but often a block must be compared with the best of its page: these totals make such features possible.
 */
#ifndef DANA_LEARNED_PAGE_TOTALS_H
#define DANA_LEARNED_PAGE_TOTALS_H

#include "extract/learned/aggregates.h"

struct page_totals {
	uint64_t prose, li_units;
	uint64_t scored, score_sum; /* units outside of links, and these weighted by score */
	uint32_t currency, stops, headings, linked_headings;
	uint32_t units_most, path_prose; /* of the longest block; of the path with most prose */
	uint32_t described;              /* the block with most of the description, or NO_BLOCK */
	bool has_description;            /* the page has a description, and its text */
	uint8_t tokens_best;             /* highest score of a good block */
	uint8_t tokens_mean;
	uint8_t *covered; /* share of the description in each block, if there is a description */
	uint32_t *common; /* for each element: its lowest common ancestor with the described block's */
	size_t cap_blocks, cap_elements;
};

/** Call it once per page, before its blocks are added in order. Returns 0 or DANA_ENOMEM. */
int page_totals_begin(struct page_totals *s, const struct blocks *b);
/** Adds a block. `tokens`: its score as a feature. */
void page_totals_add(struct page_totals *s, const struct block *block, uint8_t tokens);
void page_totals_end(struct page_totals *s, const struct blocks *b, const struct aggregates *a);
void page_totals_free(struct page_totals *s);

/** True for a block of some length with few links that ends with a stop. */
bool page_totals_is_good(const struct block *b);

#endif
