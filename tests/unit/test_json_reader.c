/* SPDX-License-Identifier: MIT */
/* The reader of JSON: what is valid, what is told of what is not, and the values; with simdjson and without, the same.
 * tests/fuzz/fuzz_json.c compares it with jansson. */
#include "config.h"

#include <sys/mman.h>
#include <unistd.h>

#include "base/json.h"
#include "base/simdjson_call.h"
#include "support/unit.h"

static const struct json_rules plain = { .depth_most = JSON_DEPTH_MOST, .unique_names = true };
static const struct json_rules fast = { .depth_most = JSON_DEPTH_MOST, .unique_names = true, JSON_BY_SIMDJSON };
static struct json_reader *readers[2]; /* a plain one, a fast one */
static char said[sizeof(((struct error *)0)->text)];

static int begin(void **state)
{
	(void)state;
	readers[0] = json_reader_new(&plain);
	readers[1] = json_reader_new(&fast);
	return readers[0] && readers[1] ? 0 : -1;
}

static int end(void **state)
{
	(void)state;
	json_reader_free(readers[0]);
	json_reader_free(readers[1]);
	return 0;
}

/* Reads it with both, each from a block of just that size; they must say the same. Returns the status. */
static int read_both(const char *text, size_t len)
{
	struct error err[2] = { { .status = DANA_OK }, { .status = DANA_OK } };
	int status[2];
	for (size_t i = 0; i < 2; i++) {
		struct json_value root;
		char *exact = malloc(len ? len : 1);
		assert_non_null(exact);
		memcpy(exact, text, len);
		status[i] = json_read(readers[i], slice_of(exact, len), &root, &err[i]);
		assert_int_equal(json_kind(root) == JSON_IS_NOTHING, status[i] < 0);
		free(exact);
	}
	assert_int_equal(status[0], status[1]);
	assert_string_equal(err[0].text, err[1].text);
	memcpy(said, err[0].text, sizeof(said));
	return status[0];
}

static void valid(const char *text)
{
	if (read_both(text, strlen(text)) != DANA_OK)
		fail_msg("%s: %s", text, said);
}

static void wrong(const char *text, size_t len, const char *wanted)
{
	assert_int_equal(read_both(text, len), DANA_EFORMAT);
	if (strcmp(said, wanted) != 0)
		fail_msg("%s: %s, not %s", text, said, wanted);
}

TEST(valid_texts)
{
	static const char *const good[] = { "0", "-1.5e+10", " true ", "null", "\"\"", "\"a\\u00e9\\n\"", "[]", "{}",
					    "[ 1 , [ ] ,{}]", "{\"a\":[1,2,{\"b\":null}], \"c\" : \"\xc3\xa9\"}",
					    /* numbers of other forms, halves of pairs, names */
					    "1E5", "0.5", "[1,\r\n2]", "1e999", "-12345678901234567890123456789",
					    "\"\\ud800\"", "\"\\udc00\\ud800\"", "\"\\u0000\"", "{\"\\u0000\":1}",
					    "{\"a\":{\"a\":1},\"b\":{\"a\":2}}" };
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++)
		valid(good[i]);
}

TEST(wrong_texts)
{
	static const char *const no_values[] = { "01", "1.", ".5", "-", "+1", "1e", "tru", "truee", "NaN" };
	static const char *const bad[][2] = {
		{ "", "byte 0: expected a value" },
		{ "  ", "byte 2: expected a value" },
		{ "\\\"a", "byte 1: a string that does not end, or holds a control character" },
		{ "\"", "byte 0: a string that does not end, or holds a control character" },
		{ "[\"a\tb\"]", "byte 1: a string that does not end, or holds a control character" },
		{ "\"a\\\"", "byte 0: a string that does not end, or holds a control character" },
		{ "\"\\x\"", "byte 0: a string with an escape that is not valid" },
		{ "[\"\\u12g4\"]", "byte 1: a string with an escape that is not valid" },
		{ "\"\\u12\"", "byte 0: a string with an escape that is not valid" },
		{ "{\"\\x\":1}", "byte 1: a string with an escape that is not valid" },
		{ "[", "byte 1: expected a value" },
		{ "[1", "byte 2: expected ',' or ']'" },
		{ "[1,", "byte 3: expected a value" },
		{ "[,1]", "byte 1: expected a value" },
		{ "[1,]", "byte 3: expected a value" },
		{ "[1 2]", "byte 3: expected ',' or ']'" },
		{ "[1}", "byte 2: expected ',' or ']'" },
		{ "{", "byte 1: expected a name in quotes" },
		{ "{\"a\"}", "byte 4: expected ':'" },
		{ "{\"a\" 1}", "byte 5: expected ':'" },
		{ "{\"a\":}", "byte 5: expected a value" },
		{ "{a:1}", "byte 1: expected a name in quotes" },
		{ "{\"a\":1,}", "byte 7: expected a name in quotes" },
		{ "{\"a\":1", "byte 6: expected ',' or '}'" },
		{ "{,}", "byte 1: expected a name in quotes" },
		{ "]", "byte 0: expected a value" },
		{ "[}", "byte 1: expected a value" },
		{ "{]", "byte 1: expected a name in quotes" },
		{ "1 2", "byte 2: expected nothing more" },
		{ "{} {}", "byte 3: expected nothing more" },
		{ "\xef\xbb\xbf{}", "byte 0: expected a value" },
		{ "\"a\xff\"", "byte 2: not UTF-8" },
		{ "\"\xed\xa0\x80\"", "byte 1: not UTF-8" },
		{ "{\"a\":1,\"b\":2,\"\\u0061\":3}", "byte 13: duplicate object key" },
		{ "[{\"a\":{\"b\":1,\"b\":1}}]", "byte 13: duplicate object key" },
		{ "{\"\xc3\xa9\":1,\"\\u00E9\":1}", "byte 8: duplicate object key" },
	};
	for (size_t i = 0; i < sizeof(no_values) / sizeof(*no_values); i++)
		wrong(no_values[i], strlen(no_values[i]), "byte 0: expected a value");
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		wrong(bad[i][0], strlen(bad[i][0]), bad[i][1]);
	wrong("1\0", 2, "byte 0: expected a value");
	wrong("\"\0\"", 3, "byte 0: a string that does not end, or holds a control character");
}

TEST(depth_is_bounded)
{
	enum { MOST = JSON_DEPTH_MOST };
	static char text[2 * MOST + 3];
	memset(text, '[', MOST);
	memset(text + MOST, ']', MOST);
	valid(text);
	memset(text, '[', MOST + 1);
	wrong(text, MOST + 1, "byte 2048: too many arrays and objects in each other");
}

/* A hundred thousand names that are the same but for their ends, in two objects. */
TEST(many_names)
{
	AUTO_BUF text = { 0 };
	for (unsigned i = 0; i < 100000; i++)
		assert_ok(buf_printf(&text, "%s\"%064u\":0", i == 0 ? "[{" : i == 50000 ? "},{" : ",", i % 50000));
	assert_ok(buf_append_text(&text, ",\"00\":0}]"));
	assert_ok(read_both((const char *)text.data, text.len));
	text.len -= 9;
	assert_ok(buf_printf(&text, ",\"%064u\":0}]", 7));
	assert_int_equal(read_both((const char *)text.data, text.len), DANA_EFORMAT);
	assert_non_null(strstr(said, "duplicate object key"));
}

static struct json_value value_of(size_t which, const char *text)
{
	struct json_value root;
	assert_ok(json_read(readers[which], slice_from_text(text), &root, NULL));
	return root;
}

static void assert_slice(struct slice got, const char *wanted)
{
	assert_int_equal(got.len, strlen(wanted));
	assert_memory_equal(got.data, wanted, got.len);
}

static void assert_string(const char *json, const char *wanted, bool repaired)
{
	for (size_t i = 0; i < 2; i++) {
		AUTO_BUF space = { 0 };
		struct slice text;
		bool any = false;
		assert_ok(json_characters(value_of(i, json), &space, &text, &any));
		assert_slice(text, wanted);
		assert_int_equal(any, repaired);
	}
}

TEST(strings)
{
	assert_string("\"\"", "", false);
	assert_string("\"a b\"", "a b", false);
	assert_string("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t", false);
	assert_string("\"\\u00e9x\\u20AC\"", "\xc3\xa9x\xe2\x82\xac", false);
	assert_string("\"\\ud83d\\ude00\"", "\xf0\x9f\x98\x80", false);
	assert_string("\"\\ud83d\"", "\xef\xbf\xbd", true);
	assert_string("\"\\ud83dx\"", "\xef\xbf\xbdx", true);
	assert_string("\"\\ude00\\ud83d\\ude00\"", "\xef\xbf\xbd\xf0\x9f\x98\x80", true);
	assert_string("\"\\ud83d\\ud83d\\u0041\"", "\xef\xbf\xbd\xef\xbf\xbd\x41", true);
	assert_string("7", "", false);
}

/* Strings of all lengths around the bound from which on they are decoded as they are checked. */
TEST(large_strings)
{
	for (size_t len = 4070; len < 4110; len++) {
		AUTO_BUF json = { 0 }, wanted = { 0 };
		assert_ok(buf_append_text(&json, "\"\\ud800"));
		assert_ok(buf_append_text(&wanted, "\xef\xbf\xbd"));
		for (size_t i = 0; i < len; i++) {
			assert_ok(buf_append_text(&json, i % 11 ? "x" : "\\n"));
			assert_ok(buf_append_byte(&wanted, i % 11 ? 'x' : '\n'));
		}
		assert_ok(buf_append(&json, "\"", 2));
		assert_string((const char *)json.data, text_of(&wanted), true);
		json.len -= 2;
		assert_ok(buf_append(&json, "\\x\"", 4));
		wrong((const char *)json.data, json.len - 1, "byte 0: a string with an escape that is not valid");
	}
}

TEST(members_and_items)
{
	static const char text[] =
		" {\"a\" : [ 1 , {\"b c\":\" d  e \"} , [] ], \"\\u0068tml\":7e2 ,\"n\":null,\"t\":true} ";
	for (size_t i = 0; i < 2; i++) {
		AUTO_BUF out = { 0 };
		const struct json_value root = value_of(i, text);
		const struct json_value a = json_member(root, "a"), html = json_member(root, "html");
		struct json_walk w = json_walk(a);
		size_t n = 0;
		assert_int_equal(json_kind(root), JSON_IS_OBJECT);
		assert_int_equal(json_kind(a), JSON_IS_ARRAY);
		assert_int_equal(json_kind(html), JSON_IS_NUMBER);
		assert_int_equal(json_kind(json_member(root, "n")), JSON_IS_NULL);
		assert_int_equal(json_kind(json_member(root, "t")), JSON_IS_BOOLEAN);
		assert_int_equal(json_kind(json_member(root, "ht")), JSON_IS_NOTHING);
		assert_int_equal(json_kind(json_member(a, "a")), JSON_IS_NOTHING);
		assert_slice(json_written(html), "7e2");
		assert_slice(json_written(a), "[ 1 , {\"b c\":\" d  e \"} , [] ]");
		assert_slice(json_written(json_member(root, "no")), "");
		assert_ok(json_append(a, &out));
		assert_slice(buf_slice(&out), "[1,{\"b c\":\" d  e \"},[]]");
		while (json_walk_next(&w)) {
			assert_int_equal(w.name.len, 0);
			n++;
		}
		assert_int_equal(n, 3);
		assert_false(json_walk_next(&w));
		w = json_walk(root);
		assert_true(json_walk_next(&w) && json_walk_next(&w));
		assert_slice(w.name, "\"\\u0068tml\"");
	}
}

TEST(the_last_of_several_members_counts)
{
	static const struct json_rules rules = { .depth_most = 2 };
	struct json_reader *r = json_reader_new(&rules);
	struct json_value root;
	assert_non_null(r);
	assert_ok(json_read(r, slice_from_text("{\"a\":1,\"a\":[2]}"), &root, NULL));
	assert_slice(json_written(json_member(root, "a")), "[2]");
	assert_int_equal(json_read(r, slice_from_text("[[[1]]]"), &root, NULL), DANA_EFORMAT);
	json_reader_free(r);
}

/* The page after the text cannot be read. */
TEST(nothing_after_the_text_is_read)
{
	const size_t size = (size_t)sysconf(_SC_PAGESIZE);
	char *pages = mmap(NULL, 2 * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(pages, MAP_FAILED);
	assert_int_equal(mprotect(pages + size, size, PROT_NONE), 0);
	for (size_t len = 2; len < 300; len++) {
		struct json_value root;
		char *text = pages + size - len;
		memset(text, 'x', len);
		text[0] = text[len - 1] = '"';
		for (size_t i = 0; i < 2; i++)
			assert_ok(json_read(readers[i], slice_of(text, len), &root, NULL));
	}
	assert_int_equal(munmap(pages, 2 * size), 0);
}

GROUP(begin, end)
