/* SPDX-License-Identifier: MIT */
/* What is counted by 64-bit keys, which are hashes of input, in bounded memory. Each has one thread. */
#ifndef DANA_DEDUP_COUNTS_H
#define DANA_DEDUP_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hash_map_slot {
	uint64_t key, value; /* key 0: free */
};

/**
 * A map from keys to numbers. Where a key is stored depends on a secret of the process, so that nobody can craft input
 * that is slow; results do not depend on it. Zero-initialised except for most_bytes it is empty.
 */
struct hash_map {
	size_t most_bytes; /* bound on memory, also while it grows */
	struct hash_map_slot *slots;
	size_t n;      /* keys */
	unsigned bits; /* 2^bits slots */
	uint64_t secret;
};
/**
 * Finds or adds a key; *value points to its number until the next call. Returns 1 if the key is known, 0 if it is new,
 * with the number 0; DANA_ELIMIT if most_bytes is reached, or DANA_ENOMEM.
 */
int hash_map_put(struct hash_map *m, uint64_t key, uint64_t **value);
/** Returns a pointer to the key's number; NULL if the key is unknown. */
const uint64_t *hash_map_get(const struct hash_map *m, uint64_t key);
/** Returns how many keys fit into so much memory. */
size_t hash_map_room(size_t bytes);
/** Returns the bytes for so many keys, including the old table while it grows. */
size_t hash_map_bytes(size_t keys);
size_t hash_map_growing_bytes(size_t keys);

void hash_map_free(struct hash_map *m);

/** Sorts numbers in place. */
void numbers_sort(uint64_t *numbers, size_t n);

enum { BLOOM_HASHES = 10 }; /* best for a rate of about 1 in 1000 */

/**
 * A Bloom filter (Bloom 1970): a set of keys in a fixed number of bits, that takes some non-members for members. Their
 * share, the false-positive rate, follows from the bits that are set: (set / all)^BLOOM_HASHES.
 */
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

/*
 * A count-min sketch (Cormode and Muthukrishnan 2005) with conservative update: counts of 64-bit keys in a fixed number
 * of counters. A count is never too low; with a chance of at least 98 % (1 - e^-SKETCH_ROWS) it is too high by less
 * than e / width of the sum of all counts. One thread.
 */

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
