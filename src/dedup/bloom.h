/* SPDX-License-Identifier: MIT */
/*
 * A Bloom filter (Bloom 1970): a set of 64-bit hashes in a fixed number of bits, that takes some non-members for
 * members. Their share, the false-positive rate, follows from the bits that are set: (set / all)^BLOOM_HASHES. One
 * thread.
 */
#ifndef DANA_DEDUP_BLOOM_H
#define DANA_DEDUP_BLOOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BLOOM_HASHES = 10 }; /* best for a rate of about 1 in 1000 */

/** Zero-initialise it before bloom_make. */
struct bloom {
	uint64_t *words;
	uint64_t bits, set;
};

/** Makes a filter of `bytes` of memory. Returns 0 or DANA_ENOMEM. */
int bloom_make(struct bloom *b, size_t bytes);
void bloom_free(struct bloom *b);
/** Adds the key. Returns whether it seemed to be a member before. */
bool bloom_put(struct bloom *b, uint64_t key);
/** Returns the current false-positive rate. */
double bloom_rate(const struct bloom *b);
/** Returns the bytes that `n` keys need at this rate. */
double bloom_bytes(double n, double rate);

#endif
