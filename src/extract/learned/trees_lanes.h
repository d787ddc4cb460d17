/*
 * The comparisons of trees.c for one width of vectors. Included once for each width, with LANES (bytes of a vector), NAME(x)
 * (what its functions are called), TARGET (attribute of the processor they need) and LEAVES_ADD (adds the leaves of a tree to the
 * margins) defined. So: no guard.
 *
 * Bytes are compared as signed ones, which all processors can: rows and bins are shifted by 128.
 */

typedef int8_t NAME(lanes) __attribute__((vector_size(LANES), may_alias));

/* One number for each column of a tile. */
struct NAME(row) {
	NAME(lanes) group[TILE / LANES];
};

/*
 * Number of the leaf that each column reaches: from the lowest level up, each node takes one of its two sides. `depth` is a
 * constant wherever this is inlined.
 */
TARGET static inline __attribute__((always_inline)) void NAME(find)(const struct tree_node *nodes, uint32_t depth,
								    const struct NAME(row) *rows,
								    struct NAME(row) *side)
{
	uint32_t width = 1U << (depth - 1);
	const struct tree_node *level = nodes + width - 1;
	for (uint32_t i = 0; i < width; i++) {
		const struct NAME(row) *row = &rows[level[i].feature];
		NAME(lanes) bin = (NAME(lanes)){ 0 } + (int8_t)(level[i].bin ^ 128);
		_Pragma("GCC unroll 4") for (uint32_t g = 0; g < TILE / LANES; g++)
			side[i].group[g] = (NAME(lanes))(row->group[g] > bin) & 1;
	}
	for (uint8_t bit = 2; width > 1; bit = (uint8_t)(bit * 2)) {
		width /= 2;
		level = nodes + width - 1;
		for (uint32_t i = 0; i < width; i++) {
			const struct NAME(row) *row = &rows[level[i].feature];
			NAME(lanes) bin = (NAME(lanes)){ 0 } + (int8_t)(level[i].bin ^ 128);
			NAME(lanes) bits = (NAME(lanes)){ 0 } + (int8_t)bit;
			_Pragma("GCC unroll 4") for (uint32_t g = 0; g < TILE / LANES; g++) {
				NAME(lanes) right = (NAME(lanes))(row->group[g] > bin);
				NAME(lanes) a = side[2 * i].group[g], b = side[2 * i + 1].group[g] | bits;
				side[i].group[g] = a ^ ((a ^ b) & right);
			}
		}
	}
}

TARGET static void NAME(margins)(const struct trees *t, uint8_t (*tile)[TILE], uint32_t n_features, int32_t *margin)
{
	struct NAME(row) *rows = (struct NAME(row) *)(void *)tile;
	struct NAME(row) side[LEAVES_MOST / 2];
	for (uint32_t i = 0; i < n_features; i++) {
		for (uint32_t g = 0; g < TILE / LANES; g++)
			rows[i].group[g] ^= (NAME(lanes)){ 0 } + (int8_t)-128;
	}
	for (uint32_t i = 0; i < t->n; i++) {
		const struct tree_node *nodes = t->nodes + (size_t)i * ((1U << t->depth) - 1);
		const int16_t *leaves = t->leaves + ((size_t)i << t->depth);
		if (t->depth == 6)
			NAME(find)(nodes, 6, rows, side);
		else if (t->depth == 5)
			NAME(find)(nodes, 5, rows, side);
		else
			NAME(find)(nodes, t->depth, rows, side);
		uint8_t leaf[TILE];
		memcpy(leaf, side[0].group, sizeof leaf);
		LEAVES_ADD(margin, leaves, t->depth, leaf);
	}
}

#undef LANES
#undef NAME
#undef TARGET
#undef LEAVES_ADD
