/* SPDX-License-Identifier: MIT */
/*
 * Private to the first stage's features: what features.c makes once for a page and features_tile.c reads for each
 * block.
 */
#ifndef DANA_LEARNED_FEATURES_VIEW_H
#define DANA_LEARNED_FEATURES_VIEW_H

#include "extract/learned/features.h"

enum { LEVELS = 4, FAR_BLOCKS = 99, NEIGHBOURS_MOST = 16 };

/* Features of an element around a block, in the order of FEATURES_LEVEL. */
#define LEVEL_AT(id) (FEATURE_LEVEL0_##id - FEATURE_LEVEL0_UNITS)
enum { LEVEL_FEATURES = FEATURE_LEVEL1_UNITS - FEATURE_LEVEL0_UNITS };

/* What a block has from the blocks around it, as rows of the tile. */
enum context {
	CONTEXT_UNITS,
	CONTEXT_LINKS,
	CONTEXT_ENDS_STOP,
	CONTEXT_TOKENS, /* also for neighbours; 0 after the last block */
	CONTEXT_UNTIL_GOOD,
	CONTEXT_SINCE_HEADING,
	CONTEXT_HEADING_LEVEL,
	CONTEXT_HEADING_TOKENS,
	CONTEXT_HEADING_DIGITS,
	CONTEXT_HEADING_UNITS,
	CONTEXT_TOKENS_BEFORE,
	CONTEXT_GOOD_AFTER,
	CONTEXT_TOKENS_AFTER,
	CONTEXT_SINCE_FLAG, /* these are adjacent features */
	CONTEXT_UNTIL_FLAG = CONTEXT_SINCE_FLAG + FLAGS_LOCATED,
	CONTEXT_FLAGS_BEFORE = CONTEXT_UNTIL_FLAG + FLAGS_LOCATED,
	CONTEXT_COUNT = CONTEXT_FLAGS_BEFORE + FLAGS_COUNTED,
};

struct context_tile {
	uint8_t row[CONTEXT_COUNT][TILE];
	uint8_t flags[TILE]; /* those that have a distance */
};

/*
 * Prefix sums: units, linked units, blocks with a date and units of prose of all blocks before this one; and where this
 * block starts and the one before it ends.
 */
struct prefix_sums {
	uint32_t units, linked, dates, start, end;
	uint64_t prose;
};

/* What all blocks in an element have from it. */
struct element_view {
	uint8_t level[LEVEL_FEATURES];
	uint32_t wider; /* as in element_sums */
	uint8_t repeats_most;
};

/* What all blocks on a path have from it. */
struct path_view {
	uint8_t blocks, mean, links, share, repeats, prose;
};

/* Weights are in 1/32; features are in 1/8, those of single elements in 1/16. */
static inline uint8_t view_tokens(int32_t score)
{
	return scale_signed(score >> 2);
}

static inline uint8_t view_own_tokens(int32_t score)
{
	return scale_signed(score >> 1);
}

static inline uint8_t view_mark_density(uint32_t marks, uint32_t units)
{
	uint64_t density = units ? (uint64_t)marks * 1000 / units : 0;
	return (uint8_t)(density > 255 ? 255 : density);
}

/* Returns the mean units of a link, in quarters: names of sections are short, headlines long. */
static inline uint8_t view_link_length(uint64_t linked, uint64_t links)
{
	return scale_log(links ? (uint32_t)(linked * 4 / links) : 0);
}

#endif
