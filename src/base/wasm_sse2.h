/* SPDX-License-Identifier: MIT */
/*
 * The instructions of SSE2 that paths use, for WebAssembly with vectors of 128 bits (-msimd128): each is one or two
 * instructions there, too, so the paths of SSE2 are those of WebAssembly. Names, types and results are as in
 * <emmintrin.h>. base/sse2.h takes this file where it is needed.
 */
#ifndef DANA_BASE_WASM_SSE2_H
#define DANA_BASE_WASM_SSE2_H

#include <stdint.h>
#include <wasm_simd128.h>

typedef v128_t __m128i;

#define WASM_SSE2 static inline __attribute__((always_inline))

WASM_SSE2 __m128i _mm_loadu_si128(const __m128i *from)
{
	return wasm_v128_load(from);
}

/** Stores the lower half. */
WASM_SSE2 void _mm_storel_epi64(__m128i *to, __m128i a)
{
	wasm_v128_store64_lane(to, a, 0);
}

WASM_SSE2 __m128i _mm_setzero_si128(void)
{
	return wasm_i64x2_const_splat(0);
}

WASM_SSE2 __m128i _mm_set1_epi8(char byte)
{
	return wasm_i8x16_splat((int8_t)byte);
}

/** The first byte is the lowest, as it is named. */
#define _mm_setr_epi8(...) wasm_i8x16_make(__VA_ARGS__)

WASM_SSE2 __m128i _mm_and_si128(__m128i a, __m128i b)
{
	return wasm_v128_and(a, b);
}

/** ~a & b; the instruction here is a & ~b. */
WASM_SSE2 __m128i _mm_andnot_si128(__m128i a, __m128i b)
{
	return wasm_v128_andnot(b, a);
}

WASM_SSE2 __m128i _mm_or_si128(__m128i a, __m128i b)
{
	return wasm_v128_or(a, b);
}

WASM_SSE2 __m128i _mm_cmpeq_epi8(__m128i a, __m128i b)
{
	return wasm_i8x16_eq(a, b);
}

WASM_SSE2 __m128i _mm_cmpgt_epi8(__m128i a, __m128i b)
{
	return wasm_i8x16_gt(a, b);
}

WASM_SSE2 __m128i _mm_cmplt_epi8(__m128i a, __m128i b)
{
	return wasm_i8x16_lt(a, b);
}

WASM_SSE2 __m128i _mm_max_epu8(__m128i a, __m128i b)
{
	return wasm_u8x16_max(a, b);
}

WASM_SSE2 __m128i _mm_min_epu8(__m128i a, __m128i b)
{
	return wasm_u8x16_min(a, b);
}

WASM_SSE2 __m128i _mm_sub_epi8(__m128i a, __m128i b)
{
	return wasm_i8x16_sub(a, b);
}

/** From 16 on all bits are shifted out; the instruction here takes the count modulo 16. */
WASM_SSE2 __m128i _mm_slli_epi16(__m128i a, int count)
{
	return (unsigned)count < 16 ? wasm_i16x8_shl(a, (uint32_t)count) : _mm_setzero_si128();
}

/** The bytes of the lower halves by turns, first that of `a`. */
WASM_SSE2 __m128i _mm_unpacklo_epi8(__m128i a, __m128i b)
{
	return wasm_i8x16_shuffle(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}

WASM_SSE2 __m128i _mm_unpackhi_epi8(__m128i a, __m128i b)
{
	return wasm_i8x16_shuffle(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}

/** The highest bits of all bytes, that of the first byte lowest. */
WASM_SSE2 int _mm_movemask_epi8(__m128i a)
{
	return (int)wasm_i8x16_bitmask(a);
}

#undef WASM_SSE2

#endif
