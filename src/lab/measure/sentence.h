/* SPDX-License-Identifier: MIT */
/*
 * The sentence measure of the Mountain Model paper: precision and recall count whole sentences that are equal letter
 * for letter. If the gold text has no sentences (lists of names), the edit distance of the characters is used instead.
 *
 * Our reading: a sentence ends at . ! ? before white space or the end, at U+3002 FF01 FF1F 061F 06D4 0964, and at the
 * end of a line; white space collapses; characters that are invisible (tokens.h) do not count; a sentence found twice
 * must be in the gold twice. A token_table is their only memory: one thread at a time for each table.
 */
#ifndef DANA_MEASURE_SENTENCE_H
#define DANA_MEASURE_SENTENCE_H

#include "lab/measure/lcs.h"

/**
 * Computes the score of a page. *by_distance (may be NULL) is true if it comes from the edit distance: all three
 * numbers are then equal. Resets the table. Returns 0 or DANA_ENOMEM.
 */
int sentence_measure(struct token_table *table, struct slice output, struct slice gold, struct score *score,
		     bool *by_distance);

#endif
