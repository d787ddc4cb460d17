/* SPDX-License-Identifier: MIT */
/* Reports to `explain` why each block was kept or dropped. It costs nothing unless requested. */
#ifndef DANA_LEARNED_TRACE_BLOCK_H
#define DANA_LEARNED_TRACE_BLOCK_H

#include "extract/learned/classifier.h"
#include "extract/learned/tree_shares.h"

struct trace;

struct block_trace {
	struct trace *to;
	const struct classifier *classifier;
	const struct blocks *blocks;
	uint8_t (*first)[FEATURE_COUNT][TILE]; /* features of all blocks, as seen by each stage */
	uint8_t (*second)[STAGE2_COUNT][TILE]; /* NULL if that stage did not run */
	struct tree_shares shares[2];
	struct buf text; /* of the block that is reported */
	bool failed;
};

/** For struct tile_sink; `arg` is the struct block_trace. */
void block_trace_tile(void *arg, int stage, uint32_t first, uint32_t n, uint8_t (*tile)[TILE]);
/** Call it after classifier_run. Returns 0 or DANA_ENOMEM. */
int block_trace_tell(struct block_trace *t, bool heading);
void block_trace_free(struct block_trace *t);

#endif
