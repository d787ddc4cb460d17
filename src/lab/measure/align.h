/* SPDX-License-Identifier: MIT */
/*
 * Alignment of a page's tokens with its gold text, for the labels of training: a longest common subsequence that
 * favours runs. A match counts 2, and 5 if it continues a run, so that scattered matches (menu words that also occur in
 * the text) lose against the text itself. Of equal alignments the one with the earliest tokens of the page wins.
 */
#ifndef DANA_MEASURE_ALIGN_H
#define DANA_MEASURE_ALIGN_H

#include "lab/measure/tokens.h"

/** Limit of work and memory for one page: product of the lengths of both sequences. */
enum { ALIGN_CELLS_MOST = 900000000 };

/**
 * Sets on_page[i] (page->len bytes) to 1 if token i is matched, otherwise 0. Returns 0, DANA_ELIMIT if the sequences
 * are too long, or DANA_ENOMEM.
 */
int align_runs(const struct tokens *page, const struct tokens *gold, uint8_t *on_page);

#endif
