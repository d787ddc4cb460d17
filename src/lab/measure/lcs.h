/* SPDX-License-Identifier: MIT */
/*
 * Longest common subsequence of two token sequences, bit-parallel (Crochemore et al. 2001; Hyyro 2004): time O(n m /
 * 64), and much less when few tokens repeat. A common beginning and end are cut off first.
 *
 * Both sequences must come from one token_table, whose token_table_count is `ids`. Pure functions: any thread.
 */
#ifndef DANA_MEASURE_LCS_H
#define DANA_MEASURE_LCS_H

#include "lab/measure/tokens.h"

/** 0 or DANA_ENOMEM. */
int lcs_length(const struct tokens *a, const struct tokens *b, uint32_t ids, size_t *length);

/**
 * Also marks the tokens that lie on one longest common subsequence: on_a holds a->len bytes, on_b holds b->len bytes,
 * each set to 0 or 1; one of them may be NULL. Memory: about 8 MiB and linear in the sequences.
 */
int lcs_marks(const struct tokens *a, const struct tokens *b, uint32_t ids, uint8_t *on_a, uint8_t *on_b,
	      size_t *length);

/** How good an output is. */
struct score {
	double precision, recall, f1;
};

/**
 * Precision, recall and F1 of `common` out of `output` and `gold`. Both empty: 1; one empty: 0 (doc/FORMATS.md, "Gold
 * pages").
 */
struct score score_of(double common, double output, double gold);

#endif
