/* SPDX-License-Identifier: MIT */
/* Finds how far a text is ASCII. Every byte of every page passes here, so it looks at 64 bytes at a time. */
#ifndef DANA_BASE_ASCII_RUN_H
#define DANA_BASE_ASCII_RUN_H

#include "base/cpu.h"
#include "base/slice.h"

#ifdef CPU_PATHS_SSE2
#include <emmintrin.h>

/* Bit k of the result is set if byte k of the 64 bytes at p is 0x80 or above. */
static inline uint64_t high_bits_64(const uint8_t *p)
{
	uint64_t bits = 0;
	for (unsigned i = 0; i < 4; i++) {
		__m128i v;
		memcpy(&v, p + 16 * i, sizeof(v));
		bits |= (uint64_t)(uint32_t)_mm_movemask_epi8(v) << 16 * i;
	}
	return bits;
}

static inline bool any_high_64(const uint8_t *p)
{
	const __m128i a = _mm_or_si128(_mm_loadu_si128((const __m128i *)p), _mm_loadu_si128((const __m128i *)(p + 16)));
	const __m128i b =
		_mm_or_si128(_mm_loadu_si128((const __m128i *)(p + 32)), _mm_loadu_si128((const __m128i *)(p + 48)));
	return _mm_movemask_epi8(_mm_or_si128(a, b)) != 0;
}
#endif

/* Returns the number of bytes from p[0] on that are below 0x80. */
static inline size_t ascii_run(const uint8_t *p, size_t len)
{
	const uint64_t high = 0x8080808080808080U;
	size_t n = 0;
#ifdef CPU_PATHS_SSE2
	for (bool wide = cpu_level() >= CPU_SSE2; wide && len - n >= 64; n += 64) {
		if (any_high_64(p + n))
			return n + (size_t)__builtin_ctzll(high_bits_64(p + n));
	}
#endif
	for (; len - n >= 8; n += 8) {
		uint64_t w;
		memcpy(&w, p + n, 8);
		if (w & high)
			break;
	}
	while (n < len && p[n] < 0x80)
		n++;
	return n;
}

#endif
