/*
 * Text that stands on the page more than once, found again by runs of five words: excerpts, teasers of the article itself,
 * a second copy for printing or for small screens.
 */
#ifndef DANA_EXTRACT_LEARNED_SHINGLES_H
#define DANA_EXTRACT_LEARNED_SHINGLES_H

#include "extract/learned/blocks.h"

/** Runs that are looked at on one page; what comes later has no copies. */
enum { SHINGLES_MOST = 1 << 16 };

struct block_copies {
	uint32_t runs;          /* of this block */
	uint32_t before, after; /* those that stand in an earlier block, and in a later one */
};

struct shingles {
	struct block_copies *block; /* as many as blocks */
	struct shingle_entry *table;
	uint32_t cap_blocks, size, used;
};

/** 0 or DANA_ENOMEM. */
int shingles_compute(struct shingles *s, const struct blocks *b);
void shingles_free(struct shingles *s);

#endif
