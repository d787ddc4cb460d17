/* SPDX-License-Identifier: MIT */
/*
 * Reads a model: a head, the token weights, the trees of both stages, and a checksum (the layout is in
 * model.h). A model contains the hash of the features' names; one that was trained for other features is rejected.
 *
 * Example: a stage of 2 trees of depth 3 has 2 * 3 levels of 2 bytes, then, after the levels, 2 * 8 leaves of 2 bytes.
 */
#include "extract/learned/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/cpu.h"
#include "base/hash.h"
#include "base/status.h"

/*
 * Sums the leaves of all trees for each block of a tile. Vectors compare a level's feature of many blocks with its bin
 * at once, and the answers are bits of the leaves' numbers.
 *
 * Example: in a tree of depth 2 a block with the feature value 7 answers 1 at a level with the bin 5, as 7 > 5; if that
 * is the first level, its leaf is number 2 or 3.
 */

/*
 * The logistic function by a chance_table with a step of 1/16, and linear interpolation between two entries, without
 * floating-point numbers, so that all machines have the same result.
 *
 * Example: log odds of 1 are a margin of 4096; 4096 / 256 is entry 16, and 47911 / 65536 = 0.731 = 1 / (1 + exp(-1)).
 */

enum { STEPS = 160 };

/* 65536 / (1 + exp(-i / 16)), at most 65535. */
static const uint16_t chance_table[STEPS + 1] = {
	32768, 33792, 34813, 35831, 36843, 37847, 38841, 39824, 40793, 41748, 42687, 43608, 44511, 45393, 46254,
	47094, 47911, 48704, 49474, 50220, 50941, 51638, 52310, 52957, 53581, 54179, 54754, 55306, 55834, 56339,
	56822, 57284, 57724, 58144, 58544, 58925, 59287, 59632, 59959, 60270, 60565, 60844, 61109, 61360, 61598,
	61823, 62036, 62238, 62428, 62608, 62778, 62938, 63090, 63233, 63368, 63495, 63615, 63728, 63835, 63935,
	64030, 64119, 64203, 64283, 64357, 64427, 64494, 64556, 64614, 64669, 64721, 64770, 64816, 64859, 64900,
	64938, 64974, 65008, 65039, 65069, 65097, 65124, 65149, 65172, 65194, 65215, 65234, 65252, 65269, 65285,
	65300, 65315, 65328, 65341, 65352, 65364, 65374, 65384, 65393, 65402, 65410, 65417, 65425, 65431, 65438,
	65444, 65449, 65454, 65459, 65464, 65468, 65472, 65476, 65480, 65483, 65486, 65489, 65492, 65495, 65497,
	65500, 65502, 65504, 65506, 65508, 65509, 65511, 65513, 65514, 65515, 65517, 65518, 65519, 65520, 65521,
	65522, 65523, 65523, 65524, 65525, 65526, 65526, 65527, 65527, 65528, 65528, 65529, 65529, 65530, 65530,
	65530, 65531, 65531, 65531, 65532, 65532, 65532, 65532, 65533, 65533, 65533,
};

uint16_t chance_of(int32_t margin)
{
	uint32_t size = margin < 0 ? 0U - (uint32_t)margin : (uint32_t)margin;
	uint32_t step = size >> 8, rest = size & 255, chance = chance_table[STEPS];
	if (step < STEPS)
		chance = chance_table[step] + ((uint32_t)(chance_table[step + 1] - chance_table[step]) * rest >> 8);
	return (uint16_t)(margin < 0 ? 65536 - chance : chance);
}

#ifdef CPU_PATHS_AVX
#include <immintrin.h>
#endif

int trees_prepare(struct trees *t)
{
	t->tables = NULL;
	t->beside = NULL;
	if (t->n == 0)
		return DANA_OK;
	const size_t beside = (t->n + TREES_BESIDE - 1) / TREES_BESIDE;
	_Static_assert(sizeof(*t->beside) % _Alignof(struct tree_table) == 0, "tables come after it");
	t->beside = malloc(beside * sizeof(*t->beside) + t->n * sizeof(*t->tables));
	if (!t->beside)
		return DANA_ENOMEM;
	memset(&t->beside[beside - 1], 0, sizeof(*t->beside)); /* it may have fewer trees */
	t->tables = (struct tree_table *)(void *)(t->beside + beside);
	for (uint32_t i = 0, sum = 0; i < t->n; i++) {
		struct tree_table table = { .full = false };
		struct trees_beside *four = &t->beside[i / TREES_BESIDE];
		const struct tree_level *levels = t->levels + (size_t)i * t->depth;
		for (uint32_t k = 0; k < t->depth; k++) {
			table.steps[k] = (struct tree_step){ levels[k].feature, (int8_t)(levels[k].bin ^ 0x7F) };
			four->steps[k].row[i % TREES_BESIDE] = (uint16_t)(levels[k].feature * TILE);
			four->steps[k].limit[i % TREES_BESIDE] = 0x01010101U * (levels[k].bin ^ 0x7FU);
		}
		/* all places that a tree may have, so that compilers use vectors */
		int16_t leaves[LEAVES_MOST] = { 0 }, least = 0, most = 0;
		memcpy(leaves, t->leaves + ((size_t)i << t->depth), sizeof(*leaves) << t->depth);
		for (uint32_t k = 0; k < LEAVES_MOST; k++) {
			const int16_t leaf = leaves[k];
			table.low[k] = (uint8_t)leaf;
			table.high[k] = (uint8_t)((uint16_t)leaf >> 8);
			least = leaf < least ? leaf : least;
			most = leaf > most ? leaf : most;
		}
		t->tables[i] = table;
		/* mark the trees after which a sum of 16 bits must be added to one of 32, by the leaves that are
		 * farthest from 0 */
		const uint32_t size = (uint32_t)(-least > most ? -least : most);
		if (i && sum + size > INT16_MAX) {
			t->tables[i - 1].full = true;
			sum = 0;
		}
		sum += size;
	}
	t->tables[t->n - 1].full = true;
	return DANA_OK;
}

void trees_free(struct trees *t)
{
	free(t->beside);
	t->tables = NULL;
	t->beside = NULL;
}

static void margins_plain(const struct trees *t, uint8_t (*tile)[TILE], uint32_t n, int32_t *margin)
{
	for (uint32_t at = 0; at < n; at++) {
		const struct tree_level *level = t->levels;
		const int16_t *leaves = t->leaves;
		margin[at] = 0;
		for (uint32_t i = 0; i < t->n; i++, leaves += (size_t)1 << t->depth) {
			uint32_t leaf = 0;
			for (uint32_t k = 0; k < t->depth; k++, level++)
				leaf = 2 * leaf + (tile[level->feature][at] > level->bin);
			margin[at] += leaves[leaf];
		}
	}
}

#if defined(CPU_PATHS_SSE2) || defined(CPU_PATHS_NEON)
typedef int8_t lanes_16 __attribute__((vector_size(16), may_alias));

typedef struct {
	int16_t of[16];
} sums_16;

static inline void leaves_add_16(sums_16 *sums, const struct trees *t, uint32_t i, uint32_t depth, const lanes_16 *leaf)
{
	const int16_t *leaves = t->leaves + ((size_t)i << depth);
	uint8_t at[16];
	memcpy(at, leaf, sizeof(at));
	for (uint32_t k = 0; k < 16; k++)
		sums->of[k] = (int16_t)(sums->of[k] + leaves[at[k]]);
}

static inline void sums_end_16(sums_16 *sums, int32_t *margin)
{
	for (uint32_t k = 0; k < 16; k++)
		margin[k] += sums->of[k];
	*sums = (sums_16){ 0 };
}

/* For few columns (TREES_BESIDE): one vector has these columns for four trees, four bytes of a row for each tree. */
static void margins_few(const struct trees *t, uint8_t (*tile)[TILE], uint32_t n, int32_t *margin)
{
	typedef uint32_t words_16 __attribute__((vector_size(16), may_alias));
	const uint8_t *rows = (const uint8_t *)tile; /* one row's bytes alone would be the bounds of tile[0] */
	const int16_t *leaves = t->leaves;
	for (uint32_t i = 0; i < t->n; i += TREES_BESIDE) {
		const struct trees_beside *four = &t->beside[i / TREES_BESIDE];
		const uint32_t trees = t->n - i < TREES_BESIDE ? t->n - i : TREES_BESIDE;
		lanes_16 leaf = { 0 };
		for (uint32_t k = 0; k < t->depth; k++) {
			uint32_t of[TREES_BESIDE];
			lanes_16 limit;
			_Pragma("GCC unroll 4") for (uint32_t tree = 0; tree < TREES_BESIDE; tree++)
				memcpy(&of[tree], rows + four->steps[k].row[tree], sizeof(of[tree]));
			memcpy(&limit, four->steps[k].limit, sizeof(limit));
			const lanes_16 row = (lanes_16)(words_16){ of[0], of[1], of[2], of[3] };
			leaf = leaf + leaf - (lanes_16)(limit > (row ^ ((lanes_16){ 0 } + (int8_t)0x7F)));
		}
		uint8_t at[TREES_BESIDE][TREES_BESIDE];
		memcpy(at, &leaf, sizeof(at));
		for (uint32_t tree = 0; tree < trees; tree++, leaves += (size_t)1 << t->depth) {
			for (uint32_t column = 0; column < n; column++)
				margin[column] += leaves[at[tree][column]];
		}
	}
}

#define LANES 16
#define BESIDE 1
#define NAME(x) x##_16
#define TARGET
#include "extract/learned/trees_lanes.h"
#endif

#ifdef CPU_PATHS_AVX
#define AVX2 CPU_TARGET_AVX2 static inline __attribute__((always_inline))

/*
 * Returns one byte of the leaf of each of 32 columns: sixteen leaves can be looked up at once, and the higher bits of
 * the leaf's number choose among the results.
 */
AVX2 __m256i leaf_bytes(const uint8_t *bytes, uint32_t depth, __m256i leaf)
{
	NOT_ZEROED __m256i found[4];
	uint32_t n = depth > 4 ? 1U << (depth - 4) : 1;
	_Pragma("GCC unroll 4") for (uint32_t k = 0; k < n; k++)
	{
		__m128i sixteen;
		memcpy(&sixteen, bytes + 16 * k, sizeof(sixteen));
		found[k] = _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(sixteen), leaf);
	}
	/* the top bit of each byte chooses: bits 4 and 5 are moved there */
	__m256i by16 = _mm256_slli_epi16(leaf, 3), by32 = _mm256_slli_epi16(leaf, 2);
	if (n == 1)
		return found[0];
	__m256i first = _mm256_blendv_epi8(found[0], found[1], by16);
	return n == 2 ? first : _mm256_blendv_epi8(first, _mm256_blendv_epi8(found[2], found[3], by16), by32);
}

AVX2 void margins_add(int32_t *margin, __m128i eight)
{
	__m256i sum;
	memcpy(&sum, margin, sizeof(sum));
	sum = _mm256_add_epi32(sum, _mm256_cvtepi16_epi32(eight));
	memcpy(margin, &sum, sizeof(sum));
}

typedef int8_t lanes_32 __attribute__((vector_size(32), may_alias));

/* Of columns 0 to 7 and 16 to 23, and of the others. */
typedef struct {
	__m256i a, b;
} sums_32;

AVX2 void leaves_add_32(sums_32 *sums, const struct trees *t, uint32_t i, uint32_t depth, const lanes_32 *leaf)
{
	const struct tree_table *table = &t->tables[i];
	__m256i low = leaf_bytes(table->low, depth, (__m256i)*leaf),
		high = leaf_bytes(table->high, depth, (__m256i)*leaf);
	sums->a = _mm256_add_epi16(sums->a, _mm256_unpacklo_epi8(low, high));
	sums->b = _mm256_add_epi16(sums->b, _mm256_unpackhi_epi8(low, high));
}

AVX2 void sums_end_32(sums_32 *sums, int32_t *margin)
{
	margins_add(margin, _mm256_castsi256_si128(sums->a));
	margins_add(margin + 8, _mm256_castsi256_si128(sums->b));
	margins_add(margin + 16, _mm256_extracti128_si256(sums->a, 1));
	margins_add(margin + 24, _mm256_extracti128_si256(sums->b, 1));
	*sums = (sums_32){ 0 };
}

#define LANES 32
#define BESIDE 0
#define NAME(x) x##_32
#define TARGET CPU_TARGET_AVX2
#include "extract/learned/trees_lanes.h"

typedef lanes_32 lanes_2x32;
typedef sums_32 sums_2x32;
#define leaves_add_2x32 leaves_add_32
#define sums_end_2x32 sums_end_32

#define LANES 32
#define BESIDE 1
#define NAME(x) x##_2x32
#define TARGET CPU_TARGET_AVX2
#include "extract/learned/trees_lanes.h"

typedef int8_t lanes_64 __attribute__((vector_size(64), may_alias));

typedef struct {
	__m512i half[2];
} sums_64;

/* A tree has at most 64 leaves of 16 bits: two registers, from which 32 columns pick theirs at once. */
CPU_TARGET_AVX512 static inline void leaves_add_64(sums_64 *sums, const struct trees *t, uint32_t i, uint32_t depth,
						   const lanes_64 *leaf)
{
	const int16_t *leaves = t->leaves + ((size_t)i << depth);
	uint32_t n = 1U << depth;
	__m512i low = _mm512_maskz_loadu_epi16(n >= 32 ? ~0U : (1U << n) - 1, leaves);
	__m512i high = n > 32 ? _mm512_loadu_si512(leaves + 32) : _mm512_setzero_si512();
	for (uint32_t half = 0; half < 2; half++) {
		__m256i at;
		memcpy(&at, (const uint8_t *)leaf + 32 * half, sizeof(at));
		__m512i picked = _mm512_permutex2var_epi16(low, _mm512_cvtepu8_epi16(at), high);
		sums->half[half] = _mm512_add_epi16(sums->half[half], picked);
	}
}

CPU_TARGET_AVX512 static inline void sums_end_64(sums_64 *sums, int32_t *margin)
{
	for (uint32_t k = 0; k < 4; k++) {
		__m512i half = sums->half[k / 2];
		__m256i sixteen = k % 2 ? _mm512_extracti64x4_epi64(half, 1) : _mm512_castsi512_si256(half);
		int32_t *to = margin + 16 * k;
		_mm512_storeu_si512(to, _mm512_add_epi32(_mm512_loadu_si512(to), _mm512_cvtepi16_epi32(sixteen)));
	}
	*sums = (sums_64){ 0 };
}

#define LANES 64
#define BESIDE 0
#define NAME(x) x##_64
#define TARGET CPU_TARGET_AVX512
#include "extract/learned/trees_lanes.h"
#endif

void trees_margins(const struct trees *t, uint8_t (*tile)[TILE], uint32_t n_features, uint32_t n, int32_t margin[TILE])
{
	memset(margin, 0, TILE * sizeof(*margin));
#if defined(CPU_PATHS_SSE2) || defined(CPU_PATHS_NEON)
	if (cpu_level() >= CPU_NEON && n <= TREES_BESIDE) {
		margins_few(t, tile, n, margin);
		return;
	}
#endif
#ifdef CPU_PATHS_AVX
	if (cpu_level() >= CPU_AVX512) {
		margins_64(t, tile, n_features, n, margin);
		return;
	}
	if (cpu_level() >= CPU_AVX2) {
		(n > 32 ? margins_2x32 : margins_32)(t, tile, n_features, n, margin);
		return;
	}
#endif
#if defined(CPU_PATHS_SSE2) || defined(CPU_PATHS_NEON)
	if (cpu_level() >= CPU_NEON) {
		margins_16(t, tile, n_features, n, margin);
		return;
	}
#endif
	margins_plain(t, tile, n, margin);
}

static const char magic[16] = "dana-learned-2\n";

/* The last numbers of the header, one for each kind of page, moved the threshold until 1.0. They are ignored. */
enum { SHAPES = 24, HEAD = SHAPES + 3 * 8 + KIND_COUNT * 4 };

static uint32_t hash_names(const char *const *names, size_t n, uint32_t h)
{
	for (size_t i = 0; i < n; i++)
		h = hash_fnv32(slice_of("\n", 1), hash_fnv32(slice_from_text(names[i]), h));
	return h;
}

/* FNV-1a of FEATURES_VERSION and the feature names of both stages, each with a line feed after it. */
static uint32_t features_hash(void)
{
	char version[16];
	int len = snprintf(version, sizeof(version), "%d\n", FEATURES_VERSION);
	uint32_t h = hash_fnv32(slice_of(version, (size_t)len), HASH_FNV32_START);
	h = hash_names(feature_names, FEATURE_COUNT, h);
	h = hash_names(stage2_feature_names, STAGE2_COUNT, h);
	return hash_names(kind_feature_names, KIND_FEATURE_COUNT, h);
}

/* The trees of a part of the model, as they are in the file. */
struct shape {
	uint32_t n, depth;
	size_t levels, leaves; /* numbers of them */
	size_t features;       /* that a level may name */
};

/* Reads a part's shape from the head. Returns false if it is not valid. `outputs`: numbers in a leaf. */
static bool read_shape(struct shape *s, const uint8_t *head, size_t features, size_t outputs)
{
	*s = (struct shape){ .n = little_endian_32(head), .depth = little_endian_32(head + 4), .features = features };
	if (s->n > TREES_MOST || (s->n && (s->depth < 1 || s->depth > TREE_DEPTH_MOST)))
		return false;
	s->levels = s->n ? (size_t)s->n * s->depth : 0;
	s->leaves = s->n ? ((size_t)s->n << s->depth) * outputs : 0;
	return true;
}

/* Copies numbers of two bytes, the lower one first. */
static void read_leaves(int16_t *to, const uint8_t *from, size_t n)
{
	memcpy(to, from, n * sizeof(*to));
	for (size_t i = 0; i < n && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__; i++)
		to[i] = (int16_t)__builtin_bswap16((uint16_t)to[i]);
}

int model_load(struct model *m, struct slice bytes)
{
	*m = (struct model){ 0 };
	const uint8_t *p = bytes.data;
	if (bytes.len < HEAD + TOKEN_COUNT + 4 || memcmp(p, magic, sizeof(magic)) != 0 ||
	    little_endian_32(p + 16) != features_hash())
		return DANA_EFORMAT;
	struct shape shape[3];
	if (!read_shape(&shape[0], p + SHAPES, FEATURE_COUNT, 1) ||
	    !read_shape(&shape[1], p + SHAPES + 8, STAGE2_COUNT, 1) ||
	    !read_shape(&shape[2], p + SHAPES + 16, KIND_FEATURE_COUNT, KIND_COUNT))
		return DANA_EFORMAT;
	size_t n_levels = shape[0].levels + shape[1].levels + shape[2].levels;
	size_t n_leaves = shape[0].leaves + shape[1].leaves + shape[2].leaves;
	size_t len = HEAD + TOKEN_COUNT + 2 * n_levels + 2 * n_leaves;
	/* the compiled-in model is as intact as the program, and its checksum would take longer than a small page */
	if (bytes.len != len + 4 ||
	    (p != model_data && hash_fnv32(slice_of(p, len), HASH_FNV32_START) != little_endian_32(p + len)))
		return DANA_EFORMAT;
	const bool built_in = p == model_data;
	int16_t *leaves = m->memory = malloc(n_leaves * sizeof(*leaves) + (built_in ? 0 : bytes.len));
	if (!leaves)
		return DANA_ENOMEM;
	/* all but leaves, which may be at any address, is used where it is */
	if (!built_in)
		p = memcpy(leaves + n_leaves, p, bytes.len);
	int status = DANA_OK;
	m->bias = (int32_t)little_endian_32(p + 20);
	p += HEAD;
	m->weights = (const int8_t *)p;
	p += TOKEN_COUNT;
	for (int i = 0; i < 2; i++)
		m->stage[i] = (struct trees){ .n = shape[i].n, .depth = shape[i].depth };
	m->kinds.n = shape[2].n;
	m->kinds.depth = shape[2].depth;
	for (int i = 0; i < 3; i++) {
		const struct tree_level *levels = (const struct tree_level *)p;
		*(i < 2 ? &m->stage[i].levels : &m->kinds.levels) = levels;
		*(i < 2 ? &m->stage[i].leaves : &m->kinds.leaves) = leaves;
		for (size_t k = 0; k < shape[i].levels; k++) {
			if (levels[k].feature >= shape[i].features)
				status = DANA_EFORMAT;
		}
		p += sizeof(*levels) * shape[i].levels;
		read_leaves(leaves, p, shape[i].leaves);
		p += sizeof(*leaves) * shape[i].leaves;
		leaves += shape[i].leaves;
	}
	if (status == DANA_OK && (trees_prepare(&m->stage[0]) < 0 || trees_prepare(&m->stage[1]) < 0))
		status = DANA_ENOMEM;
	if (status < 0)
		model_free(m);
	return status;
}

void model_free(struct model *m)
{
	trees_free(&m->stage[0]);
	trees_free(&m->stage[1]);
	free(m->memory);
	*m = (struct model){ 0 };
}
