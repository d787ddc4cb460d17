/* SPDX-License-Identifier: MIT */
/*
 * The sentence measure of the Mountain Model paper: precision and recall count whole sentences, found again letter for
 * letter. Where the gold text has no sentences (lists of names), the edit distance of the characters decides instead.
 *
 * Our reading: a sentence ends at . ! ? before white space or the end, at U+3002 FF01 FF1F 061F 06D4 0964, and at the
 * end of a line; white space collapses; characters that are invisible (tokens.h) do not count; a sentence found twice
 * must be in the gold twice. Pure functions with a token_table as their memory: one thread at a time for each table.
 */
#ifndef DANA_MEASURE_SENTENCE_H
#define DANA_MEASURE_SENTENCE_H

#include "lab/measure/lcs.h"

/**
 * Score of a page; *by_distance (may be NULL) tells that the edit distance made it: then all three numbers are equal.
 * Resets the table. 0 or DANA_ENOMEM.
 */
int sentence_measure(struct token_table *table, struct slice output, struct slice gold, struct score *score,
		     bool *by_distance);

#endif
