/*
 * Numbers for 32-bit keys, in the order in which the keys first come: equal keys have equal numbers. The keys may come from input
 * that somebody made on purpose: no choice of keys makes this slow.
 *
 * A key times an odd constant is mixed bits, and no two keys have the same ones. The upper bits choose a root; below it stands a
 * binary tree, in which each following bit chooses the left or the right subtree. So two keys of one root part after 32 - bits steps
 * at the latest. Example, with 8 bits of root: of 100 000 keys that all choose one root, none is reached by more than 24 steps,
 * where a table with linear probing takes up to 100 000.
 */
#ifndef DANA_BASE_KEY_TRIE_H
#define DANA_BASE_KEY_TRIE_H

#include <stddef.h>
#include <stdint.h>

enum { KEY_TRIE_STEPS = 24 }; /* from a root to a key at most */

struct key_trie_node {
	uint32_t key;
	uint32_t next[2]; /* subtrees by the next bit: a number + 1, 0 = empty */
};

/** Zeroed: empty and without room. Ownership: the arrays are its own. */
struct key_trie {
	uint32_t *root; /* a number + 1, 0 = free */
	struct key_trie_node *node;
	uint32_t n;     /* keys so far */
	unsigned bits;  /* of a root's index */
	uint64_t steps; /* nodes passed since the last key_trie_reset */
	size_t cap_roots, cap_nodes;
};

/** Forgets all keys, and has room for `most` of them, at most 2^24. 0 or DANA_ENOMEM. */
int key_trie_reset(struct key_trie *t, uint32_t most);
void key_trie_free(struct key_trie *t);

/** The number of `key`, which is the next one when the key is new. */
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
