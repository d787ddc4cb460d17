/* SPDX-License-Identifier: MIT */
/* The positions of each token in a sequence, from which the bit-parallel measures build their match vectors. */
#ifndef DANA_MEASURE_MATCHES_H
#define DANA_MEASURE_MATCHES_H

#include "base/slice.h"

struct matches {
	uint32_t *start; /* positions of token t: at[start[t]] to at[start[t + 1] - 1], ascending */
	uint32_t *at;
};

/** All of `a` must be below `ids`. Returns 0 or DANA_ENOMEM; call matches_free in both cases. */
int matches_of(struct matches *x, const uint32_t *a, size_t n, uint32_t ids);
void matches_free(struct matches *x);

#endif
