/* SPDX-License-Identifier: MIT */
/*
 * Encoding, decoding and checking of UTF-8, plain C. A character of more than one byte is a lead byte, whose upper bits
 * give the number of bytes, and trail bytes 10xxxxxx. Example: U+20AC is 0010 000010 101100 in binary, written as E2 82
 * AC.
 */
#include "base/utf8.h"

#include "base/ascii_run.h"
#include "base/utf8_wide.h"

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
	const uint8_t *p = s.data + utf8_valid_wide(s), *end = s.data + s.len;
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
