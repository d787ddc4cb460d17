#include "extract/learned/trees.h"

#include <string.h>

enum { LEAVES_MOST = 1 << TREE_DEPTH_MOST };

#define LANES 16
#define NAME(x) x##_16
#define TARGET
#include "extract/learned/trees_lanes.h"

#ifdef __x86_64__
#define LANES 32
#define NAME(x) x##_32
#define TARGET __attribute__((target("avx2")))
#include "extract/learned/trees_lanes.h"
#endif

void trees_margins(const struct trees *t, uint8_t (*tile)[TILE], uint32_t n_features, int32_t margin[TILE])
{
	memset(margin, 0, TILE * sizeof *margin);
#ifdef __x86_64__
	if (__builtin_cpu_supports("avx2")) {
		margins_32(t, tile, n_features, margin);
		return;
	}
#endif
	margins_16(t, tile, n_features, margin);
}

/* Mean of the leaves below a node, in 1/4096. */
static int32_t mean_below(const int16_t *leaves, uint32_t depth, uint32_t level, uint32_t index)
{
	uint32_t width = 1U << (depth - level);
	int32_t sum = 0;
	for (uint32_t i = 0; i < width; i++)
		sum += leaves[index * width + i];
	return sum / (int32_t)width;
}

void trees_weigh(const struct trees *t, uint8_t (*tile)[TILE], uint32_t at, int32_t *gain)
{
	for (uint32_t i = 0; i < t->n; i++) {
		const struct tree_node *nodes = t->nodes + (size_t)i * ((1U << t->depth) - 1);
		const int16_t *leaves = t->leaves + ((size_t)i << t->depth);
		uint32_t index = 0;
		int32_t mean = mean_below(leaves, t->depth, 0, 0);
		for (uint32_t level = 0; level < t->depth; level++) {
			const struct tree_node *node = nodes + ((1U << level) - 1) + index;
			index = 2 * index + (tile[node->feature][at] > node->bin);
			int32_t next = mean_below(leaves, t->depth, level + 1, index);
			gain[node->feature] += next - mean;
			mean = next;
		}
	}
}
