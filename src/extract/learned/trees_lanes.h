/* SPDX-License-Identifier: MIT */
/*
 * The comparisons of trees.c for one width of vectors. trees.c includes it once for each width, so it has no guard, and
 * defines LANES (bytes of a vector), BESIDE (1 = two vectors side by side, which read each node once, 0 = one vector),
 * NAME(x) (the names of functions), TARGET (attribute of the required processor), PICK(a, b, right) (b where `right` is
 * all ones, a where it is 0) and LEAVES_ADD (adds the leaves that columns reach to their margins).
 *
 * Bytes are compared as signed ones, which all processors support, and the row is the second operand, which may be in
 * memory: row > bin where (bin ^ 0x7F) > (row ^ 0x7F).
 */

#define INLINE TARGET static inline __attribute__((always_inline))

/* One number for each of 2 * LANES columns. */
struct NAME(pair) {
	NAME(lanes) a, b;
};

/* Returns all ones in the columns that go right at node `i`. `rows` is where the columns begin in the first row. */
INLINE struct NAME(pair) NAME(goes_right)(const struct tree_step *steps, uint32_t i, const uint8_t *rows)
{
	const NAME(lanes) *row = (const NAME(lanes) *)(const void *)(rows + (size_t)steps[i].feature * TILE);
	NAME(lanes) limit = (NAME(lanes)){ 0 } + steps[i].limit;
	return (struct NAME(pair)){ limit > row[0], limit > row[BESIDE] };
}

/*
 * Finds where the columns end below node `i`, from the lowest nodes up: each node takes one of its two sides. The
 * lowest give all ones or 0, the others flip their own bit on the right side. There are no loops, so that intermediate
 * values stay in registers.
 */
#define SIDE(depth, below, bit) \
	INLINE struct NAME(pair) NAME(side##depth)(const struct tree_step *steps, uint32_t i, const uint8_t *rows) \
	{ \
		struct NAME(pair) left = NAME(below)(steps, 2 * i + 1, rows); \
		struct NAME(pair) right = NAME(below)(steps, 2 * i + 2, rows); \
		struct NAME(pair) side = NAME(goes_right)(steps, i, rows); \
		NAME(lanes) flip = (NAME(lanes)){ 0 } + (int8_t)(bit); \
		return (struct NAME(pair)){ PICK(left.a, right.a ^ flip, side.a), \
					    PICK(left.b, right.b ^ flip, side.b) }; \
	}
SIDE(2, goes_right, 2)
SIDE(3, side2, 4)
SIDE(4, side3, 8)
SIDE(5, side4, 16)
SIDE(6, side5, 32)
#undef SIDE

/* A right leaf set all bits, and the bits of the path flipped them; the lowest bit is the leaf's own. */
INLINE NAME(lanes) NAME(number)(NAME(lanes) at)
{
	return at ^ (((NAME(lanes)){ 0 } > at) & ~1);
}

/* Adds the margins of the columns; `depth` is a constant. */
INLINE void NAME(add_trees)(const struct trees *t, uint32_t depth, const uint8_t *rows, int32_t *margin)
{
	for (uint32_t i = 0; i < t->n; i++) {
		const struct tree_step *steps = t->tables[i].steps;
		struct NAME(pair) at = depth == 6   ? NAME(side6)(steps, 0, rows)
				       : depth == 5 ? NAME(side5)(steps, 0, rows)
				       : depth == 4 ? NAME(side4)(steps, 0, rows)
				       : depth == 3 ? NAME(side3)(steps, 0, rows)
				       : depth == 2 ? NAME(side2)(steps, 0, rows)
						    : NAME(goes_right)(steps, 0, rows);
		NAME(lanes) leaf = NAME(number)(at.a);
		LEAVES_ADD(margin, t, i, depth, &leaf);
		if (BESIDE) {
			leaf = NAME(number)(at.b);
			LEAVES_ADD(margin + LANES, t, i, depth, &leaf);
		}
	}
}

TARGET static void NAME(margins)(const struct trees *t, uint8_t (*tile)[TILE], uint32_t n_features, uint32_t n,
				 int32_t *margin)
{
	NAME(lanes) *row = (NAME(lanes) *)(void *)tile;
	for (uint32_t i = 0; i < n_features * (TILE / LANES); i++)
		row[i] ^= (NAME(lanes)){ 0 } + (int8_t)0x7F;
	for (uint32_t at = 0; at < n; at += LANES * (1 + BESIDE)) {
		const uint8_t *rows = tile[0] + at;
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
#undef PICK
#undef LEAVES_ADD
