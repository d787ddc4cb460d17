#include "extract/learned/trees.h"

#include <string.h>

enum { LANES = 16, GROUPS = TILE / LANES, LEAVES_MOST = 1 << TREE_DEPTH_MOST };

/* Vectors of bytes that compare as signed ones, which all processors can: rows are shifted by 128, as are the bins. */
typedef int8_t lanes __attribute__((vector_size(LANES), may_alias));

/* One number for each column of a tile. */
struct row {
	lanes group[GROUPS];
};

static inline lanes in_all_lanes(uint8_t v)
{
	return (lanes){ 0 } + (int8_t)v;
}

/*
 * Number of the leaf that each column reaches: from the lowest level up, each node takes one of its two sides. `depth` is a
 * constant wherever this is inlined.
 */
static inline __attribute__((always_inline)) void find_leaves(const struct tree_node *nodes, uint32_t depth,
							      const struct row *rows, struct row *side)
{
	uint32_t width = 1U << (depth - 1);
	const struct tree_node *level = nodes + width - 1;
	for (uint32_t i = 0; i < width; i++) {
		const struct row *row = &rows[level[i].feature];
		lanes bin = in_all_lanes(level[i].bin ^ 128);
		_Pragma("GCC unroll 4") for (uint32_t g = 0; g < GROUPS; g++)
			side[i].group[g] = (lanes)(row->group[g] > bin) & 1;
	}
	for (uint8_t bit = 2; width > 1; bit = (uint8_t)(bit * 2)) {
		width /= 2;
		level = nodes + width - 1;
		for (uint32_t i = 0; i < width; i++) {
			const struct row *row = &rows[level[i].feature];
			lanes bin = in_all_lanes(level[i].bin ^ 128), bits = in_all_lanes(bit);
			_Pragma("GCC unroll 4") for (uint32_t g = 0; g < GROUPS; g++) {
				lanes right = (lanes)(row->group[g] > bin);
				lanes a = side[2 * i].group[g], b = side[2 * i + 1].group[g] | bits;
				side[i].group[g] = a ^ ((a ^ b) & right);
			}
		}
	}
}

static void shift_rows(struct row *rows, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		for (uint32_t g = 0; g < GROUPS; g++)
			rows[i].group[g] ^= in_all_lanes(128);
	}
}

void trees_margins(const struct trees *t, uint8_t (*tile)[TILE], uint32_t n_features, int32_t margin[TILE])
{
	struct row *rows = (struct row *)(void *)tile;
	struct row side[LEAVES_MOST / 2];
	memset(margin, 0, TILE * sizeof *margin);
	shift_rows(rows, n_features);
	for (uint32_t i = 0; i < t->n; i++) {
		const struct tree_node *nodes = t->nodes + (size_t)i * ((1U << t->depth) - 1);
		const int16_t *leaves = t->leaves + ((size_t)i << t->depth);
		if (t->depth == 6)
			find_leaves(nodes, 6, rows, side);
		else if (t->depth == 5)
			find_leaves(nodes, 5, rows, side);
		else
			find_leaves(nodes, t->depth, rows, side);
		uint8_t leaf[TILE];
		memcpy(leaf, side[0].group, sizeof leaf);
		for (uint32_t k = 0; k < TILE; k++)
			margin[k] += leaves[leaf[k]];
	}
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
