/* SPDX-License-Identifier: MIT */
/*
 * Units that repeat: siblings of one shape (the same tag and first class under one parent) form a sequence, be they
 * rows of a table, items of a list, posts, comments, teasers or the paragraphs of an article. Shapes may alternate:
 * an element belongs to the sequence of the sibling before it or of the one before that.
 *
 * Example: in <ul><li>a<li>b<li>c</ul> the three items are a sequence; in <dl><dt><dd><dt><dd><dt><dd></dl> there are
 * two of three elements each.
 */
#ifndef DANA_LEARNED_UNITS_H
#define DANA_LEARNED_UNITS_H

#include "extract/learned/aggregates.h"

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

#endif
