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

	int status = grow_arrays(&nodes, 1, most, &t->cap_nodes);
	if (status < 0)
		return status;
	status = grow_arrays(&roots, 1, (size_t)1 << bits, &t->cap_roots);
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
