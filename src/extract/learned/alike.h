/* SPDX-License-Identifier: MIT */
/*
 * Blocks alike are judged together: those on one path in one sequence of units, as the names of all products of a list
 * or the paragraphs of an article. Each one's log odds move towards their mean, the farther the more of them there are,
 * so that a row of a list is rarely dropped where the others are kept.
 *
 * Example: of seven names six have the log odds 1 and one has -2; together they have 4. A block counts four times more
 * in its own mean: the odd one gets (4 * -2 + 4) / (4 + 7) = -0.4, the others 0.7.
 */
#ifndef DANA_LEARNED_ALIKE_H
#define DANA_LEARNED_ALIKE_H

#include "extract/learned/units.h"

/* What blocks alike have together. */
struct alike_sum {
	int64_t margin;
	uint32_t blocks;
};

/** Zeroed, it is empty. It owns its arrays. */
struct alike {
	struct key_trie keys; /* numbers groups of blocks alike */
	uint32_t *group;      /* of each block */
	struct alike_sum *sum;
	size_t cap;
};

/**
 * Makes of the log odds of each block (1/4096) those that it has together with the blocks like it. Call it after
 * aggregates_compute and units_find. Returns 0 or DANA_ENOMEM.
 */
int alike_judge(struct alike *x, const struct blocks *b, const struct aggregates *a, const struct units *u,
		const int32_t *margin, int32_t *together);
void alike_free(struct alike *x);

#endif
