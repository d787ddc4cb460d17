/* SPDX-License-Identifier: MIT */
/*
 * Alignment of a page's tokens with its gold text, for the labels of training: a longest common subsequence that
 * favours runs. A match counts 2, and 5 when it goes on with a run, so that scattered matches (menu words that happen
 * to stand in the text) lose against the text itself. Of equal alignments the one with the earliest tokens of the page
 * wins.
 */
#ifndef DANA_MEASURE_ALIGN_H
#define DANA_MEASURE_ALIGN_H

#include "lab/measure/tokens.h"

/** Work and memory for one page: product of the lengths of both sequences. */
enum { ALIGN_CELLS_MOST = 900000000 };

/** Sets on_page[i] (page->len bytes) to 1 where token i is matched, else 0. DANA_ELIMIT: too long; DANA_ENOMEM. */
int align_runs(const struct tokens *page, const struct tokens *gold, uint8_t *on_page);

#endif
