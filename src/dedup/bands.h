/* SPDX-License-Identifier: MIT */
/*
 * Locality-sensitive hashing of MinHash signatures: a signature is cut into bands of some rows each, and two documents
 * whose rows of any one band are all equal are taken for near-duplicates. With similarity s that happens with the
 * chance 1 - (1 - s^rows)^bands, an S-shaped curve that is steepest about (1 / bands)^(1 / rows).
 */
#ifndef DANA_DEDUP_BANDS_H
#define DANA_DEDUP_BANDS_H

#include "base/buf.h"

enum {
	BANDS_USUAL = 14, /* these two are datatrove's */
	BANDS_ROWS_USUAL = 8,
	BANDS_NUMBERS_MOST = 128, /* bands * rows of bands_for */
};

struct bands {
	unsigned bands, rows;
};

/** Returns the chance that two documents of this similarity (0 to 1) share a band. */
double bands_chance(struct bands b, double similarity);

/**
 * Returns the bands and rows, at most BANDS_NUMBERS_MOST numbers in all, with the least error for a threshold between 0
 * and 1: the mean chance of being found below it plus the mean chance of not being found above it.
 */
struct bands bands_for(double threshold);

/**
 * Computes a number for each band of a signature, equal if all rows are equal: XXH3-64 with the band's number, from 0,
 * as seed, of its rows as 4 bytes each, the lowest first.
 */
void bands_buckets(struct bands b, const uint32_t *signature, uint64_t *buckets);

/** Appends the curve as text: a line for each similarity from 0.50 to 1.00. Returns 0 or DANA_ENOMEM. */
int bands_curve(struct bands b, struct buf *out);

#endif
