/* SPDX-License-Identifier: MIT */
/*
 * The inner loop of MinHash: for each permutation the least value over a batch of numbers. The permutations are side by
 * side in vectors, so that each is loaded only once for a whole batch.
 */
#include "base/cpu.h"
#include "dedup/minhash.h"

#ifdef CPU_PATHS_AVX
#include <immintrin.h>

CPU_TARGET_AVX2 static unsigned least_avx2(const uint32_t *a, const uint32_t *b, uint32_t *least, unsigned n,
					   const uint32_t *x, size_t count)
{
	enum { LANES = 8 };
	unsigned i;

	for (i = 0; i + LANES <= n; i += LANES) {
		__m256i factor = _mm256_loadu_si256((const void *)(a + i));
		__m256i term = _mm256_loadu_si256((const void *)(b + i));
		__m256i found = _mm256_loadu_si256((const void *)(least + i));
		for (size_t k = 0; k < count; k++) {
			__m256i value = _mm256_mullo_epi32(factor, _mm256_set1_epi32((int)x[k]));
			found = _mm256_min_epu32(found, _mm256_add_epi32(value, term));
		}
		_mm256_storeu_si256((void *)(least + i), found);
	}
	return i;
}

CPU_TARGET_AVX512 static unsigned least_avx512(const uint32_t *a, const uint32_t *b, uint32_t *least, unsigned n,
					       const uint32_t *x, size_t count)
{
	enum { LANES = 16 };
	unsigned i;

	for (i = 0; i + LANES <= n; i += LANES) {
		__m512i factor = _mm512_loadu_si512(a + i), term = _mm512_loadu_si512(b + i);
		__m512i found = _mm512_loadu_si512(least + i);
		for (size_t k = 0; k < count; k++) {
			__m512i value = _mm512_mullo_epi32(factor, _mm512_set1_epi32((int)x[k]));
			found = _mm512_min_epu32(found, _mm512_add_epi32(value, term));
		}
		_mm512_storeu_si512(least + i, found);
	}
	return i;
}
#endif

#ifdef CPU_PATHS_NEON
#include <arm_neon.h>

static unsigned least_neon(const uint32_t *a, const uint32_t *b, uint32_t *least, unsigned n, const uint32_t *x,
			   size_t count)
{
	enum { LANES = 4 };
	unsigned i;

	for (i = 0; i + LANES <= n; i += LANES) {
		uint32x4_t factor = vld1q_u32(a + i), term = vld1q_u32(b + i), found = vld1q_u32(least + i);
		for (size_t k = 0; k < count; k++)
			found = vminq_u32(found, vmlaq_u32(term, factor, vdupq_n_u32(x[k])));
		vst1q_u32(least + i, found);
	}
	return i;
}
#endif

/* Handles as many permutations as fill whole vectors. Returns their number. */
static unsigned least_vectors(const uint32_t *a, const uint32_t *b, uint32_t *least, unsigned n, const uint32_t *x,
			      size_t count)
{
#ifdef CPU_PATHS_AVX
	if (cpu_level() >= CPU_AVX512)
		return least_avx512(a, b, least, n, x, count);
	if (cpu_level() >= CPU_AVX2)
		return least_avx2(a, b, least, n, x, count);
#endif
#ifdef CPU_PATHS_NEON
	if (cpu_level() == CPU_NEON)
		return least_neon(a, b, least, n, x, count);
#endif
	(void)a, (void)b, (void)least, (void)n, (void)x, (void)count;
	return 0;
}

void minhash_least(const uint32_t *a, const uint32_t *b, uint32_t *least, unsigned n, const uint32_t *x, size_t count)
{
	for (unsigned i = least_vectors(a, b, least, n, x, count); i < n; i++) {
		uint32_t found = least[i];
		for (size_t k = 0; k < count; k++) {
			uint32_t value = a[i] * x[k] + b[i];
			found = value < found ? value : found;
		}
		least[i] = found;
	}
}
