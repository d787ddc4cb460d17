/* SPDX-License-Identifier: MIT */
/*
 * A set of hashes of 64 bits: an open table, at most six tenths full, 8 bytes a place. Of n members and a random other
 * hash, one in 2^64 / n is taken for a member: with five million, one in 3,700,000,000,000.
 */
#ifndef DANA_PLUGINS_URL_HASH_SET_H
#define DANA_PLUGINS_URL_HASH_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Zero-initialised it is empty; hash_set_free frees it. Threads: any number may look up while nobody adds. */
struct hash_set {
	uint64_t *place; /* 0: free */
	size_t cap, n;   /* cap: a power of two */
};

/** Adds hashes. Returns 0, or DANA_ENOMEM with the set unchanged. */
int hash_set_add(struct hash_set *s, const uint64_t *hashes, size_t n);
bool hash_set_has(const struct hash_set *s, uint64_t hash);
/** Prefetches the place of a hash that will be looked up or added: waiting for memory takes most of the time here. */
static inline void hash_set_expect(const struct hash_set *s, uint64_t hash)
{
	if (s->cap)
		__builtin_prefetch(&s->place[(size_t)hash & (s->cap - 1)]);
}
void hash_set_free(struct hash_set *s);

#endif
