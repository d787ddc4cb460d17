/* SPDX-License-Identifier: MIT */
/*
 * V. Gopal et al., "Fast CRC Computation for Generic Polynomials Using PCLMULQDQ Instruction", Intel 2009, with two
 * lanes of 128 bits in a vector. The bytes are a polynomial with coefficients 0 and 1, the first bit its highest power;
 * the CRC is its remainder by P. A lane that stands T bits before another is added to that one after a multiplication
 * by x^T, of which the remainder suffices: its halves are multiplied by the remainders of x^(T + 32) and x^(T - 32),
 * since the halves are 64 bits apart, the bits stand in reverse, and the keys have 32 bits.
 *
 * Example: 600 bytes begin as 16 lanes; the next 256 bytes are added to what these make 2,048 bits further on. Then
 * each lane is added to the next, 128 bits further on, and the last one is left. 88 bytes remain for the caller.
 */
#include "base/crc32_fold.h"

#include "base/cpu.h"

#ifdef CPU_PATHS_AVX
#include <immintrin.h>

enum {
	VECTORS = 8,
	STEP = VECTORS * 32,
	LEAST = 1024, /* below this little or nothing is gained */
};

/* Remainders of x^(T + 32) and x^(T - 32), in reverse. */
#define KEYS_2048 _mm_set_epi64x(0x1322d1430, 0x11542778a)
#define KEYS_128 _mm_set_epi64x(0x0ccaa009e, 0x1751997d0)

CPU_TARGET_AVX2_CLMUL static inline __m256i load(const uint8_t *p)
{
	__m256i v;
	memcpy(&v, p, sizeof(v));
	return v;
}

CPU_TARGET_AVX2_CLMUL static inline __m256i moved(__m256i v, __m256i keys)
{
	return _mm256_xor_si256(_mm256_clmulepi64_epi128(v, keys, 0x00), _mm256_clmulepi64_epi128(v, keys, 0x11));
}

/* Adds the lanes of a vector, one after the other, to what precedes them. */
CPU_TARGET_AVX2_CLMUL static inline __m128i lanes_add(__m128i before, __m256i v, __m128i keys)
{
	const __m128i lanes[] = { _mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1) };
	for (size_t i = 0; i < 2; i++)
		before = _mm_xor_si128(lanes[i], _mm_xor_si128(_mm_clmulepi64_si128(before, keys, 0x00),
							       _mm_clmulepi64_si128(before, keys, 0x11)));
	return before;
}

CPU_TARGET_AVX2_CLMUL static size_t fold_clmul(struct slice s, uint32_t crc, uint8_t left[CRC32_LEFT])
{
	const __m256i keys = _mm256_broadcastsi128_si256(KEYS_2048);
	__m256i v[VECTORS];
	size_t n = STEP;

	for (size_t i = 0; i < VECTORS; i++)
		v[i] = load(s.data + i * 32);
	v[0] = _mm256_xor_si256(v[0], _mm256_set_epi64x(0, 0, 0, (uint32_t)~crc));
	for (; s.len - n >= STEP; n += STEP) {
		for (size_t i = 0; i < VECTORS; i++)
			v[i] = _mm256_xor_si256(moved(v[i], keys), load(s.data + n + i * 32));
	}

	__m128i last = _mm_setzero_si128();
	for (size_t i = 0; i < VECTORS; i++)
		last = lanes_add(last, v[i], KEYS_128);
	memcpy(left, &last, CRC32_LEFT);
	return n;
}

size_t crc32_fold(struct slice s, uint32_t crc, uint8_t left[CRC32_LEFT])
{
	return s.len >= LEAST && cpu_level() == CPU_AVX2 && cpu_has_wide_clmul() ? fold_clmul(s, crc, left) : 0;
}
#else
size_t crc32_fold(struct slice s, uint32_t crc, uint8_t left[CRC32_LEFT])
{
	(void)s;
	(void)crc;
	(void)left;
	return 0;
}
#endif
