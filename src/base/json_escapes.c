/* SPDX-License-Identifier: MIT */
/*
 * Escapes in JSON strings. A string that holds a page has one about every twenty bytes, so 16 bytes are searched at a
 * time.
 */
#include "base/ascii.h"
#include "base/cpu.h"
#include "base/json_reader_private.h"
#include "base/utf8.h"

#ifdef CPU_PATHS_SSE2
#include <emmintrin.h>
#endif

enum { CODE = 6, PAIR = 12 }; /* bytes of \u00e9, \ud83d\ude00 */

/* The character meant by each letter after a backslash; 0 if the letter is not allowed. */
static const uint8_t meant[256] = {
	['"'] = '"', ['\\'] = '\\', ['/'] = '/', ['b'] = '\b', ['f'] = '\f', ['n'] = '\n', ['r'] = '\r', ['t'] = '\t'
};

/*
 * Returns the first backslash at or after `at`, or `end`. Copies the bytes before it to *out and advances *out, unless
 * `out` is NULL.
 */
static inline const uint8_t *pass_plain(const uint8_t *at, const uint8_t *end, uint8_t **out)
{
#ifdef CPU_PATHS_SSE2
	for (const bool wide = cpu_level() >= CPU_SSE2; wide && end - at >= 16; at += 16) {
		__m128i v;
		memcpy(&v, at, sizeof(v));
		if (out)
			memcpy(*out, &v, sizeof(v));
		const unsigned found = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8('\\')));
		const unsigned n = found ? (unsigned)__builtin_ctz(found) : 16;
		if (out)
			*out += n;
		if (found)
			return at + n;
	}
#endif
	const uint8_t *found = memchr(at, '\\', (size_t)(end - at));
	if (!found)
		found = end;
	if (out) {
		memcpy(*out, at, (size_t)(found - at));
		*out += found - at;
	}
	return found;
}

/* True if four hex digits follow; the quote at the end of the string stops the check. */
static bool are_hex(const uint8_t *at)
{
	return ascii_is_hex(at[0]) && ascii_is_hex(at[1]) && ascii_is_hex(at[2]) && ascii_is_hex(at[3]);
}

static uint32_t four_digits(const uint8_t *at)
{
	uint32_t c = 0;
	for (int i = 0; i < 4; i++)
		c = c << 4 | (uint32_t)ascii_hex(at[i]);
	return c;
}

static bool is_surrogate(uint32_t c, uint32_t first)
{
	return (c & 0xfffffc00) == first;
}

const uint8_t *json_escape_read(const uint8_t *at, const uint8_t *end, uint32_t *c)
{
	*c = meant[at[1]];
	if (at[1] != 'u')
		return *c ? at + 2 : NULL;
	if (!are_hex(at + 2))
		return NULL;
	*c = four_digits(at + 2);
	if (!is_surrogate(*c, 0xd800) || end - at < PAIR || at[CODE] != '\\' || at[CODE + 1] != 'u' ||
	    !are_hex(at + CODE + 2))
		return at + CODE;
	const uint32_t low = four_digits(at + CODE + 2);
	if (!is_surrogate(low, 0xdc00))
		return at + CODE;
	*c = 0x10000 + ((*c & 0x3ff) << 10) + (low & 0x3ff);
	return at + PAIR;
}

/* Inline, so that the compiler makes one loop that writes and one that only checks. */
static inline bool pass_all(const uint8_t *at, const uint8_t *end, uint8_t **out, bool *repaired)
{
	while ((at = pass_plain(at, end, out)) < end) {
		uint32_t c = meant[at[1]];
		if (c) {
			at += 2;
			if (out)
				*(*out)++ = (uint8_t)c;
			continue;
		}
		at = json_escape_read(at, end, &c);
		if (!at)
			return false;
		if (!out)
			continue;
		if (is_surrogate(c, 0xd800) || is_surrogate(c, 0xdc00))
			*repaired = true;
		*out += utf8_put(c, *out); /* U+FFFD for these */
	}
	return true;
}

bool json_escapes_are_good(struct slice s)
{
	return pass_all(s.data, s.data + s.len, NULL, NULL);
}

bool json_escapes_decode(struct slice s, struct buf *out, bool *repaired)
{
	uint8_t *at = out->data + out->len;
	const bool good = pass_all(s.data, s.data + s.len, &at, repaired);
	out->len = (size_t)(at - out->data);
	return good;
}
