/* SPDX-License-Identifier: MIT */
/* Tables of sites: what they have on pages and their text, and the calls of dana/site.h. */
#include "config.h"

#include <stdio.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "dana/site.h"
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
		assert_ok(buf_append(scopes, &(struct pair){ scope, 1 }, sizeof(struct pair)));
		for (unsigned k = page / 2; k < 6; k++) {
			char line[32];
			uint64_t key;
			size_t chars;
			(void)snprintf(line, sizeof(line), "Line number %u", k);
			assert_ok(line_hash(hasher, slice_from_text(line), scope, &key, &chars));
			assert_ok(line_counter_add(c, key, &err));
			assert_ok(buf_append(keys, &(struct pair){ key, 1 }, sizeof(struct pair)));
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
		assert_ok(line_table_of_pairs(&lines, &keys, &scopes));
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

/* ---- dana/site.h ---- */

enum { PAGES = 9 };
#define OFFER "Follow our letter again"

/* Page k of its site; every third one is of a site of its own. */
static void add_page(struct buf *archive, unsigned k)
{
	AUTO_BUF html = { 0 };
	buf_printf(&html, "<html><body><div class=content><h1>Week %u</h1>", k);
	for (unsigned day = 1; day < 7; day++)
		buf_printf(&html,
			   "<p>On day %u of week %u the keeper walked %u steps to the lamp, lit it, and wrote down "
			   "who had come.</p>",
			   day, k, day * k);
	buf_printf(&html, "<div class=extra><p>" OFFER "</p></div></div></body></html>");
	buf_printf(archive,
		   "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:%u>\r\nWARC-Date: 2024-05-01T10:00:00Z\r\n"
		   "WARC-Target-URI: http://%s%u.example/%u\r\nContent-Type: text/html\r\nContent-Length: %zu\r\n\r\n",
		   k, k % 3 ? "a.site" : "alone", k % 3 ? 0 : k, k, html.len);
	buf_append(archive, html.data, html.len);
	assert_ok(buf_append_text(archive, "\r\n\r\n"));
}

/* Runs a part of the archive. Returns how many documents have the offer. */
static unsigned take(struct slice bytes, uint64_t begin, uint64_t end, const struct dana_site_table *table)
{
	const struct dana_archive_options options = { .struct_size = sizeof(options),
						      .method = "learned:recall=70",
						      .begin = begin,
						      .end = end,
						      .site = table };
	struct dana_document doc = { .struct_size = sizeof(doc) };
	struct dana_archive *a;
	unsigned offers = 0;
	int answer = DANA_ARCHIVE_HUNGRY;
	assert_ok(dana_archive_new(&a, &options));
	for (unsigned pushed = 0; answer == DANA_ARCHIVE_HUNGRY; pushed++) {
		assert_int_equal(pushed ? dana_archive_end(a) : dana_archive_push(a, bytes.data, bytes.len),
				 DANA_SUCCESS);
		while ((answer = dana_archive_next(a, &doc)) == DANA_ARCHIVE_DOCUMENT)
			offers += memmem(doc.text.data, doc.text.len, OFFER, strlen(OFFER)) != NULL;
	}
	assert_int_equal(answer, DANA_ARCHIVE_OVER);
	dana_archive_free(a);
	return offers;
}

/* Returns the number of pages. */
static uint64_t learn(const char *path, struct slice bytes, uint64_t begin, uint64_t end, uint64_t least)
{
	const struct dana_site_options options = { .struct_size = sizeof(options),
						   .path = path,
						   .least = least,
						   .force = 1 };
	struct dana_site_learner *l;
	assert_ok(dana_site_learner_new(&l, &options));
	(void)take(bytes, begin, end, dana_site_learner_site(l));
	const uint64_t pages = dana_site_learner_pages(l);
	assert_ok(dana_site_learner_finish(l));
	assert_int_equal(dana_site_learner_finish(l), DANA_WRONG_ORDER);
	dana_site_learner_free(l);
	return pages;
}

static void assert_same_file(const char *a, const char *b)
{
	char *data[2] = { NULL };
	size_t len[2];
	assert_ok(whole_file_read(NULL, a, &data[0], &len[0]));
	assert_ok(whole_file_read(NULL, b, &data[1], &len[1]));
	assert_int_equal(len[0], len[1]);
	assert_memory_equal(data[0], data[1], len[0]);
	free(data[0]);
	free(data[1]);
}

/* Of each cut into two parts, the tables of the parts together are the table of the whole. */
TEST(a_table_is_learned_in_parts_and_drops_what_others_have)
{
	static const char *const parts[] = { "part1.table", "part2.table" };
	AUTO_BUF archive = { 0 };
	struct dana_site_table *table;
	char why[200];
	for (unsigned k = 1; k <= PAGES; k++)
		add_page(&archive, k);
	const struct slice bytes = buf_slice(&archive);
	assert_int_equal(learn("whole.table", bytes, 0, 0, 1), PAGES);
	for (uint64_t cut = 1; cut < bytes.len; cut += 1 + bytes.len / 14) {
		const uint64_t before = learn(parts[0], bytes, 0, cut, 1);
		assert_int_equal(before + learn(parts[1], bytes, cut, bytes.len, 1), PAGES);
		assert_ok(dana_site_merge(parts, 2, "merged.table", 1, 1, NULL, 0));
		assert_same_file("whole.table", "merged.table");
	}
	assert_int_equal(dana_site_merge(parts, 2, "merged.table", 1, 0, why, sizeof(why)), DANA_BAD_OPTION);
	assert_non_null(strstr(why, "merged.table exists"));
	assert_int_equal(take(bytes, 0, 0, NULL), PAGES);
	for (unsigned i = 0; i < 2; i++) {
		assert_ok(dana_site_table_open(&table, i ? "whole.table" : "merged.table", NULL, 0));
		assert_int_equal(take(bytes, 0, 0, table), PAGES / 3);
		dana_site_table_free(table);
	}
	(void)learn("whole.table", bytes, 0, 0, 0); /* lines of two pages and more are enough */
	assert_ok(dana_site_table_open(&table, "whole.table", NULL, 0));
	assert_int_equal(take(bytes, 0, 0, table), PAGES / 3);
	dana_site_table_free(table);
	for (unsigned i = 0; i < 2; i++)
		(void)unlink(parts[i]);
	(void)unlink("whole.table");
	(void)unlink("merged.table");
}

/* Several methods teach as the first one does alone; what is read too late counts for nothing. */
TEST(a_page_teaches_once)
{
	static const char *const more[] = { "learned:recall=70", "danag" };
	static const char *const paths[] = { "alone.table", "several.table", "late.table" };
	AUTO_BUF archive = { 0 };
	for (unsigned k = 1; k <= PAGES; k++)
		add_page(&archive, k);
	for (unsigned i = 0; i < 3; i++) {
		const struct dana_site_options options = { .struct_size = sizeof(options),
							   .path = paths[i],
							   .force = 1 };
		struct dana_archive_options reads = { .struct_size = sizeof(reads), .method = "learned" };
		struct dana_document doc = { .struct_size = sizeof(doc) };
		struct dana_site_learner *l;
		struct dana_archive *a;
		reads.more_methods = more;
		reads.n_more_methods = i == 1 ? 2 : 0;
		assert_ok(dana_site_learner_new(&l, &options));
		reads.site = dana_site_learner_site(l);
		assert_ok(dana_archive_new(&a, &reads));
		assert_ok(dana_archive_push(a, archive.data, archive.len));
		for (unsigned page = 1; i == 2 && page < PAGES; page++)
			assert_int_equal(dana_archive_next(a, &doc), DANA_ARCHIVE_DOCUMENT);
		if (i == 2)
			assert_ok(dana_site_learner_finish(l));
		while (dana_archive_next(a, &doc) == DANA_ARCHIVE_DOCUMENT)
			;
		assert_ok(dana_archive_end(a));
		while (dana_archive_next(a, &doc) == DANA_ARCHIVE_DOCUMENT)
			;
		if (i < 2)
			assert_ok(dana_site_learner_finish(l));
		assert_int_equal(dana_site_learner_pages(l), i < 2 ? PAGES : PAGES - 1);
		dana_archive_free(a);
		assert_int_equal(dana_site_learner_pages(l), i < 2 ? PAGES : PAGES - 1);
		dana_site_learner_free(l);
	}
	assert_same_file(paths[0], paths[1]);
	for (unsigned i = 0; i < 3; i++)
		(void)unlink(paths[i]);
}

TEST(calls_of_sites_refuse_what_is_wrong)
{
	static const char *const tables[] = { "nowhere.table" };
	struct dana_site_options options = { .struct_size = sizeof(options), .path = "no/folder/x" };
	struct dana_site_learner *l;
	struct dana_site_table *t;
	char why[200] = "";
	assert_int_equal(dana_site_learner_new(&l, NULL), DANA_WRONG_ORDER);
	assert_int_equal(dana_site_learner_new(NULL, &options), DANA_WRONG_ORDER);
	options.error = why;
	options.error_size = sizeof(why);
	assert_int_equal(dana_site_learner_new(&l, &options), DANA_CANNOT_READ);
	assert_null(l);
	assert_non_null(strstr(why, "no/folder"));
	options.path = "some.table";
	options.memory = 8191;
	assert_int_equal(dana_site_learner_new(&l, &options), DANA_BAD_OPTION);
	options.memory = 0;
	assert_ok(dana_site_learner_new(&l, &options));
	assert_string_equal(dana_site_learner_error(l), "");
	dana_site_learner_free(l); /* unfinished: no file is left */
	assert_int_equal(access("some.table", F_OK) && access("some.table.part", F_OK), 1);
	assert_ok(dana_site_learner_new(&l, &options));
	assert_ok(dana_site_learner_finish(l)); /* of no page */
	dana_site_learner_free(l);
	assert_int_equal(dana_site_learner_new(&l, &options), DANA_BAD_OPTION);
	assert_ok(dana_site_table_open(&t, "some.table", why, sizeof(why)));
	dana_site_table_free(t);
	dana_site_table_free(NULL);
	dana_site_learner_free(NULL);
	assert_string_equal(dana_site_learner_error(NULL), "");
	assert_int_equal(dana_site_learner_pages(NULL), 0);
	(void)unlink("some.table");
	assert_int_equal(dana_site_table_open(&t, tables[0], why, sizeof(why)), DANA_CANNOT_READ);
	assert_null(t);
	assert_non_null(strstr(why, tables[0]));
	assert_int_equal(dana_site_table_open(NULL, tables[0], NULL, 0), DANA_WRONG_ORDER);
	assert_int_equal(dana_site_merge(tables, 1, "x", 1, 0, NULL, 0), DANA_CANNOT_READ);
	assert_int_equal(dana_site_merge(tables, 0, "x", 1, 0, NULL, 0), DANA_WRONG_ORDER);
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
		assert_ok(line_table_of_pairs(&lines, &keys, &scopes));
		assert_int_equal(lines.n_lines, 0);
		assert_int_equal(lines.n_scopes, scopes.len / sizeof(struct pair));
		site_table_take(t, &lines);
		assert_ok(buf_append(&keys, &(struct pair){ once[round], 1 }, sizeof(struct pair)));
		assert_ok(buf_append(&scopes, &(struct pair){ once[round], 1 }, sizeof(struct pair)));
	}
	sources->close(s);
	site_table_free(t);
}

/* What a page of a site has: words of its lines, and its log odds of two paths; 99: it has no such path. */
struct taught_page {
	const char *url, *lines;
	uint32_t own[2];
};

static void teach(const struct site_sources *sources, const struct site_source *s, const struct taught_page *page)
{
	uint32_t others, pages;
	uint64_t sum;
	assert_ok(s->page(s->arg, slice_from_text(page->url), &others));
	assert_int_equal(others, page->url[0] == 'h');
	for (const char *word = page->lines; *word; word += strcspn(word, " ") + (strchr(word, ' ') != NULL))
		assert_ok(s->text(s->arg, slice_of(word, strcspn(word, " ")), &pages));
	for (uint32_t k = 0; k < 2; k++) {
		if (page->own[k] != 99)
			assert_ok(s->path(s->arg, 7 + k, page->own[k], &pages, &sum));
	}
	struct slice learned;
	assert_ok(s->learned(s->arg, &learned));
	assert_int_equal(learned.len != 0, page->own[0] != 99 || page->own[1] != 99);
	if (learned.len)
		assert_ok(sources->take(sources->arg, learned));
	assert_ok(s->learned(s->arg, &learned)); /* once */
	assert_int_equal(learned.len, 0);
}

/* Pages that are learned by any number of threads, in any order, make the same table. */
TEST(a_learner_makes_a_table)
{
	static const struct taught_page pages[] = {
		{ "http://example.org/1", "menu one menu MENU", { 40, 3 } },
		{ "http://www.example.org/2", "menu two", { 30, 99 } },
		{ "http://example.org/3", "menu three one", { 48, 0 } },
		{ "http://example.org/4", "", { 99, 99 } }, /* nothing: not counted */
		{ "http://example.com/1", "menu", { 40, 40 } },
	};
	enum { TAUGHT = sizeof(pages) / sizeof(*pages) };
	static const char path[] = "sites.table";
	const struct line_counter_settings settings = { .by_site = true,
							.least = 2,
							.size = 1 << 20,
							.memory = 1 << 16,
							.force = true };
	struct error err = { 0 };
	uint64_t identity = 0;
	for (unsigned round = 0; round < 6; round++) {
		struct site_learner *l = site_learner_open(path, &settings, false, &err);
		assert_non_null(l);
		const struct site_sources *sources = site_learner_sources(l);
		const struct site_source *s[3];
		const unsigned threads = 1 + round % 3;
		for (unsigned k = 0; k < threads; k++)
			assert_non_null(s[k] = sources->open(sources->arg));
		for (unsigned i = 0; i < TAUGHT; i++)
			teach(sources, s[i % threads], &pages[round < 3 ? i : TAUGHT - 1 - i]);
		for (unsigned k = 0; k < threads; k++)
			sources->close(s[k]);
		sources->close(NULL);
		assert_int_equal(site_learner_pages(l), 4);
		assert_true(!sources->wants);
		assert_ok(site_learner_finish(l, &err));
		struct site_table *t = site_table_open(path, &err);
		assert_non_null(t);
		assert_true(round == 0 || identity == site_table_identity(t));
		identity = site_table_identity(t);
		const struct site_sources *known = site_table_sources(t);
		const struct site_source *r = known->open(known->arg);
		uint32_t others, n;
		uint64_t sum;
		assert_true(!r->learned && !known->take && !known->wants);
		assert_ok(r->page(r->arg, slice_from_text("http://example.org/1"), &others));
		assert_int_equal(others, 2);
		assert_ok(r->text(r->arg, slice_from_text("Menu"), &n));
		assert_int_equal(n, 2);
		assert_ok(r->text(r->arg, slice_from_text("one"), &n));
		assert_int_equal(n, 1);
		assert_ok(r->text(r->arg, slice_from_text("two"), &n));
		assert_int_equal(n, 0);
		assert_ok(r->path(r->arg, 7, 40, &n, &sum));
		assert_true(n == 2 && sum == 78);
		assert_ok(r->path(r->arg, 8, 3, &n, &sum));
		assert_true(n == 1 && sum == 0);
		assert_ok(r->path(r->arg, 8, 48, &n, &sum)); /* of another model */
		assert_true(n == 1 && sum == 0);
		assert_ok(r->path(r->arg, 9, 3, &n, &sum));
		assert_true(n == 0 && sum == 0);
		assert_ok(r->page(r->arg, slice_from_text("http://example.com/1"), &others));
		assert_int_equal(others, 0);
		assert_ok(r->path(r->arg, 7, 40, &n, &sum));
		assert_int_equal(n, 0);
		known->close(r);
		site_table_free(t);
	}
	(void)unlink(path);
	/* a folder that does not exist */
	assert_null(site_learner_open("missing/sites.table", &settings, false, &err));
	assert_int_equal(err.status, DANA_EIO);
	site_learner_abandon(NULL);
}

/* Teaches pages `first` to `last` of a site, each with the same line and path. Returns how many of them were wanted. */
static unsigned teach_site(const struct site_sources *sources, const struct site_source *s, const char *host,
			   unsigned first, unsigned last)
{
	unsigned wanted = 0;
	for (unsigned k = first; k <= last; k++) {
		char url[64];
		(void)snprintf(url, sizeof(url), "http://%s/%u", host, k);
		const bool want = sources->wants(sources->arg, slice_from_text(url));
		const struct taught_page page = { url, "menu", { 40, 99 } };
		wanted += want;
		teach(sources, s, &page); /* also what is not wanted, as a worker may that asked too early */
		/* what was left out is not wanted later, and what is learned stays so */
		assert_true(sources->wants(sources->arg, slice_from_text(url)) == want);
	}
	return wanted;
}

/* Of a large site a sample is learned, and the table knows its pages. */
TEST(a_learner_takes_a_sample)
{
	static const char path[] = "sites.table";
	static const struct {
		unsigned pages, least, most; /* of a site, and of its sample */
	} rows[] = { { 1, 1, 1 }, { 7, 7, 7 }, { 8, 8, 8 }, { 12, 8, 12 }, { 100, 9, 13 }, { 3000, 10, 17 } };
	struct line_counter_settings settings = LINE_COUNTER_OF_SITES;
	struct error err = { 0 };
	settings.force = true;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct site_learner *l = site_learner_open(path, &settings, true, &err);
		assert_non_null(l);
		const struct site_sources *sources = site_learner_sources(l);
		const struct site_source *s = sources->open(sources->arg);
		const unsigned sample = teach_site(sources, s, "a.example", 1, rows[i].pages);
		assert_in_range(sample, rows[i].least, rows[i].most);
		/* pages that come again, and another site */
		assert_int_equal(teach_site(sources, s, "a.example", 1, 3), 3);
		assert_int_equal(teach_site(sources, s, "b.example", 1, 5), 5);
		assert_false(sources->wants(sources->arg, slice_from_text("urn:x")));
		const uint64_t learned = site_learner_pages(l) - 5;
		assert_int_equal(learned, sample + 3);
		sources->close(s);
		assert_ok(site_learner_finish(l, &err));
		struct site_table *t = site_table_open(path, &err);
		assert_non_null(t);
		const struct site_sources *known = site_table_sources(t);
		const struct site_source *r = known->open(known->arg);
		unsigned counted = 0;
		for (unsigned k = 1; k <= rows[i].pages; k++) {
			char url[64];
			uint32_t others, pages;
			uint64_t sum;
			(void)snprintf(url, sizeof(url), "http://a.example/%u", k);
			assert_ok(r->page(r->arg, slice_from_text(url), &others));
			const bool of_sample = others == learned - 1;
			assert_true(of_sample || others == learned);
			assert_ok(r->text(r->arg, slice_from_text("menu"), &pages));
			assert_int_equal(pages, others);
			assert_ok(r->path(r->arg, 7, 40, &pages, &sum));
			assert_true(pages == others && sum == 40 * (uint64_t)others);
			assert_true(of_sample || k > 8);
			counted += of_sample;
		}
		assert_int_equal(counted, rows[i].pages < 3 ? rows[i].pages : sample);
		uint32_t others;
		assert_ok(r->page(r->arg, slice_from_text("http://b.example/9"), &others));
		assert_int_equal(others, 4);
		known->close(r);
		site_table_free(t);
	}
	(void)unlink(path);
}

/* When the memory for addresses is full, sites with few of them are learned whole, and samples stay as they are. */
TEST(samples_are_bounded_in_memory)
{
	static const char path[] = "sites.table";
	struct line_counter_settings settings = LINE_COUNTER_OF_SITES;
	struct error err = { 0 };
	settings.force = true;
	settings.memory = 1 << 16;
	struct site_learner *l = site_learner_open(path, &settings, true, &err);
	assert_non_null(l);
	const struct site_sources *sources = site_learner_sources(l);
	const struct site_source *s = sources->open(sources->arg);
	const unsigned sample = teach_site(sources, s, "a.example", 1, 20);
	assert_in_range(sample, 8, 19);
	assert_int_equal(teach_site(sources, s, "b.example", 1, 5), 5);
	for (unsigned k = 0; k < 400; k++) {
		char host[32];
		(void)snprintf(host, sizeof(host), "10.0.%u.%u", k / 200, k % 200);
		assert_int_equal(teach_site(sources, s, host, 1, 1), 1);
	}
	uint64_t before = site_learner_pages(l);
	assert_int_equal(before, sample + 5 + 400);
	assert_int_equal(teach_site(sources, s, "b.example", 6, 40), 35);
	assert_int_equal(teach_site(sources, s, "10.0.1.199", 2, 40), 39);
	assert_int_equal(site_learner_pages(l), before + 35 + 39);
	(void)teach_site(sources, s, "a.example", 21, 100);
	assert_int_equal(site_learner_pages(l), before + 35 + 39);
	sources->close(s);
	assert_ok(site_learner_finish(l, &err));
	struct site_table *t = site_table_open(path, &err);
	assert_non_null(t);
	const struct site_sources *known = site_table_sources(t);
	const struct site_source *r = known->open(known->arg);
	static const struct {
		const char *url;
		uint32_t less; /* than the pages of the site */
		uint32_t pages;
	} rows[] = ROWS({ "http://b.example/2", 1, 40 }, { "http://b.example/39", 1, 40 },
			{ "http://10.0.1.199/1", 1, 40 }, { "http://10.0.1.199/40", 1, 40 },
			{ "http://10.0.0.7/1", 1, 1 }, { "http://a.example/2", 1, 0 }, { "http://a.example/99", 0, 0 });
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		uint32_t others;
		assert_ok(r->page(r->arg, slice_from_text(rows[i].url), &others));
		assert_int_equal(others, (rows[i].pages ? rows[i].pages : sample) - rows[i].less);
	}
	known->close(r);
	site_table_free(t);
	(void)unlink(path);
}
