/* SPDX-License-Identifier: MIT */
/*
 * MinHash (Broder 1997): a signature of a text, such that the share of equal numbers in the signatures of two texts
 * estimates the share of shingles that both have in those that either has (Jaccard's coefficient).
 *
 * - Words are the words of the normal form with NORMAL_SMALL and NORMAL_WORDS, each hashed by XXH3-64.
 * - A shingle is MINHASH_SHINGLE words in a row: XXH3-64 of their hashes, 8 bytes each, the lowest first. A text with
 *   fewer words has one shingle of all its words, a text without words has no shingle. x is the lower half of a
 *   shingle's hash.
 * - Number i of the signature is the least (a[i] * x + b[i]) mod 2^32 over all shingles; with s(n) as the n-th number,
 *   from 0, of splitmix64 that begins at 0, a[i] is the lower half of s(2 i), made odd, and b[i] the lower half of
 *   s(2 i + 1). As a[i] is odd each is a permutation of all 32-bit numbers.
 *
 * One object for each thread.
 */
#ifndef DANA_DEDUP_MINHASH_H
#define DANA_DEDUP_MINHASH_H

#include "base/buf.h"

enum {
	MINHASH_SHINGLE = 5,
	MINHASH_MOST = 1024, /* numbers of a signature */
};

struct minhash;
/** `n`: 1 to MINHASH_MOST. Returns NULL if memory is exhausted. */
struct minhash *minhash_new(unsigned n);
/** NULL is allowed. */
void minhash_free(struct minhash *m);
/**
 * Computes the signature of a text: n numbers, valid until the next call; all UINT32_MAX if there are no shingles.
 * *shingles is their number, including equal ones. Returns 0 or DANA_ENOMEM.
 */
int minhash_text(struct minhash *m, struct slice text, const uint32_t **signature, size_t *shingles);
/**
 * Sets `least` to the least value of each permutation over `count` numbers and its old value. For tests of the vector
 * paths.
 */
void minhash_least(const uint32_t *a, const uint32_t *b, uint32_t *least, unsigned n, const uint32_t *x, size_t count);

/* ---- bands ---- */

enum {
	BANDS_USUAL = 14, /* these two are datatrove's */
	BANDS_ROWS_USUAL = 8,
	BANDS_NUMBERS_MOST = 128, /* bands * rows of bands_for */
};

/**
 * Locality-sensitive hashing: a signature is cut into bands of some rows each, and two documents whose rows of any one
 * band are all equal are taken for near-duplicates. With similarity s that happens with the chance
 * 1 - (1 - s^rows)^bands, an S-shaped curve that is steepest about (1 / bands)^(1 / rows).
 */
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
