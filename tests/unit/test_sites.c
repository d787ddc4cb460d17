/* SPDX-License-Identifier: MIT */
/* What a table of sites has on pages and their text. */
#include "config.h"

#include <stdio.h>
#include <unistd.h>

#include "base/buf.h"
#include "dedup/line_table.h"
#include "dedup/normal_text.h"
#include "dedup/page_lines.h"
#include "dedup/site_table.h"
#include "support/unit.h"

/* A table of `pages` pages of each of two sites. Line k of 0 to 5 is on the first k + 1 of them. */
static void make_table(const char *path, bool by_site, unsigned pages)
{
	static const char *const sites[] = { "example.org", "127.0.0.1" };
	const struct line_counter_settings settings = { .by_site = by_site,
							.least = 2,
							.size = 1 << 20,
							.memory = 1 << 16,
							.force = true };
	struct error err = { 0 };
	struct text_hasher *hasher = text_hasher_new(NORMAL_SMALL);
	struct line_counter *c = line_counter_new(path, &settings, &err);
	assert_non_null(c);
	for (unsigned page = 0; page < 2 * pages; page++) {
		const uint64_t scope = line_scope(slice_from_text(sites[page % 2]));
		assert_ok(line_counter_page(c, scope, &err));
		for (unsigned k = page / 2; k < 6; k++) {
			char line[32];
			uint64_t key;
			size_t chars;
			(void)snprintf(line, sizeof(line), "Line number %u", k);
			assert_ok(line_hash(hasher, slice_from_text(line), scope, &key, &chars));
			assert_ok(line_counter_add(c, key, &err));
		}
	}
	assert_ok(line_counter_finish(c, &err));
	text_hasher_free(hasher);
}

TEST(a_table_knows_other_pages)
{
	static const char path[] = "sites.table";
	static const struct {
		const char *url;
		uint32_t others;
	} pages[] = ROWS({ "http://example.org/", 7 }, { "https://WWW.Example.ORG:8080/a?b", 7 },
			 { "http://127.0.0.1:8000/", 7 }, { "http://127.0.0.1/", 7 }, { "http://example.com/", 0 },
			 { "urn:x", 0 }, { "", 0 });
	static const struct {
		const char *text;
		uint32_t pages;
	} texts[] = ROWS({ "Line number 0", 0 }, { "Line number 1", 1 }, { "Line number 5", 5 },
			 { "  LINE \t number   5 ", 5 }, { "Line number 6", 0 }, { "", 0 }, { "\n \n", 0 },
			 { "Line number 5\nLine number 3", 3 }, { "Line number 3\n\nLine number 5\n", 3 },
			 { "Line number 5\nnever seen\nLine number 5", 0 });
	struct error err = { 0 };
	make_table(path, true, 8);
	struct site_table *t = site_table_open(path, &err);
	assert_non_null(t);
	const struct site_sources *sources = site_table_sources(t);
	const struct site_source *s = sources->open(sources->arg);
	for (size_t i = 0; i < sizeof(pages) / sizeof(*pages); i++) {
		uint32_t others = 99, n = 99;
		assert_ok(s->page(s->arg, slice_from_text(pages[i].url), &others));
		assert_int_equal(others, pages[i].others);
		for (size_t k = 0; others && k < sizeof(texts) / sizeof(*texts); k++) {
			assert_ok(s->text(s->arg, slice_from_text(texts[k].text), &n));
			assert_int_equal(n, texts[k].pages);
		}
	}
	sources->close(s);
	sources->close(NULL);
	site_table_free(t);
	site_table_free(NULL);
	(void)unlink(path);
}

/* Tables of other content have other numbers; one that is not by site is refused. */
TEST(tables_are_told_apart)
{
	static const char path[] = "sites.table";
	struct error err = { 0 };
	uint64_t number[3];
	for (unsigned i = 0; i < 3; i++) {
		make_table(path, true, i < 2 ? 8 : 9);
		struct site_table *t = site_table_open(path, &err);
		assert_non_null(t);
		number[i] = site_table_identity(t);
		site_table_free(t);
	}
	assert_true(number[0] == number[1] && number[0] != number[2]);
	make_table(path, false, 8);
	assert_null(site_table_open(path, &err));
	assert_int_equal(err.status, DANA_ECONFIG);
	assert_non_null(strstr(err.text, "not by site"));
	(void)unlink(path);
	err = (struct error){ 0 };
	assert_null(site_table_open(path, &err));
	assert_int_equal(err.status, DANA_EIO);
}
