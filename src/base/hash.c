/* SPDX-License-Identifier: MIT */
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/status.h"

enum { BITS_LEAST = 8 };

_Static_assert(BITS_LEAST + KEY_TRIE_STEPS == 32, "a step for each bit that does not choose the root");

int key_trie_reset(struct key_trie *t, uint32_t most)
{
	const struct grow_array nodes = GROW_ARRAY(t->node), roots = GROW_ARRAY(t->root);
	unsigned bits = BITS_LEAST;
	while ((uint64_t)1 << bits < 2 * (uint64_t)most)
		bits++;

	int status = renew_arrays(&nodes, 1, most, &t->cap_nodes);
	if (status < 0)
		return status;
	status = renew_arrays(&roots, 1, (size_t)1 << bits, &t->cap_roots);
	if (status < 0)
		return status;

	memset(t->root, 0, sizeof(*t->root) << bits);
	t->bits = bits;
	t->n = 0;
	t->steps = 0;
	return DANA_OK;
}

void key_trie_free(struct key_trie *t)
{
	free(t->root);
	free(t->node);
	*t = (struct key_trie){ 0 };
}

static uint64_t rotated(uint64_t v, unsigned bits)
{
	return v << bits | v >> (64 - bits);
}

static void sip_rounds(uint64_t v[4], unsigned n)
{
	while (n--) {
		v[0] += v[1], v[1] = rotated(v[1], 13) ^ v[0], v[0] = rotated(v[0], 32);
		v[2] += v[3], v[3] = rotated(v[3], 16) ^ v[2];
		v[0] += v[3], v[3] = rotated(v[3], 21) ^ v[0];
		v[2] += v[1], v[1] = rotated(v[1], 17) ^ v[2], v[2] = rotated(v[2], 32);
	}
}

uint64_t hash_sip64(struct slice s, uint64_t h)
{
	static const uint64_t key = UINT64_C(0x9E3779B97F4A7C15);
	uint64_t v[4] = { h ^ UINT64_C(0x736f6d6570736575), key ^ UINT64_C(0x646f72616e646f6d),
			  h ^ UINT64_C(0x6c7967656e657261), key ^ UINT64_C(0x7465646279746573) };
	uint64_t last = (uint64_t)s.len << 56;
	for (; s.len >= 8; s = slice_skip(s, 8)) {
		const uint64_t word = little_endian_64(s.data);
		v[3] ^= word;
		sip_rounds(v, 1);
		v[0] ^= word;
	}
	for (size_t i = 0; i < s.len; i++)
		last |= (uint64_t)s.data[i] << (8 * i);
	v[3] ^= last;
	sip_rounds(v, 1);
	v[0] ^= last;
	v[2] ^= 0xFF;
	sip_rounds(v, 3);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}
