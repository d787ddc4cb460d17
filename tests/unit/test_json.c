/* SPDX-License-Identifier: MIT */
/* JSON strings: what comes out is valid JSON and valid UTF-8, and reads back as the repaired input. */
#include "config.h"

#include "base/json.h"
#include "base/utf8.h"
#include "support/unit.h"
#ifdef HAVE_JANSSON
#include <jansson.h>
#endif

static void assert_escaped(const char *in, size_t len, const char *wanted)
{
	AUTO_BUF out = { 0 };
	uint8_t *exact = malloc(len ? len : 1); /* a block of just that size, so that tools see a read beyond it */
	assert_non_null(exact);
	memcpy(exact, in, len);
	assert_int_equal(json_put_string(&out, slice_of(exact, len)), 0);
	assert_int_equal(out.len, strlen(wanted));
	assert_memory_equal(out.data, wanted, out.len);
	free(exact);
}

#define ESCAPED(in, wanted) assert_escaped(in, sizeof(in) - 1, wanted)

TEST(known_strings)
{
	ESCAPED("", "\"\"");
	ESCAPED("plain text, long enough for words of eight bytes",
		"\"plain text, long enough for words of eight bytes\"");
	ESCAPED("a\"b\\c/d", "\"a\\\"b\\\\c/d\"");
	ESCAPED("\n\r\t\b\f", "\"\\n\\r\\t\\b\\f\"");
	ESCAPED("\0\x01\x1f\x7f", "\"\\u0000\\u0001\\u001f\\u007f\"");
	ESCAPED("\xc2\x80\xc2\x9f\xc2\xa0", "\"\\u0080\\u009f\xc2\xa0\"");
	ESCAPED("\xe2\x80\xa8\xe2\x80\xa9\xe2\x80\xaa", "\"\\u2028\\u2029\xe2\x80\xaa\"");
	ESCAPED("\xd8\xb3\xd9\x84\xd8\xa7\xd9\x85 \xe4\xb8\xad\xe6\x96\x87 \xf0\x9f\x98\x80",
		"\"\xd8\xb3\xd9\x84\xd8\xa7\xd9\x85 \xe4\xb8\xad\xe6\x96\x87 \xf0\x9f\x98\x80\"");
	ESCAPED("\xef\xbf\xbd", "\"\xef\xbf\xbd\"");
}

TEST(bad_utf8_is_repaired)
{
	ESCAPED("\x80", "\"\xef\xbf\xbd\"");
	ESCAPED("a\xff"
		"b",
		"\"a\xef\xbf\xbd"
		"b\"");
	ESCAPED("\xe4\xb8", "\"\xef\xbf\xbd\"");
	ESCAPED("\xe4\xb8x", "\"\xef\xbf\xbdx\"");
	ESCAPED("\xef\xbf", "\"\xef\xbf\xbd\"");
	ESCAPED("\xef", "\"\xef\xbf\xbd\"");
	ESCAPED("\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
	ESCAPED("\xc0\xaf", "\"\xef\xbf\xbd\xef\xbf\xbd\"");
	ESCAPED("\xf4\x90\x80\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
}

TEST(numbers)
{
	AUTO_BUF out = { 0 };
	assert_int_equal(json_put_number(&out, 0) + json_put_number(&out, 10) + json_put_number(&out, UINT64_MAX), 0);
	assert_int_equal(out.len, 23);
	assert_memory_equal(out.data, "01018446744073709551615", 23);
}

/* The plain way: one code point after the other. */
static void repair(struct slice s, struct buf *out)
{
	while (s.len) {
		uint32_t c;
		uint8_t bytes[4];
		size_t n = utf8_decode(s, &c);
		assert_ok(buf_append(out, bytes, utf8_put(c, bytes)));
		s = slice_skip(s, n);
	}
}

TEST(random_bytes_read_back)
{
	static const char pool[] =
		"aaaaaaaaaaaaaaa \"\\\n\0\x1f\x7f\x80\xbf\xc2\xe2\x80\xa8\xd8\xa7\xe4\xb8\xad\xf0\x9f\x98\x80\xff";
	uint32_t seed = 2463534242U;
	for (int round = 0; round < 4000; round++) {
		uint8_t bytes[64];
		size_t len = (size_t)(round % 64);
		for (size_t i = 0; i < len; i++) {
			seed ^= seed << 13;
			seed ^= seed >> 17;
			seed ^= seed << 5;
			bytes[i] = round & 1 ? (uint8_t)seed : (uint8_t)pool[seed % (sizeof(pool) - 1)];
		}
		AUTO_BUF out = { 0 }, wanted = { 0 };
		assert_int_equal(json_put_string(&out, slice_of(bytes, len)), 0);
		repair(slice_of(bytes, len), &wanted);
		assert_int_equal(utf8_valid_prefix(buf_slice(&out)), out.len);
#ifdef HAVE_JANSSON
		json_t *value = json_loadb((const char *)out.data, out.len, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
		assert_non_null(value);
		assert_int_equal(json_string_length(value), wanted.len);
		if (wanted.len)
			assert_memory_equal(json_string_value(value), wanted.data, wanted.len);
		json_decref(value);
#endif
	}
}

/* Commas stand between members and elements at every depth, and nowhere else. */
TEST(writer_sets_commas)
{
	AUTO_BUF out = { 0 };
	struct json_writer w = { .out = &out };
	json_object_begin(&w);
	json_key(&w, "empty");
	json_array_begin(&w);
	json_array_end(&w);
	json_key(&w, "list");
	json_array_begin(&w);
	json_element(&w, slice_from_text("a"));
	json_element(&w, slice_from_text(""));
	for (unsigned i = 0; i < 2; i++) {
		json_object_begin(&w);
		json_count(&w, "i", i);
		json_object_end(&w);
	}
	json_object_begin(&w);
	json_object_end(&w);
	json_array_end(&w);
	json_bool(&w, "yes", true);
	json_bool(&w, "no", false);
	json_object_end(&w);
	assert_ok(buf_append_byte(&out, 0));
	assert_string_equal((const char *)out.data, "{\"empty\":[],\"list\":[\"a\",\"\",{\"i\":0},{\"i\":1},{}],"
						    "\"yes\":true,\"no\":false}");
}

TEST(writer_knows_null)
{
	AUTO_BUF out = { 0 };
	struct json_writer w = { .out = &out };
	json_object_begin(&w);
	json_text_or_null(&w, "a", slice_of(NULL, 0));
	json_text_or_null(&w, "b", slice_from_text("\n"));
	json_text(&w, "c", slice_of(NULL, 0));
	json_count_or_null(&w, "d", false, 7);
	json_count_or_null(&w, "e", true, 0);
	json_decimal(&w, "f", 2.0 / 3, 3);
	json_decimal(&w, "g", 12, 0);
	json_name(&w, slice_from_text("a\"\\\n"));
	json_no_value(&w);
	json_name(&w, slice_from_text("h"));
	json_element(&w, slice_from_text("i"));
	json_object_end(&w);
	assert_ok(buf_append_byte(&out, 0));
	assert_string_equal((const char *)out.data, "{\"a\":null,\"b\":\"\\n\",\"c\":\"\",\"d\":null,\"e\":0,"
						    "\"f\":0.667,\"g\":12,\"a\\\"\\\\\\n\":null,\"h\":\"i\"}");
}
