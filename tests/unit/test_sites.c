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

/*
 * A table of `pages` pages of each of two sites. Line k of 0 to 5 is on the first k + 1 of them. `keys` and `scopes`
 * get what is counted.
 */
static void make_table(const char *path, bool by_site, unsigned pages, struct buf *keys, struct buf *scopes)
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
		assert_ok(buf_append(scopes, &scope, sizeof(scope)));
		for (unsigned k = page / 2; k < 6; k++) {
			char line[32];
			uint64_t key;
			size_t chars;
			(void)snprintf(line, sizeof(line), "Line number %u", k);
			assert_ok(line_hash(hasher, slice_from_text(line), scope, &key, &chars));
			assert_ok(line_counter_add(c, key, &err));
			assert_ok(buf_append(keys, &key, sizeof(key)));
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
	AUTO_BUF keys = { 0 };
	AUTO_BUF scopes = { 0 };
	struct error err = { 0 };
	make_table(path, true, 8, &keys, &scopes);
	struct site_table *t = site_table_open(path, &err);
	assert_non_null(t);
	const struct site_sources *sources = site_table_sources(t);
	const struct site_source *s = sources->open(sources->arg);
	/* the table of a file, and then one of the same pages that was never in a file */
	for (unsigned round = 0; round < 2; round++) {
		for (size_t i = 0; i < sizeof(pages) / sizeof(*pages); i++) {
			uint32_t others = 99, n = 99;
			assert_ok(s->page(s->arg, slice_from_text(pages[i].url), &others));
			assert_int_equal(others, pages[i].others);
			for (size_t k = 0; others && k < sizeof(texts) / sizeof(*texts); k++) {
				assert_ok(s->text(s->arg, slice_from_text(texts[k].text), &n));
				assert_int_equal(n, texts[k].pages);
			}
		}
		struct line_table file, lines;
		assert_ok(line_table_of_keys(&lines, &keys, &scopes));
		assert_ok(line_table_open(&file, path, &err));
		assert_true(lines.by_site && lines.least == file.least && lines.pages == file.pages);
		assert_int_equal(lines.n_lines, file.n_lines);
		assert_memory_equal(lines.lines, file.lines, lines.n_lines * PAIR_BYTES);
		assert_int_equal(lines.n_scopes, file.n_scopes);
		assert_memory_equal(lines.scopes, file.scopes, lines.n_scopes * PAIR_BYTES);
		line_table_close(&file);
		site_table_take(t, &lines);
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
	AUTO_BUF keys = { 0 };
	AUTO_BUF scopes = { 0 };
	struct error err = { 0 };
	uint64_t number[3];
	for (unsigned i = 0; i < 3; i++) {
		make_table(path, true, i < 2 ? 8 : 9, &keys, &scopes);
		struct site_table *t = site_table_open(path, &err);
		assert_non_null(t);
		number[i] = site_table_identity(t);
		site_table_free(t);
	}
	assert_true(number[0] == number[1] && number[0] != number[2]);
	make_table(path, false, 8, &keys, &scopes);
	assert_null(site_table_open(path, &err));
	assert_int_equal(err.status, DANA_ECONFIG);
	assert_non_null(strstr(err.text, "not by site"));
	(void)unlink(path);
	err = (struct error){ 0 };
	assert_null(site_table_open(path, &err));
	assert_int_equal(err.status, DANA_EIO);
}

TEST(a_table_may_be_empty)
{
	AUTO_BUF keys = { 0 };
	AUTO_BUF scopes = { 0 };
	const uint64_t once[] = { 5, 3, 9 };
	struct error err = { 0 };
	struct site_table *t = site_table_empty(&err);
	assert_non_null(t);
	const struct site_sources *sources = site_table_sources(t);
	const struct site_source *s = sources->open(sources->arg);
	for (unsigned round = 0; round < 3; round++) {
		struct line_table lines;
		uint32_t n = 99;
		assert_ok(s->page(s->arg, slice_from_text("http://example.org/"), &n));
		assert_int_equal(n, 0);
		assert_ok(s->text(s->arg, slice_from_text("Line number 5"), &n));
		assert_int_equal(n, 0);
		assert_ok(line_table_of_keys(&lines, &keys, &scopes));
		assert_int_equal(lines.n_lines, 0);
		assert_int_equal(lines.n_scopes, scopes.len / sizeof(uint64_t));
		site_table_take(t, &lines);
		assert_ok(buf_append(&keys, once + round, sizeof(*once)));
		assert_ok(buf_append(&scopes, once + round, sizeof(*once)));
	}
	sources->close(s);
	site_table_free(t);
}
