/* SPDX-License-Identifier: MIT */
/*
 * Encoding, decoding and checking of UTF-8, plain C. A character of more than one byte is a lead byte, whose upper bits
 * give the number of bytes, and trail bytes 10xxxxxx. Example: U+20AC is 0010 000010 101100 in binary, written as E2 82
 * AC.
 */
#include "base/utf8.h"

#include <stddef.h>

#include "base/ascii.h"
#include "base/cpu.h"
#include "base/slice.h"
#include "base/status.h"

/*
 * Checking of UTF-8, 64 bytes at a time: the look-up algorithm of J. Keiser and D. Lemire, "Validating UTF-8 in less
 * than one instruction per byte", Software: Practice and Experience 51 (2021), section 6. For each pair of neighbouring
 * bytes three nibbles (the high and low one of the first byte, the high one of the second) are looked up in tables of
 * possible errors; the pair has an error if all three tables name it.
 *
 * Example: C0 AF, an overlong '/'. C in the first table says "too short or overlong", 0 in the second "overlong" among
 * others, A in the third "a trail: overlong" among others. OVERLONG_2 is in all three, so the pair is an error.
 */

#ifdef CPU_PATHS_AVX
#include <immintrin.h>

/* Errors of a pair of bytes. */
enum {
	TOO_SHORT = 1 << 0, /* a lead without a trail */
	TOO_LONG = 1 << 1,  /* a trail after ASCII */
	OVERLONG_3 = 1 << 2,
	TOO_LARGE = 1 << 3,
	SURROGATE = 1 << 4,
	OVERLONG_2 = 1 << 5,
	TOO_LARGE_1000 = 1 << 6, /* F5 to FF with a second byte of 80 to 8F */
	OVERLONG_4 = 1 << 6,
	TWO_TRAILS = 1 << 7, /* correct as third or fourth byte of a character; `faults` checks that */
	ANY_LEAD = TOO_SHORT | TOO_LONG | TWO_TRAILS, /* errors that do not depend on the first byte's low nibble */
	LARGE = ANY_LEAD | TOO_LARGE | TOO_LARGE_1000,
};

#define NIBBLES(...) _mm256_broadcastsi128_si256(_mm_setr_epi8(__VA_ARGS__))
#define C(faults) ((char)(faults))

CPU_TARGET_AVX2 static inline __m256i nibble_high(__m256i v)
{
	return _mm256_and_si256(_mm256_srli_epi16(v, 4), _mm256_set1_epi8(0x0F));
}

/* For each byte of `v`, the byte `n` places earlier; the first ones come from the end of `before`. */
#define BACK(v, before, n) _mm256_alignr_epi8((v), _mm256_permute2x128_si256((before), (v), 0x21), 16 - (n))

/* Non-zero at each byte that ends a wrong pair, and where a third or fourth byte is missing or superfluous. */
CPU_TARGET_AVX2 static inline __m256i faults(__m256i v, __m256i before)
{
	const __m256i first_high = NIBBLES(
		C(TOO_LONG), C(TOO_LONG), C(TOO_LONG), C(TOO_LONG), C(TOO_LONG), C(TOO_LONG), C(TOO_LONG), C(TOO_LONG),
		C(TWO_TRAILS), C(TWO_TRAILS), C(TWO_TRAILS), C(TWO_TRAILS), C(TOO_SHORT | OVERLONG_2), C(TOO_SHORT),
		C(TOO_SHORT | OVERLONG_3 | SURROGATE), C(TOO_SHORT | TOO_LARGE | TOO_LARGE_1000 | OVERLONG_4));
	const __m256i first_low =
		NIBBLES(C(ANY_LEAD | OVERLONG_3 | OVERLONG_2 | OVERLONG_4), C(ANY_LEAD | OVERLONG_2), C(ANY_LEAD),
			C(ANY_LEAD), C(ANY_LEAD | TOO_LARGE), C(LARGE), C(LARGE), C(LARGE), C(LARGE), C(LARGE),
			C(LARGE), C(LARGE), C(LARGE), C(LARGE | SURROGATE), C(LARGE), C(LARGE));
	const int trail = TOO_LONG | OVERLONG_2 | TWO_TRAILS;
	const __m256i second_high =
		NIBBLES(C(TOO_SHORT), C(TOO_SHORT), C(TOO_SHORT), C(TOO_SHORT), C(TOO_SHORT), C(TOO_SHORT),
			C(TOO_SHORT), C(TOO_SHORT), C(trail | OVERLONG_3 | TOO_LARGE_1000 | OVERLONG_4),
			C(trail | OVERLONG_3 | TOO_LARGE), C(trail | SURROGATE | TOO_LARGE),
			C(trail | SURROGATE | TOO_LARGE), C(TOO_SHORT), C(TOO_SHORT), C(TOO_SHORT), C(TOO_SHORT));
	__m256i first = BACK(v, before, 1);
	__m256i pair = _mm256_and_si256(
		_mm256_and_si256(_mm256_shuffle_epi8(first_high, nibble_high(first)),
				 _mm256_shuffle_epi8(first_low, _mm256_and_si256(first, _mm256_set1_epi8(0x0F)))),
		_mm256_shuffle_epi8(second_high, nibble_high(v)));
	/*
	 * top bit set: a lead of 3 or 4 bytes is two places earlier, or a lead of 4 three places; exactly then
	 * TWO_TRAILS is right
	 */
	__m256i third = _mm256_subs_epu8(BACK(v, before, 2), _mm256_set1_epi8(0xE0 - 0x80));
	__m256i fourth = _mm256_subs_epu8(BACK(v, before, 3), _mm256_set1_epi8(0xF0 - 0x80));
	__m256i wanted = _mm256_and_si256(_mm256_or_si256(third, fourth), _mm256_set1_epi8((char)0x80));
	return _mm256_xor_si256(wanted, pair);
}

/*
 * Returns the length of a well-formed beginning of `s` that ends between two characters. It may be up to 66 bytes
 * shorter than the longest one: the caller checks the rest byte by byte.
 */
CPU_TARGET_AVX2 static size_t valid_avx2(struct slice s)
{
	__m256i before = _mm256_setzero_si256();
	size_t n = 0;
	for (; s.len - n >= 64; n += 64) {
		__m256i low, high;
		memcpy(&low, s.data + n, sizeof(low));
		memcpy(&high, s.data + n + 32, sizeof(high));
		/* check `before` as well: ASCII after a cut character is an error */
		if (_mm256_movemask_epi8(_mm256_or_si256(_mm256_or_si256(low, high), before))) {
			__m256i bad = _mm256_or_si256(faults(low, before), faults(high, low));
			if (!_mm256_testz_si256(bad, bad))
				break;
		}
		before = high;
	}
	const uint8_t *p = s.data;
	for (size_t back = 1; back <= 3 && back <= n; back++) {
		if ((p[n - back] & 0xC0) == 0x80)
			continue;
		size_t need = utf8_length(p[n - back]);
		return need == 0 || need > back ? n - back : n;
	}
	return n;
}
#endif

size_t utf8_put(uint32_t c, uint8_t out[4])
{
	if (c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF))
		c = 0xFFFD;
	if (c < 0x80) {
		out[0] = (uint8_t)c;
		return 1;
	}
	if (c < 0x800) {
		out[0] = (uint8_t)(0xC0 | c >> 6);
		out[1] = (uint8_t)(0x80 | (c & 63));
		return 2;
	}
	if (c < 0x10000) {
		out[0] = (uint8_t)(0xE0 | c >> 12);
		out[1] = (uint8_t)(0x80 | (c >> 6 & 63));
		out[2] = (uint8_t)(0x80 | (c & 63));
		return 3;
	}
	out[0] = (uint8_t)(0xF0 | c >> 18);
	out[1] = (uint8_t)(0x80 | (c >> 12 & 63));
	out[2] = (uint8_t)(0x80 | (c >> 6 & 63));
	out[3] = (uint8_t)(0x80 | (c & 63));
	return 4;
}

/*
 * Returns whether `second` may follow `lead`. Its range excludes overlong forms, surrogates and values above 0x10FFFF.
 */
static bool second_is_good(uint8_t lead, uint8_t second)
{
	uint8_t low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
	uint8_t high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
	return second >= low && second <= high;
}

size_t utf8_decode(struct slice s, uint32_t *c)
{
	uint8_t lead = s.data[0];
	size_t need = utf8_length(lead);
	if (need == 1) {
		*c = lead;
		return 1;
	}
	*c = 0xFFFD;
	if (need == 0 || s.len < 2 || !second_is_good(lead, s.data[1]))
		return 1;

	uint32_t value = (uint32_t)(lead & (0xFF >> (need + 1))) << 6 | (s.data[1] & 63);
	for (size_t i = 2; i < need; i++) {
		if (i >= s.len || (s.data[i] & 0xC0) != 0x80)
			return i;
		value = value << 6 | (s.data[i] & 63);
	}
	*c = value;
	return need;
}

static bool is_trail(uint8_t c)
{
	return (c & 0xC0) == 0x80;
}

size_t utf8_valid_prefix(struct slice s)
{
	const uint8_t *p = s.data, *end = s.data + s.len;
#ifdef CPU_PATHS_AVX
	if (s.len >= 64 && cpu_level() >= CPU_AVX2)
		p += valid_avx2(s);
#endif
	while (p < end) {
		if (*p < 0x80) {
			/*
			 * in other scripts single spaces separate the words: calling ascii_run for each would be too
			 * slow
			 */
			p++;
			if (p < end && *p < 0x80)
				p += ascii_run(p, (size_t)(end - p));
			continue;
		}
		if (end - p >= 2 && (uint8_t)(*p - 0xC2) < 0x1E) {
			if (!is_trail(p[1]))
				break;
			p += 2;
			continue;
		}
		size_t need = utf8_length(*p);
		if (need == 0 || (size_t)(end - p) < need || !second_is_good(*p, p[1]))
			break;
		if ((need > 2 && !is_trail(p[2])) || (need > 3 && !is_trail(p[3])))
			break;
		p += need;
	}
	return (size_t)(p - s.data);
}

size_t utf8_without_cut(struct slice s)
{
	for (size_t n = 1; n < 4 && n <= s.len; n++) {
		uint8_t byte = s.data[s.len - n];
		if ((byte & 0xC0) != 0x80)
			return utf8_length(byte) > n ? s.len - n : s.len;
	}
	return s.len;
}

size_t utf8_count_replaced(struct slice s)
{
	static const uint8_t replaced[] = { 0xEF, 0xBF, 0xBD };
	size_t n = 0;
	const uint8_t *lead;
	while (s.len >= sizeof(replaced) && (lead = memchr(s.data, replaced[0], s.len - 2))) {
		n += lead[1] == replaced[1] && lead[2] == replaced[2];
		s = slice_skip(s, (size_t)(lead - s.data) + sizeof(replaced));
	}
	return n;
}

size_t utf8_count(struct slice s)
{
	enum { LANES = 32, TIMES = 255 }; /* a counter of one byte holds at most 255 */
	size_t trails = 0, i = 0;
	while (s.len - i >= LANES) {
		uint8_t counts[LANES] = { 0 };
		/* compilers turn this into vector instructions for all lanes */
		for (unsigned times = 0; times < TIMES && s.len - i >= LANES; times++, i += LANES) {
			for (unsigned k = 0; k < LANES; k++)
				counts[k] = (uint8_t)(counts[k] + is_trail(s.data[i + k]));
		}
		for (unsigned k = 0; k < LANES; k++)
			trails += counts[k];
	}
	for (; i < s.len; i++)
		trails += is_trail(s.data[i]);
	return s.len - trails;
}

/* Text is copied only if it is malformed somewhere, which hardly any is. */

int utf8_mend(struct buf *text, size_t from, bool *mended)
{
	struct buf faulty = { 0 };
	struct slice rest = slice_skip(buf_slice(text), from);
	size_t good = utf8_valid_prefix(rest);
	*mended = good != rest.len;
	if (!*mended)
		return DANA_OK;
	int status = buf_append(&faulty, rest.data + good, rest.len - good);
	text->len = from + good;
	rest = buf_slice(&faulty);
	while (status == DANA_OK && rest.len) {
		uint32_t c;
		rest = slice_skip(rest, utf8_decode(rest, &c));
		buf_append(text, "\xEF\xBF\xBD", 3);
		good = utf8_valid_prefix(rest);
		status = buf_append(text, rest.data, good);
		rest = slice_skip(rest, good);
	}
	buf_free(&faulty);
	return status;
}

/* A few ranges each, compared one after the other. */

bool character_is_space(uint32_t c)
{
	if (c < 0x85)
		return c == ' ' || (c >= 9 && c <= 13) || (c >= 0x1C && c <= 0x1F);
	return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 ||
	       c == 0x202F || c == 0x205F || c == 0x3000;
}

bool character_is_invisible(uint32_t c)
{
	if (c < 0x200B)
		return c == 0xAD;
	return c == 0x200B || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) ||
	       (c >= 0x2066 && c <= 0x2069) || c == 0xFEFF;
}

bool character_stands_alone(uint32_t c)
{
	static const struct {
		uint32_t first, last;
	} ranges[] = {
		{ 0x0E00, 0x0EFF }, { 0x1000, 0x109F }, { 0x1780, 0x17FF }, { 0x3005, 0x3007 }, { 0x3040, 0x30FF },
		{ 0x31F0, 0x31FF }, { 0x3400, 0x4DBF }, { 0x4E00, 0x9FFF }, { 0xF900, 0xFAFF }, { 0x20000, 0x3FFFF },
	};
	if (c < ranges[0].first)
		return false;
	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
		if (c <= ranges[i].last)
			return c >= ranges[i].first;
	}
	return false;
}

enum width { NARROW, AS_ITS_NEIGHBOUR, WIDE };

/*
 * Returns whether a character is Han, Kana or full-width, as their punctuation is. Dashes, quotes and the ellipsis have
 * the width of what is beside them.
 */
static enum width width_of(struct slice character)
{
	const uint8_t *c = character.data;
	if (character.len == 4)
		return c[0] == 0xF0 && c[1] >= 0xA0 && c[1] <= 0xBF ? WIDE : NARROW; /* U+20000 to U+3FFFF */
	if (character.len != 3 || c[0] < 0xE2)
		return NARROW;
	const unsigned code = (c[0] & 0xFU) << 12 | (c[1] & 0x3FU) << 6 | (c[2] & 0x3FU);
	if ((code >= 0x2014 && code <= 0x2015) || (code >= 0x2018 && code <= 0x201D) || code == 0x2026)
		return AS_ITS_NEIGHBOUR;
	const bool wide = (code >= 0x2E80 && code <= 0x312F) || (code >= 0x31A0 && code <= 0x31FF) ||
			  (code >= 0x3400 && code <= 0x4DBF) || (code >= 0x4E00 && code <= 0x9FFF) ||
			  (code >= 0xF900 && code <= 0xFAFF) || (code >= 0xFE30 && code <= 0xFE4F) ||
			  (code >= 0xFF01 && code <= 0xFF9F) || (code >= 0xFFE0 && code <= 0xFFE6);
	return wide ? WIDE : NARROW;
}

static size_t character_bytes(uint8_t first)
{
	return first < 0xE0 ? 1 : first < 0xF0 ? 3 : 4;
}

bool utf8_lines_join(struct slice before, struct slice after)
{
	size_t len = 1;
	if (!before.len || !after.len)
		return false;
	while (len < 4 && len < before.len && (before.data[before.len - len] & 0xC0) == 0x80)
		len++;
	const struct slice first = slice_first(after, character_bytes(after.data[0]));
	return width_of(slice_skip(before, before.len - len)) + width_of(first) >= AS_ITS_NEIGHBOUR + WIDE;
}
