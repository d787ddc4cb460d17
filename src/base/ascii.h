/* SPDX-License-Identifier: MIT */
/* ASCII without locale: classes, comparison, decimal numbers; and numbers in bytes. */
#ifndef DANA_BASE_ASCII_H
#define DANA_BASE_ASCII_H

#include <stdint.h>
#include <string.h>

#include "base/cpu.h"
#include "base/slice.h"

#ifdef CPU_PATHS_SSE2
#include "base/sse2.h"
#endif

static inline uint8_t ascii_lower(uint8_t c)
{
	return (uint8_t)(c - 'A') < 26 ? (uint8_t)(c | 0x20) : c;
}

static inline bool ascii_is_alpha(uint8_t c)
{
	return (uint8_t)((c | 0x20) - 'a') < 26;
}

static inline bool ascii_is_digit(uint8_t c)
{
	return (uint8_t)(c - '0') < 10;
}

/** Returns the value of a hexadecimal digit, or -1. */
static inline int ascii_hex(uint8_t c)
{
	if (ascii_is_digit(c))
		return c - '0';
	return (uint8_t)((c | 0x20) - 'a') < 6 ? (c | 0x20) - 'a' + 10 : -1;
}

static inline bool ascii_is_hex(uint8_t c)
{
	return ascii_hex(c) >= 0;
}

/** True for HTML white space: space, tab, LF, FF, CR (HTML, section 2.3 of the WHATWG Infra standard). */
static inline bool ascii_is_space(uint8_t c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r';
}

/** Compares without regard to ASCII case. */
static inline bool slice_equal_nocase(struct slice a, struct slice b)
{
	if (a.len != b.len)
		return false;
	for (size_t i = 0; i < a.len; i++) {
		if (ascii_lower(a.data[i]) != ascii_lower(b.data[i]))
			return false;
	}
	return true;
}

static inline bool slice_is(struct slice a, const char *text)
{
	return slice_equal_nocase(a, slice_from_text(text));
}

/** Returns whether `text`, in lower case, is a part of `a`, in any case. It has two bytes at least. */
static inline bool slice_has(struct slice a, const char *text)
{
	const size_t len = strlen(text);
	size_t i = 0;
#ifdef CPU_PATHS_SSE2
	/* the places of the first two bytes, or of what is like them without a bit: few, mostly none */
	const __m128i bit = _mm_set1_epi8(0x20), first = _mm_set1_epi8((char)(text[0] | 0x20)),
		      second = _mm_set1_epi8((char)(text[1] | 0x20));
	for (; i + sizeof(bit) < a.len; i += sizeof(bit)) {
		__m128i v, w;
		memcpy(&v, a.data + i, sizeof(v));
		memcpy(&w, a.data + i + 1, sizeof(w));
		v = _mm_and_si128(_mm_cmpeq_epi8(_mm_or_si128(v, bit), first),
				  _mm_cmpeq_epi8(_mm_or_si128(w, bit), second));
		for (unsigned found = (unsigned)_mm_movemask_epi8(v); found; found &= found - 1) {
			if (slice_is(slice_first(slice_skip(a, i + (unsigned)__builtin_ctz(found)), len), text))
				return true;
		}
	}
#endif
	for (; i + len <= a.len; i++) {
		if (ascii_lower(a.data[i]) == (uint8_t)text[0] && slice_is(slice_of(a.data + i, len), text))
			return true;
	}
	return false;
}

/** Returns `s` without white space at both ends. */
static inline struct slice slice_trim(struct slice s)
{
	while (s.len && ascii_is_space(s.data[0]))
		s = slice_of(s.data + 1, s.len - 1);
	while (s.len && ascii_is_space(s.data[s.len - 1]))
		s.len--;
	return s;
}

/* Finds how far a text is ASCII. Every byte of every page passes here, so it looks at 64 bytes at a time. */

#ifdef CPU_PATHS_SSE2
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

/* Decimal numbers in bytes: ASCII digits, without sign, white space or fraction; leading zeros are allowed. */

/**
 * Reads the digits at the front of `s` and returns how many there are. *number is their value: 0 without digits,
 * UINT64_MAX if the value is larger. Example: "640px" returns 3 and sets *number to 640.
 */
size_t decimal_prefix(struct slice s, uint64_t *number);
/**
 * Returns whether `s` is one or more digits and nothing else, with a value of at most `most`; only then is *number set.
 */
bool decimal_number(struct slice s, uint64_t most, uint64_t *number);
/** Reads digits with K, M or G after them or not: "64K" is 65536; UINT64_MAX where it is larger. False: it is not one.
 */
bool decimal_with_unit(struct slice text, uint64_t *number);

/* Numbers whose first byte is the lowest, read from and written to bytes at any address. */

static inline uint32_t little_endian_32(const uint8_t *p)
{
	uint32_t v;
	memcpy(&v, p, sizeof(v));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	v = __builtin_bswap32(v);
#endif
	return v;
}

static inline uint64_t little_endian_64(const uint8_t *p)
{
	uint64_t v;
	memcpy(&v, p, sizeof(v));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	v = __builtin_bswap64(v);
#endif
	return v;
}

static inline void little_endian_put_32(uint8_t *p, uint32_t v)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	v = __builtin_bswap32(v);
#endif
	memcpy(p, &v, sizeof(v));
}

static inline void little_endian_put_64(uint8_t *p, uint64_t v)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	v = __builtin_bswap64(v);
#endif
	memcpy(p, &v, sizeof(v));
}

/** Returns the number in the `n` bytes at `p`; `n` is at most 8. */
static inline uint64_t little_endian(const uint8_t *p, size_t n)
{
	uint64_t v = 0;
	while (n--)
		v = v << 8 | p[n];
	return v;
}

#endif
