#include "extract/learned/trees.h"

#include <string.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

enum { LEAVES_MOST = 1 << TREE_DEPTH_MOST };

static inline void leaves_add_one_by_one(int32_t *margin, const int16_t *leaves, uint32_t depth, const uint8_t *leaf)
{
	(void)depth;
	for (uint32_t k = 0; k < TILE; k++)
		margin[k] += leaves[leaf[k]];
}

#define LANES 16
#define NAME(x) x##_16
#define TARGET
#define LEAVES_ADD leaves_add_one_by_one
#include "extract/learned/trees_lanes.h"

#ifdef __x86_64__
#define LANES 32
#define NAME(x) x##_32
#define TARGET __attribute__((target("avx2")))
#define LEAVES_ADD leaves_add_one_by_one
#include "extract/learned/trees_lanes.h"

/* A tree has at most 64 leaves of 16 bits: two registers, from which 32 columns pick theirs at once. */
__attribute__((target("avx512f,avx512bw"))) static inline void leaves_add_at_once(int32_t *margin, const int16_t *leaves,
										    uint32_t depth, const uint8_t *leaf)
{
	uint32_t n = 1U << depth;
	__m512i low = _mm512_maskz_loadu_epi16(n >= 32 ? ~0U : (1U << n) - 1, leaves);
	__m512i high = n > 32 ? _mm512_loadu_si512(leaves + 32) : _mm512_setzero_si512();
	for (uint32_t half = 0; half < TILE; half += 32) {
		__m256i at;
		memcpy(&at, leaf + half, sizeof at);
		__m512i picked = _mm512_permutex2var_epi16(low, _mm512_cvtepu8_epi16(at), high);
		for (uint32_t k = 0; k < 2; k++) {
			__m256i sixteen = k ? _mm512_extracti64x4_epi64(picked, 1) : _mm512_castsi512_si256(picked);
			int32_t *to = margin + half + 16 * k;
			_mm512_storeu_si512(to, _mm512_add_epi32(_mm512_loadu_si512(to), _mm512_cvtepi16_epi32(sixteen)));
		}
	}
}

#define LANES 64
#define NAME(x) x##_64
#define TARGET __attribute__((target("avx512f,avx512bw")))
#define LEAVES_ADD leaves_add_at_once
#include "extract/learned/trees_lanes.h"
#endif

void trees_margins(const struct trees *t, uint8_t (*tile)[TILE], uint32_t n_features, int32_t margin[TILE])
{
	memset(margin, 0, TILE * sizeof *margin);
#ifdef __x86_64__
	if (__builtin_cpu_supports("avx512bw")) {
		margins_64(t, tile, n_features, margin);
		return;
	}
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
