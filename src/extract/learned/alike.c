/* SPDX-License-Identifier: MIT */
#include "extract/learned/alike.h"

#include <stdlib.h>

#include "base/grow.h"
#include "base/status.h"

/* A block weighs this much more in its own mean: 1 to 4 did the same for lists, 4 was best for articles. */
enum { OWN = 4 };

/* Returns what is equal for blocks alike: both numbers are below 2^16, as there are at most 65,536 elements. */
static uint32_t key_of(const struct aggregates *a, const struct units *u, uint32_t element)
{
	const uint32_t unit = u->place[element].inner;
	const uint32_t sequence = unit ? u->sequence[u->place[unit].sequence].number + 1 : 0;
	return a->sum[element].path << 16 | sequence;
}

int alike_judge(struct alike *x, const struct blocks *b, const struct aggregates *a, const struct units *u,
		const int32_t *margin, int32_t *together)
{
	const struct grow_array arrays[] = { GROW_ARRAY(x->group), GROW_ARRAY(x->sum) };
	int status = grow_arrays(arrays, 2, b->n_blocks, &x->cap);
	if (status == DANA_OK)
		status = key_trie_reset(&x->keys, b->n_blocks);
	if (status < 0)
		return status;
	for (uint32_t i = 0; i < b->n_blocks; i++) {
		const uint32_t known = x->keys.n, group = key_trie_number(&x->keys, key_of(a, u, b->block[i].element));
		struct alike_sum *sum = &x->sum[group];
		x->group[i] = group;
		if (group == known)
			*sum = (struct alike_sum){ 0 };
		sum->margin += margin[i];
		sum->blocks++;
	}
	for (uint32_t i = 0; i < b->n_blocks; i++) {
		const struct alike_sum *sum = &x->sum[x->group[i]];
		together[i] = (int32_t)((OWN * (int64_t)margin[i] + sum->margin) / (OWN + (int64_t)sum->blocks));
	}
	return DANA_OK;
}

void alike_free(struct alike *x)
{
	key_trie_free(&x->keys);
	free(x->group);
	free(x->sum);
	*x = (struct alike){ 0 };
}
