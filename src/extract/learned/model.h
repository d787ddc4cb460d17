/* SPDX-License-Identifier: MIT */
/*
 * The learned numbers: weights of tokens, two sets of trees. One model is compiled in; a file may replace it.
 *
 * File, little-endian:
 *
 *  - "dana-learned-2\n\0" (16 bytes); u32 FNV-1a of version and feature names; i32 bias of the tokens (1/32);
 *  - u32 trees and u32 depth of stage 1, of stage 2 and of the kinds of page;
 *  - a u32 for each kind: what the threshold is multiplied by (1/256);
 *  - 2^TOKEN_BITS weights, i8 in 1/32;
 *  - for the stages and the kinds the levels {u8 feature, u8 bin} of all their trees and the leaves (i16 in 1/4096; a
 *    leaf of the kinds has one number for each kind);
 *  - u32 FNV-1a of everything before.
 *
 * All may have 0 trees: that is how training proceeds.
 */
#ifndef DANA_EXTRACT_LEARNED_MODEL_H
#define DANA_EXTRACT_LEARNED_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "extract/learned/features.h"
#include "extract/learned/stage2.h"
#include "extract/learned/tokens.h"

/** Turns log odds (1/4096) into a probability (1/65536, from 1 to 65535) by a table: equal on every machine. */
uint16_t chance_of(int32_t margin);

/*
 * Boosted trees on byte features that ask the same question at all nodes of a level (oblivious trees), so that a
 * block's leaf is the number made of its answers: no branch depends on data, and many blocks are compared at once. Sums
 * are integers: equal everywhere, in any order.
 */

enum { TREE_DEPTH_MOST = 6, LEAVES_MOST = 1 << TREE_DEPTH_MOST, TREES_MOST = 256 };

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
	uint8_t low[LEAVES_MOST], high[LEAVES_MOST]; /* bytes of the leaves */
	bool full; /* sums of 16 bits have room for its leaves, but not for the next tree's as well */
};

/** Trees side by side and as many columns, whose bytes are one vector. */
enum { TREES_BESIDE = 4 };

/* As many trees as margins_few reads them: of each level the places of their features' rows, and limits for columns. */
struct trees_beside {
	struct {
		uint16_t row[TREES_BESIDE];
		uint32_t limit[TREES_BESIDE]; /* in each byte */
	} steps[TREE_DEPTH_MOST];
};

/** The answer of a tree's first level is the highest bit of a leaf's number. */
struct trees {
	const struct tree_level *levels; /* n * depth */
	const int16_t *leaves;           /* n * 2^depth, in 1/4096 */
	uint32_t n, depth;
	/* made from the others by trees_prepare, freed by trees_free */
	struct tree_table *tables;
	struct trees_beside *beside; /* in the memory of `tables` */
};

/** Call it once, before trees_margins. */
int trees_prepare(struct trees *t);
void trees_free(struct trees *t);
/** Computes log odds of the first `n` blocks, in 1/4096. Overwrites the tile: `n_features` rows, 64-byte aligned. */
void trees_margins(const struct trees *t, uint8_t (*tile)[TILE], uint32_t n_features, uint32_t n, int32_t margin[TILE]);
/** Trees whose leaves have a margin for each kind. */
struct kind_trees {
	const struct tree_level *levels; /* n * depth */
	const int16_t *leaves;           /* n * 2^depth * KIND_COUNT, in 1/4096 */
	uint32_t n, depth;
};

struct model {
	const int8_t *weights;
	int32_t bias;
	struct trees stage[2];
	struct kind_trees kinds;
	void *memory; /* the allocation that holds all of them */
};

enum { MODEL_MOST = 256 << 10 };

/** The compiled-in model's bytes (model_data.c, made by tools/train). */
extern const uint8_t model_data[];
extern const size_t model_data_len;
/**
 * Copies what it needs, but uses model_data where it is. Returns 0, DANA_EFORMAT (not a model, or for other features),
 * or DANA_ENOMEM.
 */
int model_load(struct model *m, struct slice bytes);
void model_free(struct model *m);

#endif
