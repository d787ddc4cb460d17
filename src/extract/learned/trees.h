/* SPDX-License-Identifier: MIT */
/* Turns log odds (1/4096) into a probability (1/65536) by a table: equal on every machine. */
#ifndef DANA_LEARNED_TREES_H
#define DANA_LEARNED_TREES_H

#include <stdbool.h>
#include <stdint.h>

#include "extract/learned/features.h"

/** Returns 1 to 65535. */
uint16_t chance_of(int32_t margin);

/*
 * Boosted trees on byte features that ask the same question at all nodes of a level (oblivious trees), so that a
 * block's leaf is the number made of its answers: no branch depends on data, and many blocks are compared at once. Sums
 * are integers: equal everywhere, in any order.
 */

enum { TREE_DEPTH_MOST = 6, TREES_MOST = 256 };

/* A level of a tree: the answer is 1 if feature > bin. With a bin of 255 it is always 0. */
struct tree_level {
	uint8_t feature, bin;
};

/* A tree as trees_margins reads it. */
struct tree_table {
	struct tree_step {
		uint8_t feature;
		int8_t limit; /* bin ^ 0x7F: see trees_lanes.h */
	} steps[TREE_DEPTH_MOST];
	uint8_t low[1 << TREE_DEPTH_MOST], high[1 << TREE_DEPTH_MOST]; /* bytes of the leaves */
	bool full; /* sums of 16 bits have room for its leaves, but not for those of the next tree as well */
};

/** The answer of a tree's first level is the highest bit of a leaf's number. */
struct trees {
	const struct tree_level *levels; /* n * depth */
	const int16_t *leaves;           /* n * 2^depth, in 1/4096 */
	uint32_t n, depth;
	struct tree_table *tables; /* made from the others by trees_prepare, freed by trees_free */
};

/** Call it once, before trees_margins. Returns 0 or DANA_ENOMEM. */
int trees_prepare(struct trees *t);

void trees_free(struct trees *t);

/**
 * Computes the log odds of the first `n` blocks of a tile, in 1/4096. Overwrites the tile: `n_features` rows, 64-byte
 * aligned.
 */
void trees_margins(const struct trees *t, uint8_t (*tile)[TILE], uint32_t n_features, uint32_t n, int32_t margin[TILE]);

#endif
