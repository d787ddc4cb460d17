/* SPDX-License-Identifier: MIT */
/* dana/archive.h: the same documents however bytes come, its errors, its outcomes, one page. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/buf.h"
#include "dana/archive.h"
#include "support/unit.h"

#define PAGE(n) \
	"<html><head><title>Title " n "</title></head><body><ul><li><a href=/>Home</a><li><a href=/a>About</a></ul>" \
	"<p>Paragraph " n " says something at some length, so that its text outweighs the markup around it by far, " \
	"as it does on pages that people read.<p>So does the second one, which is about as long as the first and " \
	"has no links in it either, only words and a full stop.</body></html>"

enum { RECORDS = 9 };

static struct buf archive;

static void record(const char *n, const char *type, const char *status, const char *body)
{
	struct buf block = { 0 };
	assert_int_equal(buf_printf(&block, "HTTP/1.1 %s\r\nContent-Type: text/html\r\n\r\n%s", status, body), 0);
	assert_int_equal(buf_printf(&archive,
				    "WARC/1.0\r\nWARC-Type: %s\r\nWARC-Record-ID: <urn:%s>\r\n"
				    "WARC-Date: 2024-05-01T10:00:00Z\r\nWARC-Target-URI: http://example.org/%s\r\n"
				    "Content-Type: application/http\r\nContent-Length: %zu\r\n\r\n%.*s\r\n\r\n",
				    type, n, n, block.len, (int)block.len, (const char *)block.data),
			 0);
	buf_free(&block);
}

static int make_archive(void **state)
{
	(void)state;
	for (int i = 0; i < RECORDS / 3; i++) {
		record("a", "response", "200 OK", PAGE("a"));
		record("b", "response", "404 Not Found", PAGE("b"));
		record("c", "request", "200 OK", "");
	}
	return 0;
}

static int free_archive(void **state)
{
	(void)state;
	buf_free(&archive);
	return 0;
}

/* ---- runs ---- */

static void note(void *arg, const struct dana_outcome *o)
{
	assert_int_equal(
		buf_printf(arg, "%d %s %llu\n", o->kind, o->reason ? o->reason : "-", (unsigned long long)o->offset),
		0);
}

static void take(struct dana_archive *a, struct buf *lines)
{
	struct dana_view line;
	assert_int_equal(dana_archive_line(a, &line), DANA_SUCCESS);
	assert_int_equal(buf_append(lines, line.data, line.len), 0);
}

/* Pushes the archive in pieces, and appends its documents. Returns the counters' JSON, appended too. */
static void run(const struct dana_archive_options *given, size_t piece, struct buf *lines)
{
	struct dana_document doc = { .struct_size = sizeof(doc) };
	struct dana_archive *a;
	struct dana_view counts;
	size_t at = 0;
	int answer = DANA_ARCHIVE_HUNGRY;
	assert_int_equal(dana_archive_new(&a, given), DANA_SUCCESS);
	while (answer == DANA_ARCHIVE_HUNGRY || answer == DANA_ARCHIVE_SEEK) {
		if (answer == DANA_ARCHIVE_SEEK)
			at = (size_t)dana_archive_seek_to(a);
		const size_t n = archive.len - at < piece ? archive.len - at : piece;
		assert_int_equal(n ? dana_archive_push(a, archive.data + at, n) : dana_archive_end(a), DANA_SUCCESS);
		at += n;
		while ((answer = dana_archive_next(a, &doc)) == DANA_ARCHIVE_DOCUMENT)
			take(a, lines);
	}
	assert_int_equal(answer, DANA_ARCHIVE_OVER);
	assert_int_equal(dana_archive_counts(a, &counts), DANA_SUCCESS);
	if (!given->begin && !given->end)
		assert_int_equal(buf_append(lines, counts.data, counts.len), 0);
	dana_archive_free(a);
}

static void bytes_in_any_pieces_give_the_same(void **state)
{
	struct buf whole = { 0 }, outcomes = { 0 };
	const struct dana_archive_options options = { .struct_size = sizeof(options),
						      .outcome = note,
						      .outcome_arg = &outcomes };
	(void)state;
	run(&options, archive.len, &whole);
	assert_int_equal(buf_append_byte(&whole, 0), 0);
	assert_non_null(strstr((const char *)whole.data, "Paragraph a says"));
	assert_null(strstr((const char *)whole.data, "Paragraph b says"));
	assert_non_null(strstr((const char *)whole.data, "\"skipped\":{\"type\":3,\"status\":3}"));
	const size_t noted = outcomes.len;
	for (size_t piece = 1; piece < 700; piece += 1 + piece * 2) {
		struct buf cut = { 0 };
		run(&options, piece, &cut);
		assert_int_equal(cut.len + 1, whole.len);
		assert_memory_equal(cut.data, whole.data, cut.len);
		buf_free(&cut);
		assert_int_equal(outcomes.len % noted, 0);
		assert_memory_equal(outcomes.data, outcomes.data + outcomes.len - noted, noted);
	}
	buf_free(&whole);
	buf_free(&outcomes);
}

static void ranges_join_to_the_whole(void **state)
{
	struct dana_archive_options options = { .struct_size = sizeof(options), .size = archive.len };
	struct buf whole = { 0 };
	(void)state;
	options.end = archive.len;
	run(&options, 100, &whole);
	for (size_t cut = 1; cut < archive.len; cut += 97) {
		struct buf parts = { 0 };
		options.begin = 0;
		options.end = cut;
		run(&options, 100, &parts);
		options.begin = cut;
		options.end = 0;
		options.end = archive.len;
		run(&options, 100, &parts);
		assert_int_equal(parts.len, whole.len);
		assert_memory_equal(parts.data, whole.data, parts.len);
		buf_free(&parts);
	}
	buf_free(&whole);
}

/* ---- readers ---- */

struct input {
	size_t at, fails_at;
	bool closed;
};

static int64_t input_read(void *arg, void *bytes, size_t size)
{
	struct input *in = arg;
	const size_t left = archive.len - in->at, n = left < 10 ? left : size < 10 ? size : 10;
	if (in->at >= in->fails_at)
		return -1;
	memcpy(bytes, archive.data + in->at, n);
	in->at += n;
	return (int64_t)n;
}

static void input_close(void *arg)
{
	((struct input *)arg)->closed = true;
}

static void a_reader_is_read_and_closed(void **state)
{
	struct input input = { .fails_at = SIZE_MAX };
	const struct dana_reader reader = { .arg = &input, .read = input_read, .close = input_close };
	struct dana_document doc = { .struct_size = sizeof(doc) };
	struct dana_archive *a;
	int n = 0;
	(void)state;
	assert_int_equal(dana_archive_open(&a, &reader, NULL), DANA_SUCCESS);
	while (dana_archive_read(a, &doc) == DANA_ARCHIVE_DOCUMENT) {
		assert_int_equal(doc.http_status, 200);
		assert_true(doc.length != UINT64_MAX && doc.language_score < 0);
		assert_memory_equal(doc.title.data, "Title a", doc.title.len);
		n++;
	}
	assert_int_equal(n, RECORDS / 3);
	dana_archive_free(a);
	assert_true(input.closed);

	input = (struct input){ .fails_at = 50 };
	assert_int_equal(dana_archive_open(&a, &reader, NULL), DANA_SUCCESS);
	assert_int_equal(dana_archive_read(a, &doc), DANA_CANNOT_READ);
	assert_true(strlen(dana_archive_error(a)) > 0);
	dana_archive_free(a);
	assert_int_equal(dana_archive_open_path(&a, "/does/not/exist", NULL), DANA_CANNOT_READ);
}

/* ---- errors ---- */

static void refused(struct dana_archive_options options, const char *words)
{
	char why[256] = "";
	struct dana_archive *a;
	options.struct_size = sizeof(options);
	options.error = why;
	options.error_size = sizeof(why);
	assert_int_equal(dana_archive_new(&a, &options), DANA_BAD_OPTION);
	assert_null(a);
	assert_non_null(strstr(why, words));
}

static void bad_options_are_named(void **state)
{
	(void)state;
	refused((struct dana_archive_options){ .method = "nothing" }, "method nothing");
	refused((struct dana_archive_options){ .schema = "nothing" }, "schema 'nothing'");
	refused((struct dana_archive_options){ .statuses = "2x" }, "--status");
	refused((struct dana_archive_options){ .begin = 5, .end = 5 }, "range");
	refused((struct dana_archive_options){ .flags = DANA_NO_DIGEST | DANA_REQUIRE_DIGEST }, "DANA_NO_DIGEST");
	const char *unknown = "no-such-plugin", *bad = "pii:nothing=1";
	refused((struct dana_archive_options){ .plugins = &unknown, .n_plugins = 1, .plugin_folder = "/nowhere" },
		"no-such-plugin");
	refused((struct dana_archive_options){ .plugins = &bad, .n_plugins = 1 }, "nothing");
	const char *same = DANA_DEFAULT_METHOD;
	refused((struct dana_archive_options){ .more_methods = &same, .n_more_methods = 1 }, "given twice");
	refused((struct dana_archive_options){ .more_methods = &unknown, .n_more_methods = 1 }, "no-such-plugin");
}

static void calls_in_the_wrong_order_are_refused(void **state)
{
	struct dana_document doc = { .struct_size = sizeof(doc) };
	struct dana_archive *a;
	(void)state;
	assert_int_equal(dana_archive_new(&a, NULL), DANA_SUCCESS);
	assert_int_equal(dana_archive_next(a, &doc), DANA_ARCHIVE_HUNGRY);
	assert_int_equal(dana_archive_end(a), DANA_SUCCESS);
	assert_int_equal(dana_archive_push(a, "x", 1), DANA_WRONG_ORDER);
	assert_int_equal(dana_archive_next(a, &doc), DANA_WRONG_ORDER);
	dana_archive_free(a);
}

/* A caller that was built with a shorter struct gets what it knows. */
static void an_older_struct_is_filled_as_far_as_it_goes(void **state)
{
	struct {
		struct dana_document doc;
		char after[8];
	} d = { .doc = { .struct_size = offsetof(struct dana_document, title) }, .after = "after" };
	struct input input = { .fails_at = SIZE_MAX };
	const struct dana_reader reader = { .arg = &input, .read = input_read };
	struct dana_archive *a;
	(void)state;
	d.doc.title.data = "mine";
	assert_int_equal(dana_archive_open(&a, &reader, NULL), DANA_SUCCESS);
	assert_int_equal(dana_archive_read(a, &d.doc), DANA_ARCHIVE_DOCUMENT);
	assert_true(d.doc.text.len > 0);
	assert_string_equal(d.doc.title.data, "mine");
	assert_string_equal(d.after, "after");
	dana_archive_free(a);
}

/* ---- several methods ---- */

static void expect_text(const struct dana_method_text *text, const char *method, const struct dana_document *wanted)
{
	assert_string_equal(text->method, method);
	assert_int_equal(text->text.len, wanted->text.len);
	assert_memory_equal(text->text.data, wanted->text.data, wanted->text.len);
}

/* A page has the texts that its methods give alone; those of an archive are the same in every split. */
static void texts_of_several_methods(void **state)
{
	static const char page[] = PAGE("a");
	char names[2][16] = { "plain", "danag:gap=30" };
	const char *const more[] = { names[0], names[1] };
	const struct dana_page_options options = { .struct_size = sizeof(options),
						   .more_methods = more,
						   .n_more_methods = 2 };
	struct dana_document doc = { .struct_size = sizeof(doc) }, alone = doc;
	struct dana_page_reader *p, *one;
	struct buf whole = { 0 };
	(void)state;
	assert_int_equal(dana_page_reader_new(&p, &options), DANA_SUCCESS);
	const struct dana_archive_options run_options = { .struct_size = sizeof(run_options),
							  .more_methods = more,
							  .n_more_methods = 2 };
	run(&run_options, archive.len, &whole);
	assert_int_equal(buf_append_byte(&whole, 0), 0);
	assert_non_null(strstr((const char *)whole.data, ",\"texts\":{\"plain\":\"Home\\nAbout\\nParagraph a says"));
	for (size_t piece = 1; piece < 700; piece += 1 + piece * 2) {
		struct buf cut = { 0 };
		run(&run_options, piece, &cut);
		assert_int_equal(cut.len + 1, whole.len);
		assert_memory_equal(cut.data, whole.data, cut.len);
		buf_free(&cut);
	}
	assert_int_equal(dana_page_read(p, NULL, page, sizeof(page) - 1, &doc), DANA_SUCCESS);
	assert_int_equal(doc.n_texts, 2);
	for (size_t i = 0; i < 2; i++) {
		const struct dana_page_options o = { .struct_size = sizeof(o), .method = more[i] };
		assert_int_equal(dana_page_reader_new(&one, &o), DANA_SUCCESS);
		assert_int_equal(dana_page_read(one, NULL, page, sizeof(page) - 1, &alone), DANA_SUCCESS);
		assert_int_equal(alone.n_texts, 0);
		expect_text(&doc.texts[i], more[i], &alone);
		dana_page_reader_free(one);
	}
	memset(names, 'x', sizeof(names)); /* they were borrowed for the call alone */
	assert_string_equal(doc.texts[0].method, "plain");
	dana_page_reader_free(p);
	buf_free(&whole);
}

/* ---- pages ---- */

static void a_page_in_any_charset(void **state)
{
	static const char page[] = "<title>Caf\xe9</title>" PAGE("\xe9");
	const struct dana_page_source source = { .url = { "http://example.org/", 19 }, .charset = { "latin1", 6 } };
	const struct dana_page_source unknown = { .charset = { "no-such", 7 } };
	struct dana_document doc = { .struct_size = sizeof(doc) };
	struct dana_page_reader *p;
	(void)state;
	assert_int_equal(dana_page_reader_new(&p, NULL), DANA_SUCCESS);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(dana_page_read(p, &source, page, sizeof(page) - 1, &doc), DANA_SUCCESS);
		assert_memory_equal(doc.title.data, "Caf\xc3\xa9", doc.title.len);
		assert_string_equal(doc.charset, "windows-1252");
		assert_true(doc.url.len == 19 && doc.text_chars > 100);
		assert_int_equal(dana_page_read(p, &unknown, page, sizeof(page) - 1, &doc), DANA_BAD_OPTION);
		assert_int_equal(dana_page_read(p, NULL, "\x89PNG\r\n\x1a\n", 8, &doc), DANA_NOT_A_PAGE);
		assert_non_null(strstr(dana_page_error(p), "picture"));
		assert_int_equal(dana_page_read(p, NULL, "", 0, &doc), DANA_SUCCESS);
		assert_int_equal(doc.text.len, 0);
	}
	dana_page_reader_free(p);
	dana_page_reader_free(NULL);
	const struct dana_page_options bad = { .struct_size = sizeof(bad), .method = "nothing" };
	assert_int_equal(dana_page_reader_new(&p, &bad), DANA_BAD_OPTION);
}

UNIT(test_library)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_in_any_pieces_give_the_same),
		cmocka_unit_test(ranges_join_to_the_whole),
		cmocka_unit_test(a_reader_is_read_and_closed),
		cmocka_unit_test(bad_options_are_named),
		cmocka_unit_test(calls_in_the_wrong_order_are_refused),
		cmocka_unit_test(an_older_struct_is_filled_as_far_as_it_goes),
		cmocka_unit_test(a_page_in_any_charset),
		cmocka_unit_test(texts_of_several_methods),
	};
	return cmocka_run_group_tests(tests, make_archive, free_archive);
}
