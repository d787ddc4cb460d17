/* SPDX-License-Identifier: MIT */
/*
 * Blocks whose words the page shows before: quotes in posts, a product's text in two tabs, entries of a list that come
 * twice. Only on pages of many parts: in an article a passage that comes twice is the author's.
 *
 * Example: of the posts "The lamp was lit on every evening of the year." and "You wrote: the lamp was lit on every
 * evening of the year." the second has 8 runs of five words, 6 of which the first has as well. That is less than four
 * fifths: it is no copy.
 */
#ifndef DANA_LEARNED_COPIES_H
#define DANA_LEARNED_COPIES_H

#include "extract/learned/blocks.h"
#include "extract/learned/page_kind.h"

struct copies {
	bool *is_copy; /* for each block, if `any` */
	bool any;
	size_t cap_blocks;
	uint64_t *runs; /* a set: one bit for each hash of a run of words */
	size_t cap_runs;
};

/**
 * Finds the copies among the blocks of at least this chance. `words`: numbers of words of the blocks. Linear time.
 * Returns 0 or DANA_ENOMEM.
 */
int copies_find(struct copies *c, const struct blocks *b, enum page_kind kind, const uint16_t *chance,
		uint32_t threshold, const uint32_t *words);
void copies_free(struct copies *c);

#endif
