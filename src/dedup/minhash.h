/* SPDX-License-Identifier: MIT */
/*
 * MinHash (Broder 1997): a signature of a text, such that the share of equal numbers in the signatures of two texts
 * estimates the share of shingles that both have in those that either has (Jaccard's coefficient).
 *
 * - Words are those of the normal form with NORMAL_SMALL and NORMAL_WORDS, each hashed by XXH3-64.
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

#include "base/slice.h"

enum {
	MINHASH_SHINGLE = 5,
	MINHASH_MOST = 1024, /* numbers of a signature */
};

struct minhash;

/** `n`: 1 to MINHASH_MOST. Returns NULL if memory is exhausted. */
struct minhash *minhash_new(unsigned n);
/** NULL allowed. */
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

#endif
