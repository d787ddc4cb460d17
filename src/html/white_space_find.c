/* SPDX-License-Identifier: MIT */
#include "html/white_space_find.h"

#include "base/cpu.h"
#include "html/white_space.h"

enum { DASH = 5 }; /* of "white-space" */

static bool keeps(const uint8_t *p, size_t at, size_t len)
{
	enum white_space space = white_space_of_property(slice_of(p + at, len - at));
	return space == WHITE_SPACE_KEPT || space == WHITE_SPACE_LINES;
}

/* By the dashes, of which a page has few. */
static size_t find_plain(const uint8_t *p, size_t from, size_t to, size_t len)
{
	size_t end = to + DASH < len ? to + DASH : len;
	for (size_t i = from + DASH; i < end; i++) {
		const uint8_t *dash = memchr(p + i, '-', end - i);
		if (!dash)
			break;
		i = (size_t)(dash - p);
		if (keeps(p, i - DASH, len))
			return i - DASH;
	}
	return to;
}

#ifdef CPU_PATHS_AVX
#include <immintrin.h>

enum { STEP = 128 };

/* "w....-" in 32 bytes from p on, and in those after them. */
CPU_TARGET_AVX2 static inline __m256i name_like(const uint8_t *p)
{
	__m256i first, dash;
	memcpy(&first, p, sizeof(first));
	memcpy(&dash, p + DASH, sizeof(dash));
	first = _mm256_or_si256(first, _mm256_set1_epi8(0x20)); /* upper case to lower case */
	return _mm256_and_si256(_mm256_cmpeq_epi8(first, _mm256_set1_epi8('w')),
				_mm256_cmpeq_epi8(dash, _mm256_set1_epi8('-')));
}

CPU_TARGET_AVX2 static size_t find_avx2(const uint8_t *p, size_t from, size_t to, size_t len)
{
	for (; from < to && len - from >= STEP + DASH; from += STEP) {
		__m256i like = _mm256_or_si256(_mm256_or_si256(name_like(p + from), name_like(p + from + 32)),
					       _mm256_or_si256(name_like(p + from + 64), name_like(p + from + 96)));
		if (_mm256_testz_si256(like, like))
			continue;
		for (size_t at = from; at < from + STEP; at += 32) {
			uint32_t bits = (uint32_t)_mm256_movemask_epi8(name_like(p + at));
			for (; bits; bits &= bits - 1) {
				size_t found = at + (size_t)__builtin_ctz(bits);
				if (keeps(p, found, len))
					return found < to ? found : to;
			}
		}
	}
	return from < to ? find_plain(p, from, to, len) : to;
}
#endif

size_t white_space_find(const uint8_t *p, size_t from, size_t to, size_t len)
{
#ifdef CPU_PATHS_AVX
	if (cpu_level() >= CPU_AVX2)
		return find_avx2(p, from, to, len);
#endif
	return find_plain(p, from, to, len);
}
