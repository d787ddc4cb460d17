/* SPDX-License-Identifier: MIT */
/*
 * Edit distance (insert, delete, replace: 1 each), bit-parallel in blocks of 64 (Myers 1999; Hyyro 2003). Time O(n m /
 * 64) after a common beginning and end are removed, memory linear.
 */
#ifndef DANA_MEASURE_LEVENSHTEIN_H
#define DANA_MEASURE_LEVENSHTEIN_H

#include "lab/measure/tokens.h"

/** Both sequences come from one table, whose token_table_count is `ids`. Returns 0 or DANA_ENOMEM. */
int levenshtein_distance(const struct tokens *a, const struct tokens *b, uint32_t ids, size_t *distance);

#endif
