/* SPDX-License-Identifier: MIT */
/*
 * What each feature gives to one block's margin, for `explain`: along a block's path through a tree each node moves
 * the mean of the leaves that can still be reached, and that move is the share of the node's feature (path
 * attribution: Saabas 2014). The mean is over the blocks of the page, so the shares tell what sets a block apart on
 * its page: where all are outside of footers, that counts for nothing. One block more is assumed at each child, so
 * that a page of few blocks has shares, too.
 */
#ifndef DANA_LEARNED_TREE_SHARES_H
#define DANA_LEARNED_TREE_SHARES_H

#include "extract/learned/trees.h"

enum { TREE_PLACES = 2 << TREE_DEPTH_MOST }; /* nodes and leaves of a tree at most */

struct tree_shares {
	const struct trees *trees;
	uint32_t (*count)[TREE_PLACES]; /* blocks that come to each node and leaf of each tree */
	int32_t (*mean)[TREE_PLACES];   /* of the leaves below, in 1/4096 */
};

/** 0 or DANA_ENOMEM; tree_shares_free in both cases. Borrows `trees`. */
int tree_shares_init(struct tree_shares *s, const struct trees *trees);
/** The first `n` blocks of a tile belong to the page. */
void tree_shares_count(struct tree_shares *s, uint8_t (*tile)[TILE], uint32_t n);
/** After all blocks of the page were counted. */
void tree_shares_means(struct tree_shares *s);
/**
 * Adds to `share` what each feature gives to the margin of block `at` of a tile. Returns the page's mean margin: with
 * all shares it is the block's margin, exactly.
 */
int32_t tree_shares_of(const struct tree_shares *s, uint8_t (*tile)[TILE], uint32_t at, int32_t *share);
void tree_shares_free(struct tree_shares *s);

#endif
