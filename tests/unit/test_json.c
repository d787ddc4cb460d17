/* SPDX-License-Identifier: MIT */
/* JSON strings and the writer; tests/fuzz/fuzz_json.c reads back what is made of random bytes. */
#include "config.h"

#include "base/json.h"
#include "support/unit.h"

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
	/* bad UTF-8 is repaired */
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
	assert_string_equal(text_of(&out), "{\"empty\":[],\"list\":[\"a\",\"\",{\"i\":0},{\"i\":1},{}],"
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
	assert_string_equal(text_of(&out), "{\"a\":null,\"b\":\"\\n\",\"c\":\"\",\"d\":null,\"e\":0,"
					   "\"f\":0.667,\"g\":12,\"a\\\"\\\\\\n\":null,\"h\":\"i\"}");
}
