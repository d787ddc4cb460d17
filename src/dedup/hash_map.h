/* SPDX-License-Identifier: MIT */
/*
 * A map from 64-bit keys, which are hashes of input, to numbers. The place of a key depends on a secret of the process,
 * so that nobody can craft input that is slow; results do not depend on it. Memory is bounded. One thread.
 */
#ifndef DANA_DEDUP_HASH_MAP_H
#define DANA_DEDUP_HASH_MAP_H

#include <stddef.h>
#include <stdint.h>

struct hash_map_slot {
	uint64_t key, value; /* key 0: free */
};

/** Zero-initialised except for most_bytes it is empty. */
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

#endif
