/* SPDX-License-Identifier: MIT */
/* What the sieve of the plugin metadata keeps: the same wherever a page is cut, and nothing that is hidden in comments
 * and scripts. */
#include <strings.h>

#include "base/cpu.h"
#include "plugins/metadata/sieve.h"
#include "support/unit.h"

/* `near`: NULL, where there is no heading: all of the short page. */
static void expect_cut(const char *page, const char *kept, const char *near)
{
	const size_t len = strlen(page);
	for (size_t step = 1; step <= len; step++) {
		struct sieve s = { .name_len = 0 };
		sieve_begin(&s);
		for (size_t at = 0; at < len; at += step)
			sieve_write(&s, slice_of(page + at, len - at < step ? len - at : step));
		assert_int_equal(buf_append_byte(&s.kept, 0) + buf_append_byte(&s.near, 0), 0);
		assert_string_equal((const char *)s.kept.data, kept);
		assert_string_equal((const char *)s.near.data, near ? near : page);
		sieve_free(&s);
	}
}

TEST(test_tags)
{
	expect_cut("<HTML lang=fa><META name=a content='x>y'>\n<p><li><link rel=stylesheet href=a.css>"
		   "<link rel=Canonical href=/b><tim><time>3 Feb<b>x</b>",
		   "<html lang=fa><meta name=a content='x>y'>\n<><link rel=Canonical href=/b><time>3 Feb<>", NULL);
	expect_cut("<link rel=xcanonicalx><link a=CANONICA b><link anonicanonicalcanonicAL><link lcanonica>",
		   "<link rel=xcanonicalx><link anonicanonicalcanonicAL>", NULL);
	expect_cut("text < <<meta a><metadata b><meta-c><m<e", "<meta a><>", NULL);
	expect_cut("<h2>a</h2><h1 id=x>b</h1><h1>c</h1>", "<h1>", "<h1 id=x>b</h1><h1>c</h1>");
}

TEST(test_hidden)
{
	expect_cut("<!-- <meta a> -- > --><meta b><!--> <meta c>", "<meta b><>", NULL);
	expect_cut("<script>'<meta a></scriptx></scrip</script ><meta b>x<style><h1></style><h1>", "<meta b>x<><h1>",
		   "<h1>");
	expect_cut("<script type=application/ld+json>{\"a\":\"<meta b>\"}</SCRIPT>z<script><meta c>",
		   "<script type=application/ld+json>{\"a\":\"<meta b>\"}</SCRIPT>", NULL);
}

TEST(test_bounds)
{
	enum { LONG = 50000 };
	char *page = malloc(LONG + 1);
	assert_non_null(page);
	memset(page, 'x', LONG);
	page[LONG] = 0;
	memcpy(page, "<h1><time>", 10);
	for (size_t step = 1; step <= LONG; step += 997) {
		struct sieve s = { .name_len = 0 };
		sieve_begin(&s);
		for (size_t at = 0; at < LONG; at += step)
			sieve_write(&s, slice_of(page + at, LONG - at < step ? LONG - at : step));
		assert_int_equal(s.near.len, NEAR_HEADING);
		assert_memory_equal(s.near.data, page, NEAR_HEADING);
		assert_int_equal(s.kept.len, 10 + 4096);
		sieve_free(&s);
	}
	free(page);
}

/* The bytes before the heading are its last ones, wherever the page is cut, also within "<h1". */
TEST(test_before)
{
	static const size_t leads[] = {
		0, 1, 2, 3, BEFORE_HEADING - 1, BEFORE_HEADING, BEFORE_HEADING + 1, 3 * BEFORE_HEADING + 5
	};
	static const size_t steps[] = { 1, 2, 3, 5, 7, 64, 1000, BEFORE_HEADING, BEFORE_HEADING + 4, 1 << 20 };
	enum { MOST = 3 * BEFORE_HEADING + 5, AFTER = 12 };
	char *page = malloc(MOST + AFTER + 1);
	assert_non_null(page);
	for (size_t i = 0; i < sizeof(leads) / sizeof(*leads); i++) {
		const size_t lead = leads[i], len = lead + AFTER;
		for (size_t k = 0; k < lead; k++)
			page[k] = (char)('a' + k % 23);
		memcpy(page + lead, "<H1>b<h1>c<p", AFTER);
		const size_t known = lead < BEFORE_HEADING ? lead : BEFORE_HEADING;
		for (size_t k = 0; k < sizeof(steps) / sizeof(*steps); k++) {
			struct sieve s = { .name_len = 0 };
			sieve_begin(&s);
			for (size_t at = 0; at < len; at += steps[k])
				sieve_write(&s, slice_of(page + at, len - at < steps[k] ? len - at : steps[k]));
			assert_true(s.before.len >= known && s.before.len <= 2 * (BEFORE_HEADING + 3));
			assert_memory_equal(s.before.data + s.before.len - known, page + lead - known, known);
			assert_int_equal(s.before.len < BEFORE_HEADING, lead < BEFORE_HEADING);
			sieve_free(&s);
		}
	}
	free(page);
}

/* Whether a tag that matters begins at the '<', or too little of the page follows to tell. */
static bool must_be_found(const uint8_t *at, const uint8_t *end)
{
	static const char *const names[] = { "<meta", "<link", "<time", "<html", "<h1", "<script", "<style", "<!--" };
	if (*at != '<' || end - at < 4)
		return *at == '<';
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if ((size_t)(end - at) >= strlen(names[i]) &&
		    !strncasecmp((const char *)at, names[i], strlen(names[i])))
			return true;
	return false;
}

/* Each path finds the same places, none of those that matter is passed over, and no byte after the end is read. */
TEST(test_find)
{
	static const char *const pieces[] = { "<meta", "<LINK", "<li", "<Time", "<title", "<html", "<h1", "<h2",
					      "<script", "<span",
					      /* parts */
					      "<sty", "<!--", "</a>", "<", "text", "\xc3\xa9", "<!d", "<<m" };
	static const enum cpu_level levels[] = { CPU_PLAIN, CPU_SSE2, CPU_AVX2, CPU_AVX512 };
	enum { PIECES = 60 };
	uint32_t random = 1;
	for (int round = 0; round < 2000; round++) {
		char text[PIECES * 8] = "";
		for (int i = 0; i < PIECES; i++) {
			random = random * 1664525 + 1013904223;
			strcat(text, pieces[random >> 16 & 15 ? (random >> 20) % 18 : 14]);
		}
		const size_t len = strlen(text);
		uint8_t *page = malloc(len);
		assert_non_null(page);
		memcpy(page, text, len);
		const uint8_t *end = page + len;
		for (const uint8_t *at = page; at < end;) {
			cpu_level_set(CPU_PLAIN);
			const uint8_t *found = tag_find(at, end);
			for (size_t i = 1; i < sizeof(levels) / sizeof(*levels); i++) {
				if (!cpu_has(levels[i]))
					continue;
				cpu_level_set(levels[i]);
				assert_ptr_equal(tag_find(at, end), found);
			}
			for (; at < found; at++)
				assert_false(must_be_found(at, end));
			at = found + 1;
		}
		free(page);
	}
	cpu_level_set(cpu_level_find());
}
