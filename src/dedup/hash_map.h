/* SPDX-License-Identifier: MIT */
/*
 * Numbers for 64-bit keys that are hashes of input. Where a key stands depends on a secret of the process, so that no
 * input can be made that is slow; nothing that depends on it can be seen from outside. Memory is bounded. One thread.
 */
#ifndef DANA_DEDUP_HASH_MAP_H
#define DANA_DEDUP_HASH_MAP_H

#include <stddef.h>
#include <stdint.h>

struct hash_map_slot {
	uint64_t key, value; /* key 0: free */
};

/** Zeroed but for most_bytes: empty. */
struct hash_map {
	size_t most_bytes; /* of memory, also while it grows */
	struct hash_map_slot *slots;
	size_t n;      /* keys */
	unsigned bits; /* 2^bits slots */
	uint64_t secret;
};

/**
 * The place of the key's number. 1: the key is known; 0: it is new, and its number is 0 until it is set. DANA_ELIMIT
 * when there is no room within most_bytes, DANA_ENOMEM. The place is valid until the next call.
 */
int hash_map_put(struct hash_map *m, uint64_t key, uint64_t **value);
/** The place of the key's number; NULL when the key is unknown. */
const uint64_t *hash_map_get(const struct hash_map *m, uint64_t key);
/** Keys that fit into so much memory. */
size_t hash_map_room(size_t bytes);
/** Bytes for so many keys; also while it grows: then two tables are there for a while. */
size_t hash_map_bytes(size_t keys);
size_t hash_map_growing_bytes(size_t keys);
void hash_map_free(struct hash_map *m);

#endif
