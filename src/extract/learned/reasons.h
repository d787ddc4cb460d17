/* SPDX-License-Identifier: MIT */
/*
 * What each feature adds to one block's margin, for `explain`: along a block's path through a tree each node changes
 * the mean of the leaves that can still be reached, and that change is the share of the node's feature (path
 * attribution: Saabas 2014). The mean is over the blocks of the page, so the shares show how a block differs from the
 * others: if all blocks are outside of footers, that adds nothing. One more block is assumed at each child, so that a
 * page of few blocks also has shares.
 */
#ifndef DANA_EXTRACT_LEARNED_REASONS_H
#define DANA_EXTRACT_LEARNED_REASONS_H

#include "extract/learned/classifier.h"
#include "extract/learned/trees.h"

enum { TREE_PLACES = 2 << TREE_DEPTH_MOST }; /* most nodes and leaves of a tree */

struct tree_shares {
	const struct trees *trees;
	uint32_t (*count)[TREE_PLACES]; /* blocks that reach each node and leaf of each tree */
	int32_t (*mean)[TREE_PLACES];   /* of the leaves below, in 1/4096 */
};

/** Borrows `trees`. Returns 0 or DANA_ENOMEM; call tree_shares_free in both cases. */
int tree_shares_init(struct tree_shares *s, const struct trees *trees);

/** Counts the first `n` blocks of a tile. */
void tree_shares_count(struct tree_shares *s, uint8_t (*tile)[TILE], uint32_t n);

/** Computes the means; call it after all blocks of the page were counted. */
void tree_shares_means(struct tree_shares *s);

/**
 * Adds to `share` what each feature adds to the margin of block `at` of a tile. Returns the page's mean margin: with
 * all shares it sums exactly to the block's margin.
 */
int32_t tree_shares_of(const struct tree_shares *s, uint8_t (*tile)[TILE], uint32_t at, int32_t *share);

void tree_shares_free(struct tree_shares *s);

/* Reports to `explain` why each block was kept or dropped. It costs nothing unless requested. */

struct trace;

struct block_trace {
	struct trace *to;
	const struct classifier *classifier;
	const struct blocks *blocks;
	uint8_t (*first)[FEATURE_COUNT][TILE]; /* features of all blocks, as seen by each stage */
	uint8_t (*second)[STAGE2_COUNT][TILE]; /* NULL if that stage did not run */
	struct tree_shares shares[2];
	struct buf text, numbers; /* of the block that is reported */
	uint64_t (*copy)[2];      /* of each block a bit for each recall; NULL if the page can have no copies */
	bool failed;
};

/** For struct tile_sink; `arg` is the struct block_trace. */
void block_trace_tile(void *arg, int stage, uint32_t first, uint32_t n, uint8_t (*tile)[TILE]);

/**
 * Call it after classifier_run, with the method's keys. What is reported is enough to decide again for any other
 * `recall`: of the page `cut`, of each block its words, its chance, the values of `recall` at which it is a copy and
 * whether it is never kept. The classifier's copies are found anew. Returns 0 or DANA_ENOMEM.
 */
int block_trace_tell(struct block_trace *t, uint32_t recall, bool heading);

void block_trace_free(struct block_trace *t);

#endif
