/* SPDX-License-Identifier: MIT */
/* The report of `dana explain`: its parts are there, its markup is balanced, and nothing of a page becomes markup. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "base/status.h"
#include "lab/explain/bars.h"
#include "lab/explain/overview.h"
#include "lab/explain/report.h"
#include "lab/explain/tables.h"
#include "support/unit.h"

static const char hostile[] = "<script>alert(1)</script> \"onload=x' &amp; \x01\xFF </title></style>-->\n";

static bool contains(const struct buf *b, const char *text)
{
	size_t n = strlen(text);
	for (size_t i = 0; i + n <= b->len; i++) {
		if (memcmp(b->data + i, text, n) == 0)
			return true;
	}
	return false;
}

static bool never_closed(const char *name)
{
	static const char *const names[] = { "!DOCTYPE", "meta" };
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(name, names[i]) == 0)
			return true;
	}
	return false;
}

/* Each start tag has its end tag, in the right order; each quote is closed. */
static void check_balanced(const struct buf *html)
{
	char open[64][16];
	size_t depth = 0;
	for (size_t i = 0; i < html->len; i++) {
		if (html->data[i] != '<')
			continue;
		bool end = html->data[++i] == '/';
		i += end;
		char name[16];
		size_t n = 0;
		for (; html->data[i] != '>' && html->data[i] != ' ' && html->data[i] != '/'; i++) {
			assert_true(n + 1 < sizeof(name));
			name[n++] = (char)html->data[i];
		}
		name[n] = 0;
		for (bool quoted = false; quoted || html->data[i] != '>'; i++) {
			assert_true(i + 1 < html->len);
			quoted ^= html->data[i] == '"';
		}
		if (end) {
			assert_true(depth > 0);
			assert_string_equal(open[--depth], name);
		} else if (html->data[i - 1] != '/' && !never_closed(name)) {
			assert_true(depth < 64);
			memcpy(open[depth++], name, sizeof(name));
		}
	}
	assert_int_equal(depth, 0);
}

/* Each link leads to an id of the same file, and no id is there twice. */
static void check_links(const struct buf *html)
{
	char *text = calloc(html->len + 1, 1);
	assert_non_null(text);
	memcpy(text, html->data, html->len);
	for (const char *at = text; (at = strstr(at, " href=\"#")); at++) {
		char id[64];
		int n = snprintf(id, sizeof(id), " id=\"%.*s\"", (int)strcspn(at + 8, "\""), at + 8);
		assert_true(n > 0 && (size_t)n < sizeof(id));
		const char *first = strstr(text, id);
		if (!first)
			fail_msg("a link leads nowhere: %s", id);
		assert_null(strstr(first + 1, id));
	}
	free(text);
}

/* Three regions in two chains; the second chain wins. */
static void record_family(struct recording *r, uint64_t segments)
{
	struct trace t = recording_trace(r);
	char text[200];
	uint64_t at[] = { segments / 10, segments / 2, segments / 2 + segments / 20 }, width = segments / 50 + 1;
	for (uint64_t i = 0; i < segments; i++) {
		bool in = false;
		for (int k = 0; k < 3; k++)
			in |= i >= at[k] && i < at[k] + width;
		(void)snprintf(text, sizeof(text), "segment %llu of the page. %s", (unsigned long long)i, hostile);
		t.segment(t.arg, i, in ? 60 : 5, in ? 5 : 60, slice_from_text(text));
		t.smoothed(t.arg, i, in ? 150 : -150, in);
	}
	for (uint64_t k = 0; k < 3; k++)
		t.region(t.arg, at[k], at[k] + width - 1, 60 * (double)width, k ? 1 : 0);
	t.chosen(t.arg, 1);
	t.number(t.arg, "gap", 20);
	t.number(t.arg, "threshold <b>", 50);
	assert_int_equal(r->status, DANA_OK);
}

static void write_report(struct html_out *o, struct recording *recordings, const char *const *names, size_t n)
{
	struct report_method methods[2];
	for (size_t i = 0; i < n; i++)
		methods[i] = (struct report_method){
			names[i], names[i], &recordings[i],          slice_from_text("first line\nsecond"), false,
			true,     2,        slice_from_text(hostile)
		};
	struct report_page page = { hostile,
				    NULL,
				    slice_from_text(hostile),
				    slice_from_text("<p>x"),
				    slice_from_text("first line\nanother menu\nsecond"),
				    "dana 1",
				    NULL };
	assert_int_equal(report_write(o, &page, methods, n), DANA_OK);
	check_balanced(&o->buf);
	assert_false(contains(&o->buf, "<script"));
	assert_false(contains(&o->buf, "alert(1)<"));
	assert_false(contains(&o->buf, "src="));
	assert_false(contains(&o->buf, "href=\"h"));
	check_links(&o->buf);
	assert_true(contains(&o->buf, "&lt;script&gt;alert(1)&lt;/script&gt; &quot;onload=x&#39;"));
	assert_true(contains(&o->buf, "default-src 'none'"));
}

static void family_report(void **state)
{
	(void)state;
	struct recording r = { 0 };
	struct html_out o = { 0 };
	const char *name = "danag";
	record_family(&r, 200);
	write_report(&o, &r, &name, 1);
	static const char *const parts[] = { "class=\"plot signal\"",
					     "class=\"plot smoothed\"",
					     "class=\"plot strip\"",
					     "class=\"content\"",
					     "class=\"code\"",
					     "class=\"curve\"",
					     "class=\"gap\"",
					     "class=\"box chosen\"",
					     "class=\"box other\"",
					     "class=\"threshold\"",
					     "Table of regions",
					     "Table of decisions",
					     "Text of the page",
					     "prefers-color-scheme:dark",
					     "region of the chosen chain",
					     "region of a chain that was not chosen",
					     "no region",
					     "role=\"img\" aria-labelledby=",
					     "\xE2\x9C\x93 kept",
					     "\xE2\x9C\x97 dropped" };
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (!contains(&o.buf, parts[i]))
			fail_msg("the report lacks %s", parts[i]);
	}
	assert_false(contains(&o.buf, "in 600 columns"));
	buf_free(&o.buf);
	recording_free(&r);
}

/* The drawing does not grow with the page. */
static void many_segments(void **state)
{
	(void)state;
	struct recording r = { 0 };
	struct html_out o = { 0 };
	const char *name = "dana";
	record_family(&r, 10000);
	write_report(&o, &r, &name, 1);
	assert_true(contains(&o.buf, "10000 segments in 600 columns"));
	buf_free(&o.buf);
	recording_free(&r);
}

static void two_methods(void **state)
{
	(void)state;
	struct recording r[2] = { 0 };
	struct html_out o = { 0 };
	static const char *const names[] = { "learned", "crunch" };
	struct trace t = recording_trace(&r[1]);
	t.block(t.arg, slice_from_text("a block &amp; more"), true, 0.75, "more text than links", "links=1 words=9");
	t.block(t.arg, slice_from_text(hostile), false, -1.0 / 0.0, "a <list> of links", "links=9 words=9");
	write_report(&o, r, names, 2);
	assert_true(contains(&o.buf, "class=\"methods two\""));
	assert_true(contains(&o.buf, "Method learned"));
	assert_true(contains(&o.buf, "Method crunch"));
	/* the first told nothing: its text decides */
	assert_true(contains(&o.buf, "tokens=2 found=2"));
	assert_true(contains(&o.buf, "tokens=2 found=0"));
	assert_true(contains(&o.buf, "links=1 words=9"));
	assert_true(contains(&o.buf, "a block &amp; more"));
	assert_true(contains(&o.buf, "a &lt;list&gt; of links"));
	assert_false(contains(&o.buf, "class=\"plot signal\""));
	buf_free(&o.buf);
	recording_free(&r[0]);
	recording_free(&r[1]);
}

static void cells_and_ridges(void **state)
{
	(void)state;
	struct recording r = { 0 };
	struct html_out o = { 0 };
	const char *name = "mountain";
	struct trace t = recording_trace(&r);
	for (uint64_t i = 0; i < 9; i++) {
		t.segment(t.arg, i, i == 4 ? 7.25 : 0.5, 0, slice_from_text("cell"));
		t.smoothed(t.arg, i, i == 4 ? 6 : 0.5, i == 4);
	}
	t.region(t.arg, 4, 4, 0.5, 0);
	t.chosen(t.arg, 0);
	write_report(&o, &r, &name, 1);
	assert_true(contains(&o.buf, "Table of ridges"));
	assert_true(contains(&o.buf, "Score of each cell"));
	assert_false(contains(&o.buf, "class=\"code\""));
	buf_free(&o.buf);
	recording_free(&r);
}

static void none_chosen(void **state)
{
	(void)state;
	struct recording r = { 0 };
	struct html_out o = { 0 };
	const char *name = "danag";
	struct trace t = recording_trace(&r);
	for (uint64_t i = 0; i < 9; i++)
		t.segment(t.arg, i, 5, 5, slice_from_text("segment"));
	t.region(t.arg, 1, 2, 10, 0);
	t.region(t.arg, 4, 7, 20, 1);
	write_report(&o, &r, &name, 1);
	assert_true(contains(&o.buf, "2 regions, none chosen"));
	buf_free(&o.buf);
	recording_free(&r);
}

/* Regions and numbers that fit no segment, as a method at fault could tell them. */
static void trace_out_of_order(void **state)
{
	(void)state;
	struct recording r = { 0 };
	struct trace t = recording_trace(&r);
	t.smoothed(t.arg, 3, 1, true);
	t.region(t.arg, 0, 5, 1, 0);
	t.segment(t.arg, 7, 1, 1, slice_from_text("x"));
	assert_int_equal(r.n_segments + r.n_regions, 0);
	t.segment(t.arg, 0, 1, 1, slice_from_text("x"));
	t.region(t.arg, 1, 0, 1, 0);
	assert_int_equal(r.n_segments, 1);
	assert_int_equal(r.n_regions, 0);
	recording_free(&r);
}

/* Many blocks with probabilities: few bars, and each block leads to the bar that it is part of. */
static void chances_of_many_blocks(void **state)
{
	(void)state;
	enum { BLOCKS = 5000 };
	struct recording r = { 0 };
	struct decisions d;
	struct bars bars;
	struct buf output = { 0 };
	struct trace t = recording_trace(&r);
	for (unsigned i = 0; i < BLOCKS; i++) {
		bool kept = i / 500 % 2;
		t.block(t.arg, slice_from_text("a block"), kept, kept ? 0.75 : 0.25, "whatever", "");
		t.chances(t.arg, 2, 0.5, kept ? 0.75 : 0.25);
		t.reason(t.arg, 1, "in a <footer>", -0.5);
		if (kept)
			assert_int_equal(buf_append_text(&output, output.len ? "\na block" : "a block"), DANA_OK);
	}
	assert_int_equal(decisions_make(&d, &r, &method_words_default, slice_of("", 0), buf_slice(&output)), DANA_OK);
	assert_int_equal(bars_make(&bars, &d), DANA_OK);
	assert_true(bars.chances && bars.n > 10 && bars.n <= BARS_MOST + 10);
	assert_int_equal(bars.total, 2 * BLOCKS);
	size_t next = 0;
	for (size_t i = 0; i < bars.n; i++) {
		const struct bar *bar = &bars.list[i];
		assert_int_equal(bar->first, next);
		next = bar->last + 1;
		assert_true(bar->kept == (bar->first / 500 % 2) && bar->kept == (bar->last / 500 % 2));
		assert_true(fabs(bar->chance[1] - (bar->kept ? 0.75 : 0.25)) < 1e-9);
		assert_true(fabs(bar->to - (double)next / BLOCKS) < 1e-9);
		assert_ptr_equal(bars_find(&bars, bar->first), bar);
		assert_ptr_equal(bars_find(&bars, bar->last), bar);
	}
	assert_int_equal(next, BLOCKS);
	assert_null(bars_find(&bars, BLOCKS));
	bars_free(&bars);
	decisions_free(&d);
	recording_free(&r);
	buf_free(&output);
}

/*
 * A line of the output goes to the kept decision that most likely gave it; together they are the output, whatever the
 * method did.
 */
static void output_is_parted(void **state)
{
	(void)state;
	struct recording r = { 0 };
	struct decisions d;
	const char *output = "zero one two\nthree more\nfour and a half\nsix seven";
	struct trace t = recording_trace(&r);
	static const char *const texts[] = { "menu zero", "one two three", "menu", "four five", "six seven eight" };
	for (unsigned i = 0; i < 5; i++)
		t.block(t.arg, slice_from_text(texts[i]), i % 2 || i == 4, 0, "whatever", "");
	assert_int_equal(decisions_make(&d, &r, &method_words_default, slice_of("", 0), slice_from_text(output)),
			 DANA_OK);
	static const char *const gave[] = { "", "zero one two\nthree more", "", "four and a half", "six seven" };
	for (unsigned i = 0; i < 5; i++) {
		const struct decision *k = &d.list[i];
		assert_int_equal(k->kept, i % 2 || i == 4);
		assert_int_equal(k->out_to - k->out_from, strlen(gave[i]));
		assert_memory_equal(output + k->out_from, gave[i], strlen(gave[i]));
	}
	decisions_free(&d);
	recording_free(&r);
}

static void add_pages(struct overview *o, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++) {
		char url[80];
		int status;
		struct overview_page *page = overview_next(o, &status);
		assert_int_equal(status, DANA_OK);
		if (!page)
			continue;
		(void)snprintf(url, sizeof(url), "http://host%llu.example:80/<page>%llu", (unsigned long long)i % 70,
			       (unsigned long long)i);
		overview_name(page, slice_from_text(url), slice_from_text("text/html; charset=x"), "utf-8");
		page->visible = i % 9 ? 1000 : 0;
		page->kept = i % 9 ? i % 1000 : 0;
	}
}

/* However many pages: a sample of one size, always the same one, of all parts of the archive. */
static void overview_is_bounded(void **state)
{
	(void)state;
	struct overview o[2] = { { 0 }, { 0 } };
	struct overview_strip strips[2][2 * OVERVIEW_SHOWN];
	struct html_out out[2] = { { { 0 } }, { { 0 } } };
	for (int i = 0; i < 2; i++) {
		add_pages(&o[i], 50000);
		assert_int_equal(o[i].n, OVERVIEW_PAGES);
		size_t n = overview_choose(&o[i], strips[i]), late = 0;
		assert_int_equal(n, 2 * OVERVIEW_SHOWN);
		for (size_t k = 0; k < n; k++)
			strips[i][k].picture = (struct html_out){ 0 };
		html_out_raw(&strips[i][0].picture, "<p>a picture</p>");
		for (size_t k = 1; k < OVERVIEW_SHOWN; k++) {
			assert_true(strips[i][k - 1].page->kept >= strips[i][k].page->kept);
			assert_true(strips[i][OVERVIEW_SHOWN].page->kept < strips[i][k].page->kept);
			assert_true(strips[i][OVERVIEW_SHOWN + k].page->visible > 0);
		}
		for (size_t k = 0; k < o[i].n; k++)
			late += o[i].pages[k].number >= 25000;
		assert_true(late > 4500 && late < 5500);
		assert_int_equal(overview_write(&out[i], &o[i], "x.warc", "learned", strips[i], n), DANA_OK);
	}
	check_balanced(&out[0].buf);
	check_links(&out[0].buf);
	assert_false(contains(&out[0].buf, "<page>"));
	assert_true(contains(&out[0].buf, "<p>a picture</p></section>"));
	assert_true(contains(&out[0].buf, "of these in the sample</dt><dd>10000"));
	assert_true(contains(&out[0].buf, "20 more with fewer pages are not shown"));
	assert_true(contains(&out[0].buf, "<bdi>host7.example</bdi>"));
	assert_true(contains(&out[0].buf, "<bdi>text/html</bdi>"));
	assert_true(slice_equal(buf_slice(&out[0].buf), buf_slice(&out[1].buf)));
	for (int i = 0; i < 2; i++) {
		buf_free(&out[i].buf);
		buf_free(&strips[i][0].picture.buf);
		overview_free(&o[i]);
	}
}

/* So much text that its order no longer counts. */
static void long_text(void **state)
{
	(void)state;
	struct recording r = { 0 };
	struct decisions d;
	struct buf visible = { 0 }, output = { 0 };
	for (unsigned i = 0; i < 300000; i++) {
		assert_int_equal(buf_append_text(&visible, i % 2 ? "kept words\n" : "menu\n"), DANA_OK);
		if (i % 2)
			assert_int_equal(buf_append_text(&output, "kept words\n"), DANA_OK);
	}
	assert_int_equal(decisions_make(&d, &r, &method_words_default, buf_slice(&visible), buf_slice(&output)),
			 DANA_OK);
	assert_int_equal(d.len, 300000);
	for (unsigned i = 0; i < 300000; i++)
		assert_int_equal(d.list[i].kept, i % 2);
	decisions_free(&d);
	buf_free(&visible);
	buf_free(&output);
}

/* A decision that has no place in the text of the page has its number, and no link. */
static void decision_without_text(void **state)
{
	(void)state;
	struct decisions d = { 0 };
	struct html_out o = { 0 };
	decisions_add(&d, &(struct decision){ .has_segments = true });
	decisions_add(&d, &(struct decision){ .kept = true });
	table_of_decisions(&o, &d, &method_words_default, 7);
	assert_int_equal(html_out_status(&o), DANA_OK);
	assert_true(contains(&o.buf, "data-name=\"block\"><a href=\"#m7b1\">1</a></td>"));
	assert_true(contains(&o.buf, "data-name=\"block\">2</td>"));
	decisions_free(&d);
	buf_free(&o.buf);
}

UNIT(test_explain)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(family_report),
		cmocka_unit_test(many_segments),
		cmocka_unit_test(two_methods),
		cmocka_unit_test(cells_and_ridges),
		cmocka_unit_test(none_chosen),
		cmocka_unit_test(trace_out_of_order),
		cmocka_unit_test(long_text),
		cmocka_unit_test(chances_of_many_blocks),
		cmocka_unit_test(output_is_parted),
		cmocka_unit_test(overview_is_bounded),
		cmocka_unit_test(decision_without_text),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
