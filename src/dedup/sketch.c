/* SPDX-License-Identifier: MIT */
#include "dedup/sketch.h"

#include <math.h>
#include <stdlib.h>

#include "base/bits.h"
#include "base/status.h"

int sketch_make(struct sketch *s, size_t bytes)
{
	uint64_t width = bytes / (SKETCH_ROWS * sizeof(*s->counters)) + 1;

	*s = (struct sketch){ .width = width };
	s->counters = calloc((size_t)width, SKETCH_ROWS * sizeof(*s->counters));
	return s->counters ? DANA_OK : DANA_ENOMEM;
}

void sketch_free(struct sketch *s)
{
	free(s->counters);
	*s = (struct sketch){ 0 };
}

/* Returns the counter of a key in a row. */
static uint32_t *counter_of(struct sketch *s, uint64_t key, unsigned row)
{
	key = (key + row * UINT64_C(0x9E3779B97F4A7C15)) * UINT64_C(0xBF58476D1CE4E5B9);
	key = (key ^ key >> 29) * UINT64_C(0x94D049BB133111EB);
	return &s->counters[row * s->width + bits_high_product(key, s->width)];
}

uint32_t sketch_add(struct sketch *s, uint64_t key)
{
	uint32_t *counters[SKETCH_ROWS], count = UINT32_MAX;

	for (unsigned row = 0; row < SKETCH_ROWS; row++) {
		counters[row] = counter_of(s, key, row);
		count = *counters[row] < count ? *counters[row] : count;
	}
	if (count < UINT32_MAX)
		count++;
	for (unsigned row = 0; row < SKETCH_ROWS; row++) {
		if (*counters[row] < count)
			*counters[row] = count;
	}
	s->sum++;
	return count;
}

double sketch_error(const struct sketch *s)
{
	return s->width ? exp(1) / (double)s->width * (double)s->sum : 0;
}
