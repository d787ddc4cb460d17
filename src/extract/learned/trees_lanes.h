/*
 * The comparisons of trees.c for one width of vectors. Included once for each width, with LANES (bytes of a vector), NAME(x)
 * (what its functions are called), TARGET (attribute of the processor they need), PICK(a, b, right) (b where `right` is all ones,
 * a where it is 0) and LEAVES_ADD (adds the leaves that columns reach to their margins) defined. So: no guard.
 *
 * Bytes are compared as signed ones, which all processors can, and the row is the second operand, which may lie in memory:
 * row > bin where (bin ^ 0x7F) > (row ^ 0x7F).
 */

#define INLINE TARGET static inline __attribute__((always_inline))

/* All ones in the columns that go to the right of node `i`. `rows` is where the columns begin in the first row. */
INLINE NAME(lanes) NAME(goes_right)(const struct tree_step *steps, uint32_t i, const uint8_t *rows)
{
	const NAME(lanes) *row = (const NAME(lanes) *)(const void *)(rows + (size_t)steps[i].feature * TILE);
	return (NAME(lanes)){ 0 } + steps[i].limit > *row;
}

/*
 * Where the columns end below node `i`, from the lowest nodes up: each node takes one of its two sides. The lowest give all ones or
 * 0, the others flip a bit of their own on the right side. No loops: what is under way stays in registers.
 */
#define SIDE(depth, below, bit)                                                                                        \
	INLINE NAME(lanes) NAME(side##depth)(const struct tree_step *steps, uint32_t i, const uint8_t *rows)           \
	{                                                                                                              \
		NAME(lanes) left = NAME(below)(steps, 2 * i + 1, rows);                                                \
		NAME(lanes) right = NAME(below)(steps, 2 * i + 2, rows) ^ ((NAME(lanes)){ 0 } + (int8_t)(bit));        \
		return PICK(left, right, NAME(goes_right)(steps, i, rows));                                            \
	}
SIDE(2, goes_right, 2)
SIDE(3, side2, 4)
SIDE(4, side3, 8)
SIDE(5, side4, 16)
SIDE(6, side5, 32)
#undef SIDE

/* Number of the leaf that each column reaches. */
INLINE NAME(lanes) NAME(leaf)(const struct tree_step *steps, uint32_t depth, const uint8_t *rows)
{
	NAME(lanes) at = depth == 6   ? NAME(side6)(steps, 0, rows)
			 : depth == 5 ? NAME(side5)(steps, 0, rows)
			 : depth == 4 ? NAME(side4)(steps, 0, rows)
			 : depth == 3 ? NAME(side3)(steps, 0, rows)
			 : depth == 2 ? NAME(side2)(steps, 0, rows)
				      : NAME(goes_right)(steps, 0, rows);
	/* a right leaf set all bits, and the bits of the path flipped them: it keeps its own, the lowest */
	NAME(lanes) right_leaf = (NAME(lanes)){ 0 } > at;
	return at ^ (right_leaf & ~1);
}

/* Margins of LANES columns, `depth` being a constant. */
INLINE void NAME(add_trees)(const struct trees *t, uint32_t depth, const uint8_t *rows, int32_t *margin)
{
	for (uint32_t i = 0; i < t->n; i++) {
		NAME(lanes) leaf = NAME(leaf)(t->tables[i].steps, depth, rows);
		LEAVES_ADD(margin, t, i, depth, &leaf);
	}
}

TARGET static void NAME(margins)(const struct trees *t, uint8_t (*tile)[TILE], uint32_t n_features, uint32_t n,
				 int32_t *margin)
{
	NAME(lanes) *row = (NAME(lanes) *)(void *)tile;
	for (uint32_t i = 0; i < n_features * (TILE / LANES); i++)
		row[i] ^= (NAME(lanes)){ 0 } + (int8_t)0x7F;
	for (uint32_t at = 0; at < n; at += LANES) {
		switch (t->depth) {
		case 6: NAME(add_trees)(t, 6, tile[0] + at, margin + at); break;
		case 5: NAME(add_trees)(t, 5, tile[0] + at, margin + at); break;
		case 4: NAME(add_trees)(t, 4, tile[0] + at, margin + at); break;
		case 3: NAME(add_trees)(t, 3, tile[0] + at, margin + at); break;
		case 2: NAME(add_trees)(t, 2, tile[0] + at, margin + at); break;
		default: NAME(add_trees)(t, 1, tile[0] + at, margin + at); break;
		}
	}
}

#undef INLINE
#undef LANES
#undef NAME
#undef TARGET
#undef PICK
#undef LEAVES_ADD
