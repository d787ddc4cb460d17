/*
 * How a block stands among all of its page: sums over the page's blocks, and the block that holds the page's description. Trees
 * compare a feature with a constant; what decides is often how a block compares with the best of its page.
 */
#ifndef DANA_LEARNED_STANDING_H
#define DANA_LEARNED_STANDING_H

#include "learned/aggregates.h"

struct standing {
	uint64_t prose, li_units;
	uint64_t scored, score_sum; /* units outside of links, and these by their score */
	uint32_t currency, stops, headings, linked_headings;
	uint32_t units_most, path_prose; /* of the longest block; of the path that has most prose */
	uint32_t described;              /* the block that holds most of the description; NO_BLOCK = none */
	bool has_description;            /* and it is found on the page */
	uint8_t tokens_best;             /* highest score of a good block */
	uint8_t tokens_mean;
	uint8_t *covered; /* share of the description in each block, where there is one */
	uint32_t *meets;  /* for each element the innermost around it that also holds the described block */
	size_t cap_blocks, cap_elements;
};

/** Once per page, before its blocks are added in their order. 0 or DANA_ENOMEM. */
int standing_begin(struct standing *s, const struct blocks *b);
/** `tokens`: the block's score as a feature. */
void standing_add(struct standing *s, const struct block *block, uint8_t tokens);
void standing_end(struct standing *s, const struct blocks *b, const struct aggregates *a);
void standing_free(struct standing *s);

/** A block of some length with few links that ends with a stop. */
bool standing_is_good(const struct block *b);

#endif
