/* SPDX-License-Identifier: MIT */
/* Byte classes on all paths, the table of element names, and named character references. */
#include "base/ascii.h"
#include "base/status.h"
#include "extract/html/byte_masks.h"
#include "extract/html/entity.h"
#include "extract/html/entity_table.h"
#include "extract/html/tag.h"
#include "support/split_feed.h"
#include "support/unit.h"

/* Bit by bit, against the classes as the header tells them. */
TEST(test_plain_masks)
{
	uint8_t bytes[256];
	struct byte_mask m[4];
	for (size_t i = 0; i < 256; i++)
		bytes[i] = (uint8_t)i;
	byte_masks_plain(bytes, 256, m);
	for (size_t i = 0; i < 256; i++) {
		const struct byte_mask *b = &m[i / 64];
		assert_int_equal(b->lt >> i % 64 & 1, i == '<');
		assert_int_equal(b->gt >> i % 64 & 1, i == '>');
		assert_int_equal(b->quote >> i % 64 & 1, i == '"');
		assert_int_equal(b->apos >> i % 64 & 1, i == '\'');
		assert_int_equal(b->equals >> i % 64 & 1, i == '=');
		assert_int_equal(b->space >> i % 64 & 1, i == 32 || i == 9 || i == 10 || i == 12 || i == 13);
		assert_int_equal(b->high >> i % 64 & 1, i >= 0x80);
		assert_int_equal(b->cont >> i % 64 & 1, i >= 0x80 && i < 0xC0);
	}
}

static enum html_tag plain_find(struct slice name)
{
	for (int tag = 1; tag < HTML_TAGS_COUNT; tag++) {
		if (slice_is(name, html_tag_name((enum html_tag)tag)))
			return (enum html_tag)tag;
	}
	return HTML_TAG_OTHER;
}

static void check_name(struct slice name)
{
	uint8_t readable[80];
	enum html_tag wanted = plain_find(name);
	assert_int_equal(html_tag_find(name), wanted);
	for (const char *end = " \t\n\f\r/>"; *end; end++) {
		memset(readable, 'a', sizeof(readable));
		memcpy(readable, name.data, name.len);
		readable[name.len] = (uint8_t)*end;
		size_t len = 0;
		while (!html_ends_name(readable[len]))
			len++;
		struct html_tag_name read = html_tag_read(readable);
		assert_int_equal(read.len, len);
		assert_int_equal(read.tag, len == name.len ? wanted : plain_find(slice_of(readable, len)));
	}
}

TEST(test_names)
{
	uint32_t random = 99;
	for (int tag = 1; tag < HTML_TAGS_COUNT; tag++) {
		const char *name = html_tag_name((enum html_tag)tag);
		size_t len = strlen(name);
		uint8_t text[64];
		if (tag > 1)
			assert_true(strcmp(html_tag_name((enum html_tag)(tag - 1)), name) < 0);
		for (uint32_t upper = 0; upper < 1U << len; upper += upper < 64 ? 1 : 37) {
			for (size_t i = 0; i < len; i++)
				text[i] = (uint8_t)(upper >> i & 1 && ascii_is_alpha((uint8_t)name[i]) ? name[i] - 32
												       : name[i]);
			assert_int_equal(html_tag_find(slice_of(text, len)), tag);
			check_name(slice_of(text, len));
		}
		/* near misses: any byte at any place, one less, one more */
		for (size_t i = 0; i < len; i++) {
			for (int c = 0; c < 256; c++) {
				memcpy(text, name, len);
				text[i] = (uint8_t)c;
				check_name(slice_of(text, len));
			}
			check_name(slice_of(name, i));
		}
		for (int c = 0; c < 256; c++) {
			memcpy(text, name, len);
			text[len] = (uint8_t)c;
			check_name(slice_of(text, len + 1));
		}
		memset(text + len, 0, 8);
		check_name(slice_of(text, len + 8));
	}
	for (int round = 0; round < 20000; round++) {
		uint8_t text[16];
		size_t len = split_random(&random) % 14;
		for (size_t i = 0; i < len; i++)
			text[i] = (uint8_t)(split_random(&random) % 4 ? 'a' + split_random(&random) % 26
								      : split_random(&random));
		check_name(slice_of(text, len));
	}
	assert_string_equal(html_tag_name(HTML_TAG_OTHER), "");
}

TEST(test_properties)
{
	static const char inlines[] = " a abbr acronym b bdi bdo big cite code data dfn em font i ins del kbd label "
				      "mark nobr q rb rp rt rtc ruby s "
				      "samp small span strike strong sub sup time tt u var wbr ";
	static const char skipped[] = " noscript template svg math iframe select datalist textarea title object audio "
				      "video canvas rp rt rtc ";
	for (int tag = 1; tag < HTML_TAGS_COUNT; tag++) {
		char word[32];
		const char *in = inlines, *skips = skipped;
		snprintf(word, sizeof(word), " %s ", html_tag_name((enum html_tag)tag));
		in = strstr(in, word);
		skips = strstr(skips, word);
		if (html_tag_is((enum html_tag)tag, TAG_INLINE) != (in != NULL) ||
		    html_tag_is((enum html_tag)tag, TAG_SKIP) != (skips != NULL)) {
			fail_msg("properties of%s", word);
		}
	}
}

TEST(test_entity_names)
{
	size_t count = sizeof(entity_table) / sizeof(*entity_table), bare = 0, longest = 0;
	assert_int_equal(count, 2125);
	for (size_t i = 0; i < count; i++) {
		const struct entity *e = &entity_table[i];
		char text[64];
		uint8_t out[8];
		size_t len = 0, name = e->len;
		snprintf(text, sizeof(text), "&%.*s;+", (int)name, (const char *)entity_names + e->at);
		longest = name > longest ? name : longest;
		bare += e->bare;
		assert_int_equal(html_entity_decode(slice_of(text, name + 3), out, &len), name + 2);
		assert_int_equal(html_entity_decode(slice_of(text, name + 2), out, &len), name + 2);
		assert_true(len >= 1 && len <= 8);
		/* without its ';' it is a reference only when it, or its beginning, is an old name */
		size_t taken = html_entity_decode(slice_of(text, name + 1), out, &len);
		assert_true(taken <= 7 && taken <= name + 1);
		assert_true(!e->bare || taken == name + 1);
		text[name + 1] = 'Q';
		assert_true(html_entity_decode(slice_of(text, name + 3), out, &len) == taken);
	}
	assert_int_equal(bare, 106);
	assert_true(longest + 2 <= HTML_ENTITY_LONGEST);
}

TEST(test_appended)
{
	AUTO_BUF out = { 0 };
	assert_ok(html_entity_append(&out, slice_from_text("&amp;a&b &Amp;&#65;")));
	assert_ok(html_entity_append(&out, slice_from_text("")));
	assert_true(slice_equal(buf_slice(&out), slice_from_text("&a&b &Amp;A")));
}

TEST(test_references)
{
	static const struct {
		const char *text;
		size_t taken;
		const char *wanted;
	} rows[] = ROWS({ "&amp;", 5, "&" }, { "&ampx", 4, "&" }, { "&AMP", 4, "&" }, { "&Amp;", 0, "" },
			{ "&notit;", 4, "\xc2\xac" }, { "&notin;", 7, "\xe2\x88\x89" }, { "&fjlig;", 7, "fj" },
			{ "&nGt;", 5, "\xe2\x89\xab\xe2\x83\x92" },
			{ "&CounterClockwiseContourIntegral;", 33, "\xe2\x88\xb3" }, { "&zzz;", 0, "" },
			{ "& amp;", 0, "" }, { "&;", 0, "" }, { "&#65;", 5, "A" }, { "&#65", 4, "A" },
			{ "&#x4E2d;", 8, "\xe4\xb8\xad" }, { "&#X41z", 5, "A" }, { "&#;", 0, "" }, { "&#x;", 0, "" },
			{ "&#xg;", 0, "" }, { "&#0;", 4, "\xef\xbf\xbd" }, { "&#xD800;", 8, "\xef\xbf\xbd" },
			{ "&#x110000;", 10, "\xef\xbf\xbd" }, { "&#99999999999999999999;", 23, "\xef\xbf\xbd" },
			{ "&#x10FFFF;", 10, "\xf4\x8f\xbf\xbf" }, { "&#128;", 6, "\xe2\x82\xac" },
			{ "&#150;", 6, "\xe2\x80\x93" }, { "&#129;", 6, "\xc2\x81" });
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		uint8_t out[8];
		size_t len = 0, taken = html_entity_decode(slice_from_text(rows[i].text), out, &len);
		if (taken != rows[i].taken ||
		    (taken && !slice_equal(slice_of(out, len), slice_from_text(rows[i].wanted))))
			fail_msg("%s: %zu bytes taken", rows[i].text, taken);
	}
}
