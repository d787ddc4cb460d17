/* SPDX-License-Identifier: MIT */
/*
 * Each allocation fails once: the fault is reported, or the result is the same as with memory. The linker wraps the
 * allocator.
 */
#include "archive/batch.h"
#include "archive/record.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/status.h"
#include "dana/dana.h"
#include "support/unit.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t size);

/* Allocations up to the one that fails, with it; 0: none fails. */
static size_t fails_in;

static bool fails(void)
{
	return fails_in && --fails_in == 0;
}

void *__wrap_malloc(size_t size)
{
	return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
	return fails() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t size)
{
	return fails() ? NULL : __real_realloc(p, size);
}

enum { TEXT_MOST = 1 << 14 };

static const char *const pages[] = {
	"One line, which is all there is of the page, and which ends with it.",
	"<html><head><title>The lighthouse</title><meta name=description content='A lamp on the "
	"shore'></head><body><ul><li><a href=/>Home</a><li><a href=/x>More</a></ul><div class=text><h1>The "
	"keeper&#39;s lamp</h1><p>The old lighthouse opens its doors to all visitors, who like that.</p><img src=a.png "
	"width=300 height=200><p>There are twelve rooms and a lamp, he said. It is 15 May 2024, and the sea is "
	"calm.</p></div><noscript><p>No scripts.</p></noscript><div><a href=/y>Imprint</a></div></body></html>",
	"<p>It is <math><mfrac><mi>a</mi><msup><mi>sin</mi><mn>2</mn></msup></mfrac><mfenced "
	"open=[><mi>b</mi></mfenced>"
	"</math>, x<sup>2,5</sup>, 10<sup>6</sup>.</p>",
	"<p>Wait</p><script type=text/template><p>The lamp.</p></script><script "
	"type=application/ld+json>{\"articleBody\":\"The\\nlamp is lit on each evening of the year.\"}</script>",
	"<p>The old lighthouse opens its doors to all visitors, who like that.</p><p>There are twelve rooms and a lamp "
	"<math alttext=x></math><span class=katex-html>x</span>, he said.<pre>a\n\nb</pre><span "
	"class=MathJax>y</span><script type=math/tex>y</script>",
	"<script src=MathJax.js></script><p>The lamp <span class=MathJax>y</span><script type=math/tex>",
};

static const char structured[] =
	"<base href=/d/><h1>T<a class=anchor href=#t>#</a></h1><p>a <b>b <i>c</i></b> <a href='x?a&amp;b'>d</a> "
	"<code>e</code><img src=f.png alt=f> <math alttext=g></math></p><ol class=footnotes><li "
	"id=fn1>h</ol><ul><li>i<li>j<p>k</ul><pre "
	"class=language-c>l\n</pre><table><caption>m</caption><tr><th>n<th>o<tr><td "
	"colspan=2>p</table><dl><dt>q<dd>r</dl><blockquote>s</blockquote><hr><script type=math/tex>t</script>\xFF";

/* The text is appended to `out`, whose memory is reserved. */
static int extract(const char *method, const char *page, struct buf *out)
{
	/* "markdown danag" stands for the Markdown of what danag keeps */
	static const char prefix[] = "markdown ";
	const bool markdown = strncmp(method, prefix, sizeof(prefix) - 1) == 0;
	const struct dana_options options = { .struct_size = sizeof(options),
					      .method = markdown ? method + sizeof(prefix) - 1 : method,
					      .structure = markdown ? DANA_MARKDOWN : 0,
					      .markdown = "images=1" };
	struct dana_extractor *x = NULL;
	struct dana_text text;
	int status = dana_new(&x, &options);
	if (status >= 0)
		status = dana_feed(x, page, strlen(page));
	if (status >= 0)
		status = dana_finish(x, &text);
	buf_clear(out);
	if (status >= 0 && markdown) {
		struct dana_view view;
		assert_int_equal(dana_markdown(x, &view), 0);
		text.data = view.data;
		text.len = view.len;
	}
	if (status >= 0) {
		assert_true(text.len <= out->cap);
		status = buf_append(out, text.data, text.len);
	}
	dana_free(x);
	return status;
}

static void check_method(const char *method, const char *page)
{
	AUTO_BUF expected = { 0 }, got = { 0 };
	bool failed = true;
	assert_ok(buf_reserve(&expected, TEXT_MOST));
	assert_ok(buf_reserve(&got, TEXT_MOST));
	assert_true(extract(method, page, &expected) >= 0);
	for (size_t n = 1; failed; n++) {
		fails_in = n;
		int status = extract(method, page, &got);
		failed = fails_in == 0;
		fails_in = 0;
		if (failed && status == DANA_OUT_OF_MEMORY)
			continue;
		if (status < 0 || !slice_equal(buf_slice(&got), buf_slice(&expected)))
			fail_msg("%s, allocation %zu: status %d and %zu bytes of text", method, n, status, got.len);
	}
}

TEST(extractors_report_it)
{
	AUTO_BUF many = { 0 };
	for (size_t i = 0; i < dana_method_count(); i++) {
		for (size_t k = 0; k < sizeof(pages) / sizeof(*pages); k++)
			check_method(dana_method_name(i), pages[k]);
	}
	check_method("markdown plain", structured);
	for (size_t k = 0; k < sizeof(pages) / sizeof(*pages); k++) {
		check_method("markdown addanag", pages[k]);
		check_method("markdown auto", pages[k]);
		check_method("markdown bte", pages[k]);
		check_method("markdown ccb", pages[k]);
	}
	/* so many blocks that the end of the page makes the last one, for which the room has to grow */
	for (unsigned i = 0; i <= 256; i++)
		assert_ok(buf_printf(&many, "<p>Paragraph %u is one of many here.", i));
	assert_ok(buf_append_byte(&many, 0));
	check_method("learned", (const char *)many.data);
	check_method("learned:kind=forum,recall=100", (const char *)many.data);
	check_method("danag", (const char *)many.data);
}

/* Calls `run` with each of its allocations failing in turn, which it must report; returns how many failed. */
static size_t count_refused(int (*run)(void))
{
	size_t refused = 0;
	for (bool failed = true; failed; refused += failed) {
		fails_in = refused + 1;
		const int status = run();
		failed = fails_in == 0;
		fails_in = 0;
		assert_int_equal(status, failed ? DANA_ENOMEM : DANA_OK);
	}
	return refused;
}

static int copy_record(void)
{
	enum { FIELDS = 5000 };
	static struct field fields[FIELDS];
	const struct record from = { .version = slice_from_text("WARC/1.0"), .fields = fields, .n_fields = FIELDS };
	struct record to;
	struct arena *arena = arena_new();
	int status = arena ? record_copy(&to, &from, arena) : DANA_ENOMEM;
	arena_free(arena);
	return status;
}

TEST(copies_of_records_report_it)
{
	assert_true(count_refused(copy_record) >= 3); /* the arena, the record's own words, its fields */
}

/* Makes a batch of two rows, describes it and passes it on. Returns 0 or a negative status. */
static int make_batch(void)
{
	static const char blocks[] = "[{\"t\":\"table\",\"rows\":[[\"a\",\"\\u00fc\"],[\"\",\"\\n\"]],\"p\":0.5,"
				     "\"start\":0},{\"t\":\"p\",\"text\":\"b\",\"start\":9,\"kept\":false}]";
	const struct document_columns columns = { .with = 1u << WITH_MARKDOWN | 1u << WITH_BLOCKS };
	const struct record rec = { .offset = 1 };
	const struct document doc = { .record = &rec,
				      .problems = PROBLEM_BAD_DATE | PROBLEM_HEAD_CUT,
				      .file = "f",
				      .with_structure = true,
				      .structure = slice_from_text(blocks) };
	struct document_batch *b = document_batch_new(&columns);
	struct ArrowSchema schema;
	struct ArrowArray array;
	if (!b)
		return DANA_ENOMEM;
	int status = document_batch_add(b, &doc, NULL);
	if (status == DANA_OK)
		status = document_batch_add(b, &doc, NULL);
	if (status == DANA_OK)
		status = document_batch_schema(b, &schema);
	if (status == DANA_OK) {
		schema.release(&schema);
		status = document_batch_export(b, &array);
	}
	if (status == DANA_OK) {
		assert_int_equal(array.length, 2);
		array.release(&array);
	}
	document_batch_free(b);
	return status;
}

TEST(batches_report_it)
{
	assert_true(count_refused(make_batch) > 100); /* each column has buffers, a schema and an array */
}
