/* SPDX-License-Identifier: MIT */
/*
 * Looks for digits that are followed by the rest of a time or a date. After each number the rest is tried from its
 * first separator; if it does not fit, the search continues after the number.
 *
 * Example: in "1.2 1.2.34" the first 1 is followed by ".2" and a blank, which is not a date; the second by ".2.34",
 * which is one.
 */
#include "extract/learned/dates.h"

#include <stdint.h>

#include "base/cpu.h"

/* A quick test that most bytes fail. */
static bool begins_digit(uint8_t c)
{
	return (c >= '0' && c <= '9') || c == 0xD9 || c == 0xDB;
}

#ifdef CPU_PATHS_SSE2
#include <emmintrin.h>

/* Finds bytes from `least` to `least` + `more`. */
static inline __m128i in_range(__m128i v, int least, int more)
{
	__m128i above = _mm_sub_epi8(v, _mm_set1_epi8((char)least));
	return _mm_cmpeq_epi8(_mm_min_epu8(above, _mm_set1_epi8((char)more)), above);
}

/* Skips bytes that do not begin a digit, sixteen at a time; it also reads the byte after them. */
static const uint8_t *others_pass(const uint8_t *p, const uint8_t *end)
{
	for (; end - p > 16; p += 16) {
		__m128i v, next;
		memcpy(&v, p, sizeof(v));
		memcpy(&next, p + 1, sizeof(next));
		__m128i first = _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8((char)0xD9)),
					     _mm_cmpeq_epi8(v, _mm_set1_epi8((char)0xDB)));
		__m128i two = _mm_and_si128(first, in_range(next, 0xA0, 0xB9 - 0xA0));
		unsigned found = (unsigned)_mm_movemask_epi8(_mm_or_si128(in_range(v, '0', 9), two));
		if (found)
			return p + __builtin_ctz(found);
	}
	return p;
}
#endif

/* Returns the first byte from p on that may begin a digit, or `end`. */
static inline const uint8_t *digit_find(const uint8_t *p, const uint8_t *end)
{
#ifdef CPU_PATHS_SSE2
	if (cpu_level() >= CPU_SSE2)
		p = others_pass(p, end);
#endif
	while (p < end && !begins_digit(*p))
		p++;
	return p;
}

/* Returns the length of the digit at p: two bytes for U+0660 to U+0669 and U+06F0 to U+06F9. 0 if there is no digit. */
static size_t digit_at(const uint8_t *p, const uint8_t *end)
{
	if (p == end)
		return 0;
	if (*p >= '0' && *p <= '9')
		return 1;
	if (end - p < 2)
		return 0;
	bool arabic = *p == 0xD9 && p[1] >= 0xA0 && p[1] <= 0xA9, persian = *p == 0xDB && p[1] >= 0xB0 && p[1] <= 0xB9;
	return arabic || persian ? 2 : 0;
}

/* Counts adjacent digits, and moves *p after them. */
static unsigned digits_pass(const uint8_t **p, const uint8_t *end)
{
	unsigned n = 0;
	for (size_t len; (len = digit_at(*p, end)) != 0; *p += len)
		n++;
	return n;
}

/* Returns whether the text at p, after `digits` digits, makes them a time or a date. */
static bool completes_date(unsigned digits, const uint8_t *p, const uint8_t *end)
{
	if (digits == 0 || digits > 4 || p == end)
		return false;
	uint8_t separator = *p++;
	if (separator == ':')
		return digits <= 2 && digits_pass(&p, end) == 2;
	if (separator != '.' && separator != '/' && separator != '-')
		return false;
	unsigned month = digits_pass(&p, end);
	if (month < 1 || month > 2 || p == end || *p != separator)
		return false;
	p++;
	unsigned last = digits_pass(&p, end);
	return last >= 2 && last <= 4;
}

bool dates_found(struct slice text)
{
	const uint8_t *p = text.data, *end = p + text.len;
	while ((p = digit_find(p, end)) < end) {
		unsigned digits = digits_pass(&p, end);
		if (completes_date(digits, p, end))
			return true;
		p += digits == 0;
	}
	return false;
}
