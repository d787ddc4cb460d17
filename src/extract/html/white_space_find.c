/* SPDX-License-Identifier: MIT */
#include "extract/html/white_space_find.h"

#include "base/cpu.h"
#include "extract/html/white_space.h"

enum { DASH = 5 }; /* of "white-space" */

static bool keeps(const uint8_t *p, size_t at, size_t len)
{
	enum white_space space = white_space_of_property(slice_of(p + at, len - at));
	return space == WHITE_SPACE_KEPT || space == WHITE_SPACE_LINES;
}

/* Looks for the dashes, of which a page has few. */
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

enum { LANES = 32, STEP = 8 * LANES };

/* Compares with "w....-" at each of LANES bytes from p on. */
CPU_TARGET_AVX2 static inline __m256i name_like(const uint8_t *p)
{
	__m256i first, dash;
	memcpy(&first, p, sizeof(first));
	memcpy(&dash, p + DASH, sizeof(dash));
	first = _mm256_or_si256(first, _mm256_set1_epi8(0x20)); /* upper case to lower case */
	return _mm256_and_si256(_mm256_cmpeq_epi8(first, _mm256_set1_epi8('w')),
				_mm256_cmpeq_epi8(dash, _mm256_set1_epi8('-')));
}

CPU_TARGET_AVX2 static inline __m256i name_like_4(const uint8_t *p)
{
	return _mm256_or_si256(_mm256_or_si256(name_like(p), name_like(p + LANES)),
			       _mm256_or_si256(name_like(p + 2 * LANES), name_like(p + 3 * LANES)));
}

/* Skips up to `steps` times STEP bytes, as long as nothing in them looks like the name. */
CPU_TARGET_AVX2 static const uint8_t *steps_pass(const uint8_t *p, size_t steps)
{
	while (steps--) {
		__m256i like = _mm256_or_si256(name_like_4(p), name_like_4(p + STEP / 2));
		if (_mm256_movemask_epi8(like))
			break;
		p += STEP;
	}
	return p;
}

/* Finds the first place in from..to, LANES bytes at a time; *passed: how far the search got. */
CPU_TARGET_AVX2 static bool lanes_find(const uint8_t *p, size_t from, size_t to, size_t len, size_t *passed)
{
	for (; from < to && len - from >= LANES + DASH; from += LANES) {
		uint32_t bits = (uint32_t)_mm256_movemask_epi8(name_like(p + from));
		for (; bits; bits &= bits - 1) {
			*passed = from + (size_t)__builtin_ctz(bits);
			if (keeps(p, *passed, len))
				return true;
		}
	}
	*passed = from;
	return false;
}

CPU_TARGET_AVX2 static size_t find_avx2(const uint8_t *p, size_t from, size_t to, size_t len)
{
	while (from < to && len - from >= STEP + DASH) {
		size_t whole = (len - from - DASH) / STEP, wanted = (to - from + STEP - 1) / STEP;
		from = (size_t)(steps_pass(p + from, whole < wanted ? whole : wanted) - p);
		size_t stop = to - from < STEP ? to : from + STEP;
		if (from < to && lanes_find(p, from, stop, len, &from))
			return from < to ? from : to;
	}
	if (from < to && lanes_find(p, from, to, len, &from))
		return from < to ? from : to;
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
