/* SPDX-License-Identifier: MIT */
/*
 * The comparisons of model.c for one width of vectors. model.c includes it once for each width, so it has no guard, and
 * defines before:
 *
 *  - LANES: bytes of a vector;
 *  - BESIDE: 1 = two vectors side by side, which read each level once, 0 = one vector;
 *  - NAME(x): the names of functions; TARGET: attribute of the required processor;
 *  - NAME(sums): the type of LANES sums of 16 bits;
 *  - NAME(leaves_add), which adds the leaves that columns reach to their sums, and NAME(sums_end), which adds the sums
 *    to the margins and sets them to 0.
 *
 * Bytes are compared as signed ones, which all processors support, and the row is the second operand, which may be in
 * memory: row > bin where (bin ^ 0x7F) > (row ^ 0x7F).
 */

#define INLINE TARGET static inline __attribute__((always_inline))

/* Adds the margins of the columns; `depth` is a constant. A comparison gives -1 for the answer 1. */
INLINE void NAME(add_trees)(const struct trees *t, uint32_t depth, const uint8_t *rows, int32_t *margin)
{
	NAME(sums) sums[1 + BESIDE] = { 0 };
	for (uint32_t i = 0; i < t->n; i++) {
		const struct tree_step *steps = t->tables[i].steps;
		NAME(lanes) a = { 0 }, b = { 0 };
		_Pragma("GCC unroll 6") for (uint32_t k = 0; k < depth; k++)
		{
			const NAME(lanes) *row =
				(const NAME(lanes) *)(const void *)(rows + (size_t)steps[k].feature * TILE);
			NAME(lanes) limit = (NAME(lanes)){ 0 } + steps[k].limit;
			a = a + a - (NAME(lanes))(limit > row[0]);
			if (BESIDE)
				b = b + b - (NAME(lanes))(limit > row[1]);
		}
		NAME(leaves_add)(&sums[0], t, i, depth, &a);
		if (BESIDE)
			NAME(leaves_add)(&sums[BESIDE], t, i, depth, &b);
		for (uint32_t k = 0; t->tables[i].full && k < 1 + BESIDE; k++)
			NAME(sums_end)(&sums[k], margin + k * LANES);
	}
}

TARGET static void NAME(margins)(const struct trees *t, uint8_t (*tile)[TILE], uint32_t n_features, uint32_t n,
				 int32_t *margin)
{
	NAME(lanes) *row = (NAME(lanes) *)(void *)tile;
	for (uint32_t i = 0; i < n_features * (TILE / LANES); i++)
		row[i] ^= (NAME(lanes)){ 0 } + (int8_t)0x7F;
	for (uint32_t at = 0; at < n; at += LANES * (1 + BESIDE)) {
		const uint8_t *rows = (const uint8_t *)tile + at;
		switch (t->depth) {
		case 6:
			NAME(add_trees)(t, 6, rows, margin + at);
			break;
		case 5:
			NAME(add_trees)(t, 5, rows, margin + at);
			break;
		case 4:
			NAME(add_trees)(t, 4, rows, margin + at);
			break;
		case 3:
			NAME(add_trees)(t, 3, rows, margin + at);
			break;
		case 2:
			NAME(add_trees)(t, 2, rows, margin + at);
			break;
		default:
			NAME(add_trees)(t, 1, rows, margin + at);
			break;
		}
	}
}

#undef INLINE
#undef LANES
#undef BESIDE
#undef NAME
#undef TARGET
