/* SPDX-License-Identifier: MIT */
/* The two ways to tell well-formed UTF-8: character by character, and 64 bytes at a time. */
#include "base/utf8.h"
#include "support/split_feed.h"
#include "support/unit.h"

/* The definition: characters are taken off the front until one is faulty. utf8_decode alone is slow enough to trust. */
static size_t valid_slowly(struct slice s)
{
	size_t n = 0;
	while (n < s.len) {
		uint32_t c;
		size_t taken = utf8_decode(slice_skip(s, n), &c);
		uint8_t again[4];
		if (utf8_put(c, again) != taken || memcmp(again, s.data + n, taken) != 0)
			break;
		n += taken;
	}
	return n;
}

/* In a block of exactly its size, so that a reader after the end is found. */
static void same_both_ways(const uint8_t *bytes, size_t len)
{
	uint8_t *own = malloc(len ? len : 1);
	assert_non_null(own);
	memcpy(own, bytes, len);
	assert_int_equal(utf8_valid_prefix(slice_of(own, len)), valid_slowly(slice_of(own, len)));
	free(own);
}

/* Every pair of bytes, and many threes and fours, at the borders of vectors. */
TEST(test_pairs)
{
	static const size_t places[] = { 0, 14, 15, 30, 31, 32, 47, 61, 62, 63, 64, 127 };
	static const uint8_t tails[][2] = { { 'a', 'b' }, { 0x80, 'b' }, { 0xBF, 0x80 }, { 0xC3, 0xA4 } };
	for (size_t k = 0; k < sizeof(places) / sizeof(*places); k++) {
		for (unsigned pair = 0; pair < 1 << 16; pair++) {
			uint8_t text[192];
			memset(text, 'x', sizeof(text));
			text[places[k]] = (uint8_t)(pair >> 8);
			text[places[k] + 1] = (uint8_t)pair;
			memcpy(text + places[k] + 2, tails[pair % 4], 2);
			if (pair % 61 == 0)
				same_both_ways(text, sizeof(text));
			else
				assert_int_equal(utf8_valid_prefix(slice_of(text, sizeof(text))),
						 valid_slowly(slice_of(text, sizeof(text))));
		}
	}
}

/* Text of all lengths of characters, whole, cut, and with one byte changed. */
TEST(test_seeded)
{
	static const uint32_t mosts[] = { 0x7F, 0x7FF, 0xFFFF, 0x10FFFF };
	uint32_t seed = 7;
	for (unsigned round = 0; round < 20000; round++) {
		uint8_t text[300];
		size_t len = 0, wanted = split_random(&seed) % 290;
		while (len < wanted)
			len += utf8_put(split_random(&seed) % mosts[split_random(&seed) % 4], text + len);
		assert_int_equal(utf8_valid_prefix(slice_of(text, len)), len);
		size_t cut = len ? split_random(&seed) % len : 0;
		same_both_ways(text, cut);
		if (len)
			text[cut] = (uint8_t)split_random(&seed);
		same_both_ways(text, len);
	}
}

/* Characters are counted by their first bytes, whatever lies before the text. */
TEST(test_count)
{
	static const uint32_t mosts[] = { 0x80, 0x800, 0xD800, 0x110000 };
	uint32_t seed = 11;
	for (unsigned round = 0; round < 2000; round++) {
		uint8_t text[300];
		size_t start = split_random(&seed) % 9, end = start, wanted = split_random(&seed) % 60;
		for (size_t i = 0; i < wanted; i++)
			end += utf8_put(split_random(&seed) % mosts[split_random(&seed) % 4], text + end);
		assert_int_equal(utf8_count(slice_of(text + start, end - start)), wanted);
	}
	/* more trails in each lane than a byte counts */
	static uint8_t trails[32 * 600 + 7];
	memset(trails, 0x80, sizeof(trails));
	trails[32 * 300] = 'a';
	assert_int_equal(utf8_count(slice_of(trails, sizeof(trails))), 1);
}

TEST(test_count_replaced)
{
	static const struct {
		const char *text;
		size_t count;
	} rows[] = {
		{ "", 0 },
		{ "\xef\xbf\xbd", 1 },
		{ "a\xef\xbf\xbd\xef\xbf\xbd b", 2 },
		{ "\xef\xbc\x81\xef\xbf\xbe\xef\xbf\xbd", 1 }, /* others that begin alike */
		{ "\xe2\x82\xac\xef\xbf\xbf", 0 },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(utf8_count_replaced(slice_from_text(rows[i].text)), rows[i].count);
}

TEST(test_cut)
{
	static const char *const whole[] = {
		"", "a", "\xc3\xa9", "a\xe2\x82\xac", "\xf0\x9f\x98\x80", "\x80\x80\x80\x80", "\xff"
	};
	for (size_t i = 0; i < sizeof(whole) / sizeof(*whole); i++)
		assert_int_equal(utf8_without_cut(slice_from_text(whole[i])), strlen(whole[i]));
	static const struct slice text = { (const uint8_t *)"a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", 10 };
	static const size_t kept[] = { 0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10 };
	for (size_t len = 0; len <= text.len; len++)
		assert_int_equal(utf8_without_cut(slice_first(text, len)), kept[len]);
}
