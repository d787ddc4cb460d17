/* SPDX-License-Identifier: MIT */
/*
 * A counting sort: the counts of the tokens give where the positions of each begin, then the positions are filled in.
 * Example: the sequence 1 0 1 gives start = 0 1 3 and at = 1 | 0 2.
 */
#include "lab/measure/matches.h"

#include <stdlib.h>

#include "base/status.h"

int matches_of(struct matches *x, const uint32_t *a, size_t n, uint32_t ids)
{
	x->start = calloc((size_t)ids + 2, sizeof(*x->start));
	x->at = malloc((n ? n : 1) * sizeof(*x->at));
	if (!x->start || !x->at || n > UINT32_MAX)
		return DANA_ENOMEM;
	/* counted two places ahead, so that filling moves each beginning to its place */
	for (size_t i = 0; i < n; i++)
		x->start[a[i] + 2]++;
	for (size_t id = 2; id < (size_t)ids + 2; id++)
		x->start[id] += x->start[id - 1];
	for (size_t i = 0; i < n; i++)
		x->at[x->start[a[i] + 1]++] = (uint32_t)i;
	return DANA_OK;
}

void matches_free(struct matches *x)
{
	free(x->start);
	free(x->at);
}
