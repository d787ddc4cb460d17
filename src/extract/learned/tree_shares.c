/* SPDX-License-Identifier: MIT */
#include "extract/learned/tree_shares.h"

#include <stdlib.h>

#include "base/status.h"

/* Nodes are numbered as if the tree had one for each node of a level: k has the children 2k + 1 and 2k + 2. */
static uint32_t count_nodes(const struct trees *t)
{
	return (1U << t->depth) - 1;
}

static const struct tree_level *levels_of(const struct trees *t, uint32_t tree)
{
	return t->levels + (size_t)tree * t->depth;
}

static uint32_t next_place(const struct tree_level *level, uint32_t k, uint8_t (*tile)[TILE], uint32_t at)
{
	return 2 * k + 1 + (tile[level->feature][at] > level->bin);
}

int tree_shares_init(struct tree_shares *s, const struct trees *trees)
{
	*s = (struct tree_shares){ .trees = trees };
	s->count = calloc((size_t)trees->n + 1, sizeof(*s->count));
	s->mean = calloc((size_t)trees->n + 1, sizeof(*s->mean));
	return s->count && s->mean ? DANA_OK : DANA_ENOMEM;
}

void tree_shares_count(struct tree_shares *s, uint8_t (*tile)[TILE], uint32_t n)
{
	for (uint32_t i = 0; i < s->trees->n; i++) {
		const struct tree_level *levels = levels_of(s->trees, i);
		for (uint32_t at = 0; at < n; at++) {
			for (uint32_t level = 0, k = 0; level < s->trees->depth; level++) {
				k = next_place(&levels[level], k, tile, at);
				s->count[i][k]++;
			}
		}
	}
}

void tree_shares_means(struct tree_shares *s)
{
	const struct trees *t = s->trees;
	const uint32_t n = count_nodes(t);
	for (uint32_t i = 0; i < t->n; i++) {
		const struct tree_level *levels = levels_of(t, i);
		const uint32_t *count = s->count[i];
		int32_t *mean = s->mean[i];
		for (uint32_t k = 0; k <= n; k++)
			mean[n + k] = t->leaves[((size_t)i << t->depth) + k];
		for (uint32_t level = t->depth; level-- > 0;) {
			const uint32_t first = (1U << level) - 1;
			for (uint32_t k = first; k <= 2 * first; k++) {
				/* a bin of 255 sends all blocks to the left */
				int64_t left = count[2 * k + 1] + 1,
					right = levels[level].bin == 255 ? 0 : count[2 * k + 2] + 1;
				mean[k] =
					(int32_t)((left * mean[2 * k + 1] + right * mean[2 * k + 2]) / (left + right));
			}
		}
	}
}

int32_t tree_shares_of(const struct tree_shares *s, uint8_t (*tile)[TILE], uint32_t at, int32_t *share)
{
	int32_t base = 0;
	for (uint32_t i = 0; i < s->trees->n; i++) {
		const struct tree_level *levels = levels_of(s->trees, i);
		const int32_t *mean = s->mean[i];
		base += mean[0];
		for (uint32_t level = 0, k = 0; level < s->trees->depth; level++) {
			uint32_t next = next_place(&levels[level], k, tile, at);
			share[levels[level].feature] += mean[next] - mean[k];
			k = next;
		}
	}
	return base;
}

void tree_shares_free(struct tree_shares *s)
{
	free(s->count);
	free(s->mean);
	*s = (struct tree_shares){ 0 };
}
