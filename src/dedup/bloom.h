/* SPDX-License-Identifier: MIT */
/*
 * A Bloom filter (Bloom 1970): a set of 64-bit hashes in a fixed number of bits, that takes some for members which are
 * not. How many, the false-positive rate, is known from the bits that are set: (set / all)^BLOOM_HASHES. One thread.
 */
#ifndef DANA_DEDUP_BLOOM_H
#define DANA_DEDUP_BLOOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BLOOM_HASHES = 10 }; /* best for a rate of about 1 in 1000 */

/** Zeroed: not made. */
struct bloom {
	uint64_t *words;
	uint64_t bits, set;
};

/** `bytes`: of memory. 0 or DANA_ENOMEM. */
int bloom_make(struct bloom *b, size_t bytes);
void bloom_free(struct bloom *b);
/** Whether the key seems to be a member; it is one from now on. */
bool bloom_put(struct bloom *b, uint64_t key);
/** The false-positive rate now. */
double bloom_rate(const struct bloom *b);
/** Bytes that are needed for `n` keys at this rate. */
double bloom_bytes(double n, double rate);

#endif
