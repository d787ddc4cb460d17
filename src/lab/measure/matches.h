/* SPDX-License-Identifier: MIT */
/* Where each token stands in a sequence: what the bit-parallel measures read their match vectors from. */
#ifndef DANA_MEASURE_MATCHES_H
#define DANA_MEASURE_MATCHES_H

#include "base/slice.h"

struct matches {
	uint32_t *start; /* positions of token t: at[start[t]] to at[start[t + 1] - 1], ascending */
	uint32_t *at;
};

/** All of `a` must be below `ids`. 0 or DANA_ENOMEM; matches_free in both cases. */
int matches_of(struct matches *x, const uint32_t *a, size_t n, uint32_t ids);
void matches_free(struct matches *x);

#endif
