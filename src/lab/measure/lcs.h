/* SPDX-License-Identifier: MIT */
/*
 * Longest common subsequence of two token sequences, bit-parallel (Crochemore et al. 2001; Hyyro 2004): time O(n m /
 * 64), and much less when few tokens repeat. A common beginning and end are removed first.
 *
 * Both sequences must come from one token_table, whose token_table_count is `ids`. Pure functions: any thread.
 */
#ifndef DANA_MEASURE_LCS_H
#define DANA_MEASURE_LCS_H

#include "lab/measure/tokens.h"

/** Returns 0 or DANA_ENOMEM. */
int lcs_length(const struct tokens *a, const struct tokens *b, uint32_t ids, size_t *length);

/**
 * Also marks the tokens on one longest common subsequence: on_a has a->len bytes, on_b b->len bytes, each set to 0 or
 * 1; one of them may be NULL. Memory: about 8 MiB and linear in the sequences.
 */
int lcs_marks(const struct tokens *a, const struct tokens *b, uint32_t ids, uint8_t *on_a, uint8_t *on_b,
	      size_t *length);

/** The quality of an output. */
struct score {
	double precision, recall, f1;
};

/**
 * Returns precision, recall and F1 of `common` out of `output` and `gold`: 1 if both are empty, 0 if one is
 * (doc/FORMATS.md, "Gold pages").
 */
struct score score_of(double common, double output, double gold);

#endif
