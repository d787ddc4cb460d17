/* SPDX-License-Identifier: MIT */
/*
 * Hashes for tables: FNV-1a where an attacker cannot choose the keys, SipHash where he can.
 */
#ifndef DANA_BASE_HASH_H
#define DANA_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#include "base/ascii.h"

#define HASH_FNV32_START UINT32_C(0x811c9dc5)

/** Returns `h` with one more byte. */
static inline uint32_t hash_fnv32_byte(uint8_t byte, uint32_t h)
{
	return (h ^ byte) * 16777619U;
}

static inline uint32_t hash_fnv32(struct slice s, uint32_t h)
{
	for (size_t i = 0; i < s.len; i++)
		h = hash_fnv32_byte(s.data[i], h);
	return h;
}

/** Gives the same hash for all spellings that differ only in ASCII case. */
static inline uint32_t hash_fnv32_nocase(struct slice s, uint32_t h)
{
	for (size_t i = 0; i < s.len; i++)
		h = hash_fnv32_byte(ascii_lower(s.data[i]), h);
	return h;
}

static inline uint64_t hash_fnv64(struct slice s)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);
	for (size_t i = 0; i < s.len; i++)
		h = (h ^ s.data[i]) * UINT64_C(0x100000001b3);
	return h;
}

/**
 * SipHash-1-3 (Aumasson and Bernstein, SipHash: a fast short-input PRF, 2012) with a fixed key, so that it is the same
 * in every run. `h` is the first half of the key: 0, or the hash of what comes before.
 */
uint64_t hash_sip64(struct slice s, uint64_t h);

/*
 * Numbers for 32-bit keys: the first key is number 0, the next different one number 1, and so on. The keys may come
 * from input that was made to be slow: no choice of keys makes this slow.
 *
 * A key is multiplied by an odd constant, which mixes its bits and gives different keys different products. The upper
 * bits choose a root; from there each following bit chooses the left or the right subtree of a binary tree. So two keys
 * with the same root differ after at most 32 - bits steps.
 *
 * Example, with 8 bits for the root: of 100,000 keys that all have the same root, each is reached in at most 24 steps,
 * where a table with linear probing takes up to 100,000.
 */

enum { KEY_TRIE_STEPS = 24 }; /* longest path from a root to a key */

struct key_trie_node {
	uint32_t key;
	uint32_t next[2]; /* subtrees by the next bit: number of a key + 1, or 0 if empty */
};

/** Zeroed, it is empty and has no room. It owns its arrays. */
struct key_trie {
	uint32_t *root; /* number of a key + 1, or 0 if free */
	struct key_trie_node *node;
	uint32_t n;     /* keys so far */
	unsigned bits;  /* of a root's index */
	uint64_t steps; /* nodes passed since the last key_trie_reset */
	size_t cap_roots, cap_nodes;
};

/** Drops all keys and makes room for `most` of them, at most 2^24. */
int key_trie_reset(struct key_trie *t, uint32_t most);
void key_trie_free(struct key_trie *t);
/** Returns the number of `key`; a new key gets the next number. */
static inline uint32_t key_trie_number(struct key_trie *t, uint32_t key)
{
	uint32_t mixed = key * 0x9E3779B1U, rest = mixed << t->bits;
	uint32_t *at = &t->root[mixed >> (32 - t->bits)];
	while (*at && t->node[*at - 1].key != key) {
		at = &t->node[*at - 1].next[rest >> 31];
		rest <<= 1;
		t->steps++;
	}

	if (!*at) {
		t->node[t->n] = (struct key_trie_node){ .key = key };
		*at = ++t->n;
	}
	return *at - 1;
}

#endif
