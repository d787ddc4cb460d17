/* SPDX-License-Identifier: MIT */
/*
 * A count-min sketch (Cormode and Muthukrishnan 2005) with conservative update: counts of 64-bit keys in a fixed number
 * of counters. A count is never too low; with a chance of at least 98 % (1 - e^-SKETCH_ROWS) it is too high by less
 * than e / width of the sum of all counts. One thread.
 */
#ifndef DANA_DEDUP_SKETCH_H
#define DANA_DEDUP_SKETCH_H

#include <stddef.h>
#include <stdint.h>

enum { SKETCH_ROWS = 4 };

/** Zero-initialise it before sketch_make. */
struct sketch {
	uint32_t *counters; /* SKETCH_ROWS rows of `width` */
	uint64_t width, sum;
};

/** Makes a sketch of `bytes` of memory. Returns 0 or DANA_ENOMEM. */
int sketch_make(struct sketch *s, size_t bytes);
void sketch_free(struct sketch *s);
/** Counts the key once more. Returns its count, this one included. */
uint32_t sketch_add(struct sketch *s, uint64_t key);
/** Returns by how much a count is too high at most, with the chance above. */
double sketch_error(const struct sketch *s);

#endif
