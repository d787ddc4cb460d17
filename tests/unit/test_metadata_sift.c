/* SPDX-License-Identifier: MIT */
/* What json_sift() leaves of a script: the same that Jansson reads, without the members that nobody asks for. */
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "plugins/metadata/json_sift.h"

enum { FLAGS = JSON_DISABLE_EOF_CHECK | JSON_ALLOW_NUL };

static void expect(const char *json, const char *left)
{
	struct buf out = { 0 };
	const bool good = json_sift(slice_from_text(json), &out);
	assert_int_equal(good, left != NULL);
	if (good) {
		buf_append_byte(&out, 0);
		assert_string_equal((const char *)out.data, left);
	}
	buf_free(&out);
}

static void test_members(void **state)
{
	(void)state;
	expect(" [ 1 , {\"a\" : [2, {}], \"@type\":\"Article\",\"b\":null} ] x", "[1,{\"@type\":\"Article\"}]");
	expect("{\"image\":{\"url\":\"u\",\"width\":3,\"author\":4},\"c\":{\"image\":5},\"author\":[{\"name\":\"n\"},{}]}",
	       "{\"image\":{\"url\":\"u\"},\"author\":[{\"name\":\"n\"},{}]}");
	expect("{\"@graph\":[{\"url\":1,\"mainEntity\":{\"name\":2,\"keywords\":\"\\u00e9\\n\"}}]}",
	       "{\"@graph\":[{\"mainEntity\":{\"keywords\":\"\\u00e9\\n\"}}]}");
	expect("{}", "{}");
	expect("[]", "[]");
}

static void test_undecided(void **state)
{
	static const char *const scripts[] = { "",
					       "\"a\"",
					       "{\"a\":1,}",
					       "[1,]",
					       "[1 2]",
					       "{\"a\" 1}",
					       "{\"a\":tru}",
					       "{\"a\":truex}",
					       "[01]",
					       "[-]",
					       "[1.]",
					       "[1e3]",
					       "[1",
					       "{\"a\":\"b}",
					       "{\"a\":\"\n\"}",
					       "{\"a\":\"\\x\"}",
					       "{\"\\u0061\":1}",
					       "[\"\\ud800\"]",
					       "[\f1]",
					       "[\"\\u00g0\"]",
					       "[1234567890123456789]",
					       "[\"\xff\"]",
					       "{a:1}",
					       "{\"a\":}" };

	(void)state;
	for (size_t i = 0; i < sizeof(scripts) / sizeof(scripts[0]); i++)
		expect(scripts[i], NULL);
}

static void test_depth(void **state)
{
	char deep[100] = "", wide[100] = "";

	(void)state;
	for (int i = 0; i < 32; i++)
		strcat(wide, "[");
	for (int i = 0; i < 32; i++)
		strcat(wide, "]");
	expect(wide, wide);
	(void)snprintf(deep, sizeof(deep), "[%s]", wide);
	expect(deep, NULL);
}

static bool is_among(const char *key, const char *const list[])
{
	while (*list && strcmp(*list, key) != 0)
		list++;
	return *list;
}

/* Takes out of a value that was read what json_sift() takes out of its text. */
static void reduce(json_t *value, bool node)
{
	static const char *const of_nodes[] = {
		"@type",        "@graph",     "mainEntity",       "author",      "publisher",
		"image",        "keywords",   "description",      "dateCreated", "datePublished",
		"dateModified", "inLanguage", "mainEntityOfPage", NULL
	};
	static const char *const of_facts[] = { "name", "@id", "url", NULL };
	const char *key;
	json_t *item;
	void *next;
	size_t i;

	json_array_foreach(value, i, item) reduce(item, node);
	json_object_foreach_safe(value, next, key, item)
	{
		const bool goes_on = node && (!strcmp(key, "@graph") || !strcmp(key, "mainEntity"));
		if (is_among(key, node ? of_nodes : of_facts))
			reduce(item, goes_on);
		else
			json_object_del(value, key);
	}
}

/* Returns whether the text was sifted. */
static bool compare(const char *text, size_t len)
{
	struct buf out = { 0 };
	const bool good = json_sift(slice_of(text, len), &out);

	if (good) {
		json_t *all = json_loadb(text, len, FLAGS, NULL);
		json_t *left = json_loadb((const char *)out.data, out.len, FLAGS, NULL);
		assert_non_null(all);
		assert_non_null(left);
		reduce(all, true);
		assert_true(json_equal(all, left));
		json_decref(all);
		json_decref(left);
	}
	buf_free(&out);
	return good;
}

/* Texts that are spoilt at random: what is sifted, Jansson reads, and the same is left. */
static void test_as_jansson(void **state)
{
	static const char seed[] =
		"{\"@context\":\"http:\\/\\/schema.org\",\"@graph\":[{\"@type\":[\"Article\",\"X\"],\"author\":[{\"name\":"
		"\"\\u0627 b\",\"age\":-1.50,\"x\":{\"name\":true}}],\"image\":{\"url\":\"\xd8\xa7\",\"w\":120},\"keywords\":[\"a\","
		"null,false]},{\"mainEntity\":{\"description\":\"a\\\"b\",\"description\":0}}],\"mainEntityOfPage\":{\"@id\":\"i\"}}";
	static const char bytes[] = "{}[]\",:\\u0d8ef-1.tna \n\xd8";
	enum { LEN = sizeof(seed) - 1, ROUNDS = 200000 };
	uint32_t random = 7;
	size_t sifted = 0;

	(void)state;
	assert_true(compare(seed, LEN));
	for (int round = 0; round < ROUNDS; round++) {
		char text[LEN];
		memcpy(text, seed, LEN);
		for (int i = 0; i <= round % 3; i++) {
			random = random * 1664525 + 1013904223;
			text[(random >> 8) % LEN] = bytes[(random >> 24) % (sizeof(bytes) - 1)];
		}
		sifted += compare(text, LEN);
	}
	assert_in_range(sifted, ROUNDS / 20, ROUNDS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_members),
		cmocka_unit_test(test_undecided),
		cmocka_unit_test(test_depth),
		cmocka_unit_test(test_as_jansson),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
