/* SPDX-License-Identifier: MIT */
/*
 * The block measure of the WLR + media paper: precision and recall count blocks of the page, where a block is a line of
 * its visible text with at least one token, or one picture, film or sound.
 *
 * Our reading: a line is relevant when at least half of its tokens lie on the longest common subsequence of page and
 * gold, and retrieved when at least half lie on that of page and output. A medium is relevant when its address is in
 * the gold list, and retrieved when the output names it. If nothing is retrieved the result is 0 %/0 %, as in the
 * paper, unless nothing is relevant either.
 */
#ifndef DANA_MEASURE_BLOCK_H
#define DANA_MEASURE_BLOCK_H

#include "lab/measure/lcs.h"

/** Input of the measure. Lists of media: addresses, one a line, each counted once. */
struct block_page {
	struct slice visible; /* all visible text of the page, one block a line (method `plain`) */
	struct slice output, gold;
	struct slice output_media, gold_media;
};

struct block_counts {
	size_t retrieved, relevant, both;
};

/** Resets the table. Returns 0 or DANA_ENOMEM. */
int block_measure(struct token_table *table, const struct block_page *page, struct block_counts *counts);

#endif
