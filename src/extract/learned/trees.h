/*
 * Boosted trees on byte features, all of one depth. No branch depends on data: every node of a tree is compared for
 * many blocks at once, and the comparisons choose the leaf. Sums are integers: equal everywhere, in any order.
 */
#ifndef DANA_EXTRACT_LEARNED_TREES_H
#define DANA_EXTRACT_LEARNED_TREES_H

#include <stdint.h>

#include "extract/learned/features.h"

enum { TREE_DEPTH_MOST = 6, TREES_MOST = 256 };

struct tree_node {
	uint8_t feature, bin; /* to the right when feature > bin */
};

/** Nodes of a tree stand in levels, from the root; its leaves from left to right. */
struct trees {
	const struct tree_node *nodes; /* n * (2^depth - 1) */
	const int16_t *leaves;         /* n * 2^depth, in 1/4096 */
	uint32_t n, depth;
};

/** Log odds of each block of a tile, in 1/4096. Uses the tile up: `n_features` rows, 64-byte aligned. */
void trees_margins(const struct trees *t, uint8_t (*tile)[TILE], uint32_t n_features, int32_t margin[TILE]);
/** What each feature gives to one block's margin: moves along its path, by the mean of the leaves below. */
void trees_weigh(const struct trees *t, uint8_t (*tile)[TILE], uint32_t at, int32_t *gain);

#endif
