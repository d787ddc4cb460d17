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

/*
 * Units that repeat: siblings of one shape (the same tag and first class under one parent) form a sequence, be they
 * rows of a table, items of a list, posts, comments, teasers or the paragraphs of an article. Shapes may alternate:
 * an element belongs to the sequence of the sibling before it or of the one before that.
 *
 * Example: in <ul><li>a<li>b<li>c</ul> the three items are a sequence; in <dl><dt><dd><dt><dd><dt><dd></dl> there are
 * two of three elements each.
 */

enum { NO_SEQUENCE = UINT32_MAX, SEQUENCE_LEAST = 3 };

struct sequence {
	uint32_t parent, members;
	uint32_t number; /* among those of SEQUENCE_LEAST members; NO_SEQUENCE for shorter ones */
	uint32_t units, linked, blocks, dates;
};

/** The place of an element among its siblings, and the units around the blocks in it. */
struct unit_place {
	uint32_t sequence;     /* of the element itself; NO_SEQUENCE for the page */
	uint32_t before, last; /* the sibling before it, its last child so far; 0 = none */
	uint32_t inner,
		outer; /* the element or nearest ancestor with SEQUENCE_LEAST like it, and the next above; 0 = none */
};

struct units {
	struct unit_place *place; /* for each element */
	struct sequence *sequence;
	uint32_t n, n_repeating;
	size_t cap;
};

/** Call it once per page, after aggregates_compute. Returns 0 or DANA_ENOMEM. */
int units_find(struct units *u, const struct blocks *b, const struct aggregates *a);

void units_free(struct units *u);

/*
 * Sums over all blocks of a page, and the block that has the page's description. A tree compares a feature with a
 * constant, but often a block must be compared with the best of its page: these totals make such features possible.
 */

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
