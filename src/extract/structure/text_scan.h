/* SPDX-License-Identifier: MIT */
/*
 * How far text can be copied as it stands, sixteen bytes at a time: most of a text is. Without vector instructions the
 * answer may be shorter, since each caller goes on byte by byte.
 */
#ifndef DANA_STRUCTURE_TEXT_SCAN_H
#define DANA_STRUCTURE_TEXT_SCAN_H

#include "base/cpu.h"
#include "base/slice.h"

#ifdef CPU_PATHS_SSE2
#include <emmintrin.h>

enum { TEXT_SCAN_AT_ONCE = 16 };

static inline unsigned text_scan_bits(__m128i v)
{
	return (unsigned)_mm_movemask_epi8(v);
}

static inline __m128i text_scan_equal(__m128i v, uint8_t byte)
{
	return _mm_cmpeq_epi8(v, _mm_set1_epi8((char)byte));
}
#endif

/**
 * Returns how many bytes from the first on are neither controls, '&' nor 0xC2, nor a blank that is not followed by such
 * a byte.
 */
static inline size_t text_scan_collapsed(struct slice text)
{
	size_t n = 0;
#ifdef CPU_PATHS_SSE2
	for (const bool wide = cpu_level() >= CPU_SSE2; wide && text.len - n >= TEXT_SCAN_AT_ONCE;) {
		__m128i v;
		memcpy(&v, text.data + n, sizeof(v));
		const __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(0x1F)), v);
		const __m128i odd = _mm_or_si128(_mm_or_si128(control, text_scan_equal(v, 0x7F)),
						 _mm_or_si128(text_scan_equal(v, '&'), text_scan_equal(v, 0xC2)));
		const unsigned blanks = text_scan_bits(text_scan_equal(v, ' ')), odds = text_scan_bits(odd);
		const unsigned stops = odds | (blanks & (blanks | odds) >> 1);
		if (stops)
			return n + (unsigned)__builtin_ctz(stops);
		n += TEXT_SCAN_AT_ONCE -
		     (blanks >> (TEXT_SCAN_AT_ONCE - 1)); /* what follows a last blank is seen next */
	}
#endif
	return n;
}

/** Returns a number of bytes before the first of  $ & \ */
static inline size_t text_scan_undelimited(struct slice text)
{
	size_t n = 0;
#ifdef CPU_PATHS_SSE2
	for (const bool wide = cpu_level() >= CPU_SSE2; wide && text.len - n >= TEXT_SCAN_AT_ONCE;
	     n += TEXT_SCAN_AT_ONCE) {
		__m128i v;
		memcpy(&v, text.data + n, sizeof(v));
		const __m128i pair = text_scan_equal(_mm_and_si128(v, _mm_set1_epi8((char)0xFD)), '$'); /* and '&' */
		const unsigned marks = text_scan_bits(_mm_or_si128(pair, text_scan_equal(v, '\\')));
		if (marks)
			return n + (unsigned)__builtin_ctz(marks);
	}
#endif
	return n;
}

/** Returns the number of bytes before the first of  $ & * < [ \ ] ^ _ ` ~  */
static inline size_t text_scan_unmarked(struct slice text)
{
	size_t n = 0;
#ifdef CPU_PATHS_SSE2
	for (const bool wide = cpu_level() >= CPU_SSE2; wide && text.len - n >= TEXT_SCAN_AT_ONCE;
	     n += TEXT_SCAN_AT_ONCE) {
		__m128i v;
		memcpy(&v, text.data + n, sizeof(v));
		const __m128i from = _mm_sub_epi8(v, _mm_set1_epi8('['));
		const __m128i range = _mm_cmpeq_epi8(_mm_min_epu8(from, _mm_set1_epi8('`' - '[')), from);
		const __m128i pair = text_scan_equal(_mm_and_si128(v, _mm_set1_epi8((char)0xFD)), '$'); /* and '&' */
		const __m128i others = _mm_or_si128(_mm_or_si128(text_scan_equal(v, '*'), text_scan_equal(v, '<')),
						    text_scan_equal(v, '~'));
		const unsigned marks = text_scan_bits(_mm_or_si128(_mm_or_si128(range, pair), others));
		if (marks)
			return n + (unsigned)__builtin_ctz(marks);
	}
#endif
	return n;
}

#endif
