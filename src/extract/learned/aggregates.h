/* SPDX-License-Identifier: MIT */
/*
 * Sums over elements and over paths (places of equal structure), made once a page is complete: two passes over the
 * elements (children before parents, then parents before children), whatever the depth.
 */
#ifndef DANA_LEARNED_AGGREGATES_H
#define DANA_LEARNED_AGGREGATES_H

#include "base/key_trie.h"
#include "extract/learned/blocks.h"

/** What an element contains. */
struct element_sums {
	uint32_t units, linked, blocks, marks;
	uint32_t p_units; /* in <p> */
	uint32_t dates;   /* blocks with a time or a date in digits */
	uint32_t score;   /* as Mozilla Readability's: paragraphs inside add to their nearest ancestors */
	/*
	 * Nearest ancestor with more blocks; the number of elements if no ancestor has. Ancestors that only wrap this
	 * element are skipped: for the p in <main><div><div><p>, it is main if main also has other blocks.
	 */
	uint32_t wider;
	uint32_t path;        /* number of its path */
	uint32_t common_best; /* lowest common ancestor with the best element; inside of that, the element itself */
	uint32_t common_h1;   /* the same for the first <h1> */
	bool in_best, in_best_parent;
	bool wraps; /* it has no blocks but those of one child: it is no block's element and no element's `wider` */
};

/** All elements with one path: the chain of tags and first classes from the root. */
struct path_sums {
	uint32_t elements, blocks, units, linked;
	uint32_t prose;
};

struct aggregates {
	struct element_sums *sum; /* one for each element, and an empty one that is its own `wider` */
	struct path_sums *path;
	uint32_t *text;       /* for each block the number of its text: equal texts have equal numbers */
	uint32_t *copies;     /* for each text the number of blocks that have it */
	struct key_trie keys; /* numbers paths, then texts */
	uint64_t steps;       /* of the page: nodes of `keys` that were passed */
	uint32_t n_paths, best, h1_block;
	uint64_t units, linked, links;
	size_t cap_elements, cap_blocks;
};

enum { NO_BLOCK = UINT32_MAX };

/** Returns 0 or DANA_ENOMEM. */
int aggregates_compute(struct aggregates *a, const struct blocks *b);
void aggregates_free(struct aggregates *a);

/** Returns the score of an element, reduced by its share of links. */
static inline uint32_t aggregates_net_score(const struct element_sums *s)
{
	return s->units ? (uint32_t)((uint64_t)s->score * (s->units - s->linked) / s->units) : 0;
}

#endif
