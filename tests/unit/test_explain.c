/* SPDX-License-Identifier: MIT */
/* dana explain: what becomes of a method's trace, and that nothing of a page becomes markup in the report. */
#include "base/status.h"
#include "lab/report.h"
#include "support/unit.h"

static const char hostile[] =
	"<script>alert(1)</script> \"onload=x' &amp; \x01\xFF </title></style>--><!--<script>{{data}}\n";

static size_t count(const struct buf *b, const char *text)
{
	size_t n = strlen(text), found = 0;
	for (size_t i = 0; i + n <= b->len; i++)
		found += memcmp(b->data + i, text, n) == 0;
	return found;
}

static void set_text(struct recording *r, const char *text)
{
	r->text = (struct dana_text){ .data = text, .len = strlen(text), .method = "plain" };
}

static void record_family(struct recording *r, uint64_t segments)
{
	struct trace *t = recording_trace(r);
	char text[300];
	uint64_t at[] = { segments / 10, segments / 2, segments / 2 + segments / 20 }, width = segments / 50 + 1;
	for (uint64_t i = 0; i < segments; i++) {
		bool in = false;
		for (int k = 0; k < 3; k++)
			in |= i >= at[k] && i < at[k] + width;
		(void)snprintf(text, sizeof(text), "segment %llu of the page. %s", (unsigned long long)i, hostile);
		t->segment(t->arg, i, in ? 60 : 5, in ? 5 : 60, slice_from_text(text));
		t->smoothed(t->arg, i, in ? 150 : -150, in);
	}
	for (uint64_t k = 0; k < 3; k++)
		t->region(t->arg, at[k], at[k] + width - 1, 60 * (double)width, k ? 1 : 0);
	t->chosen(t->arg, 1);
	t->number(t->arg, "threshold <b>", 50);
	t->number(t->arg, "infinite", -1.0 / 0.0);
	assert_int_equal(r->status, DANA_OK);
}

/* The report has the viewer's own elements, and none of a page. */
static void check_report(struct buf *out, struct report_method *methods, size_t n)
{
	const struct report_page page = { .file = hostile,
					  .title = slice_from_text(hostile),
					  .html = slice_from_text("<p>x"),
					  .visible = slice_from_text("first line\nanother menu\nsecond") };
	static const struct {
		const char *text;
		size_t times;
	} rows[] =
		ROWS({ "<script", 2 }, { "</script", 2 }, { "</style", 1 }, { "</title", 1 }, { "<!--", 0 },
		     { "alert(1)<", 0 }, { "\xFF", 0 }, { "\x01", 0 }, { "default-src 'none'; style-src 'sha256-", 1 });
	struct report report = { 0 };
	assert_ok(report_add(&report, &page, methods, n));
	assert_ok(report_write(out, &report));
	report_free(&report);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_int_equal(count(out, rows[i].text), rows[i].times);
	assert_true(count(out, "&#60;script&#62;alert(1)&#60;/script&#62; &#34;onload=x&#39; &#38;amp; "
			       "\xEF\xBF\xBD\xEF\xBF\xBD ") >= 2);
	assert_true(count(out, "\\u003cscript>alert(1)\\u003c/script> \\\"onload=x' &amp; \\u0001\xEF\xBF\xBD ") >= 2);
}

TEST(family_report)
{
	static const char *const parts[] = { "[60,5,150]", "[5,60,-150]",
					     "\"regions\":[[20,24,300,0,0],[100,104,300,1,1],[110,114,300,1,1]]",
					     "[\"threshold \\u003cb>\",50],[\"infinite\",-1e999]",
					     /* words of the report */
					     "region of the chosen chain", "region of a chain that was not chosen",
					     "no region", "gap of the chosen chain", "\"markdown\":\"# \\u003cscript>",
					     "\"cut\":true", "<td>7<td>\xE2\x9C\x97 dropped",
					     "<td>4<td>\xE2\x9C\x93 kept" };
	struct report_method m = { .spec = hostile, .markdown = slice_from_text("# <script>") };
	AUTO_BUF out = { 0 };
	record_family(&m.recording, 200);
	set_text(&m.recording, "first line\nsecond");
	m.recording.text.method = "danag";
	m.recording.text.flags = DANA_TEXT_TRUNCATED;
	check_report(&out, &m, 1);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (count(&out, parts[i]) == 0)
			fail_msg("the report lacks %s", parts[i]);
	}
	recording_free(&m.recording);
}

TEST(two_methods)
{
	struct report_method m[2] = { { .spec = "plain" }, { .spec = "crunch" } };
	AUTO_BUF out = { 0 };
	struct trace *t = recording_trace(&m[1].recording);
	t->block(t->arg, slice_from_text("a block &amp; more"), true, 0.75, "more text than links", "links=1 words=9");
	t->chances(t->arg, 4, 0.5, 1 / 65536.0);
	t->reason(t->arg, 1, "in a <footer>", -0.5);
	t->reason(t->arg, 2, "long", 0.25);
	t->block(t->arg, slice_from_text(hostile), false, -1.0 / 0.0, "a <list> of links", "links=9 words=9");
	set_text(&m[0].recording, "first line\nsecond");
	set_text(&m[1].recording, "a block & more");
	m[0].spec = hostile;
	check_report(&out, m, 2);
	assert_int_equal(count(&out, "tokens=2 found=2"), 2); /* the first told nothing: its text decides */
	assert_int_equal(count(&out, "tokens=2 found=0"), 2);
	assert_int_equal(count(&out, "\"words\":4,\"chance\":[32768,1],\"score\":0.75"), 1);
	assert_int_equal(count(&out, "\"reasons\":[[1,\"in a \\u003cfooter>\",-0.5000],[2,\"long\",0.2500]]"), 1);
	assert_int_equal(count(&out, "\"score\":-1e999,\"reason\":\"a \\u003clist> of links\""), 1);
	/* what only one has kept */
	assert_int_equal(count(&out, "\"text\":\"a block & more\",\"marks\":[[0,0,1]]"), 1);
	recording_free(&m[0].recording);
	recording_free(&m[1].recording);
}

/* Places of the template are filled once: what is written there has none. */
TEST(places_of_file)
{
	AUTO_BUF out = { 0 };
	const struct viewer_file file = { "explain", "What was kept of", slice_from_text("a{{title}}b"),
					  slice_from_text("{{data}}"), slice_from_text("{\"a\":\"</script>\"}") };
	report_put_file(&out, &file);
	assert_ok(buf_status(&out));
	assert_int_equal(count(&out, "<title>a{{title}}b - dana explain</title>"), 1);
	assert_int_equal(count(&out, "<div id=\"plain\">\n{{data}}</div>"), 1);
	assert_int_equal(
		count(&out, "<script id=\"data\" type=\"application/json\">{\"a\":\"\\u003c/script>\"}</script>"), 1);
	assert_int_equal(count(&out, "{{"), 3);
}

/* Regions and numbers that fit no segment, as a method at fault could tell them. */
TEST(trace_out_of_order)
{
	struct recording r = { 0 };
	struct trace *t = recording_trace(&r);
	t->smoothed(t->arg, 3, 1, true);
	t->region(t->arg, 0, 5, 1, 0);
	t->chances(t->arg, 1, 0.5, 0.5);
	t->reason(t->arg, 1, "none", 1);
	t->segment(t->arg, 7, 1, 1, slice_from_text("x"));
	assert_int_equal(r.n_segments + r.n_regions + r.n_blocks, 0);
	t->segment(t->arg, 0, 1, 1, slice_from_text("x"));
	t->region(t->arg, 1, 0, 1, 0);
	assert_int_equal(r.n_segments, 1);
	assert_int_equal(r.n_regions, 0);
	recording_free(&r);
}

/* A line of the text goes to the kept block that most likely gave it; together they are the text, whatever the method
 * did. */
TEST(output_is_parted)
{
	struct recording r = { 0 };
	const char *output = "zero one two\nthree more\nfour and a half\nsix seven";
	struct trace *t = recording_trace(&r);
	static const char *const texts[] = { "menu zero", "one two three", "menu", "four five", "six seven eight" };
	for (unsigned i = 0; i < 5; i++)
		t->block(t->arg, slice_from_text(texts[i]), i % 2 || i == 4, 0, "whatever", "");
	set_text(&r, output);
	assert_ok(recording_decide(&r, slice_of("", 0)));
	static const char *const gave[] = { "", "zero one two\nthree more", "", "four and a half", "six seven" };
	for (unsigned i = 0; i < 5; i++) {
		const struct block_record *k = &r.blocks[i];
		assert_int_equal(k->kept, i % 2 || i == 4);
		assert_int_equal(k->out.to - k->out.from, strlen(gave[i]));
		assert_memory_equal(output + k->out.from, gave[i], strlen(gave[i]));
	}
	recording_free(&r);
}

/* Lines that are there twice go each to its own block, though words alone do not tell them apart. */
TEST(equal_lines)
{
	struct recording r = { 0 };
	struct trace *t = recording_trace(&r);
	for (unsigned i = 0; i < 9; i++)
		t->block(t->arg, slice_from_text("the same words"), i % 3 != 1, 0, "whatever", "");
	set_text(&r, "the same words\nthe same words\nthe same words\nthe same words\nthe same words\nthe same words");
	assert_ok(recording_decide(&r, slice_of("", 0)));
	size_t at = 0;
	for (unsigned i = 0; i < 9; i++) {
		assert_int_equal(r.blocks[i].kept, i % 3 != 1);
		assert_int_equal(r.blocks[i].out.to, i % 3 != 1 ? at + 14 : 0);
		at += i % 3 != 1 ? 15 : 0;
	}
	recording_free(&r);
}

/* A text that no block of the method explains still has a block. */
TEST(unexplained_text)
{
	struct recording r = { 0 };
	struct trace *t = recording_trace(&r);
	t->block(t->arg, slice_from_text("a menu"), false, 0, "links", "");
	set_text(&r, "from nowhere\nat all");
	assert_ok(recording_decide(&r, slice_of("", 0)));
	assert_int_equal(r.n_blocks, 2);
	assert_true(r.blocks[1].kept && r.blocks[1].out.from == 0 && r.blocks[1].out.to == 19);
	recording_free(&r);
}

/* So much text that its order no longer counts. */
TEST(long_text)
{
	struct recording r = { 0 };
	AUTO_BUF visible = { 0 }, output = { 0 };
	for (unsigned i = 0; i < 300000; i++) {
		assert_ok(buf_append_text(&visible, i % 2 ? "kept words\n" : "menu\n"));
		if (i % 2)
			assert_ok(buf_append_text(&output, "kept words\n"));
	}
	r.text = (struct dana_text){ .data = (const char *)output.data, .len = output.len, .method = "plain" };
	assert_ok(recording_decide(&r, buf_slice(&visible)));
	assert_int_equal(r.n_blocks, 300000);
	for (unsigned i = 0; i < 300000; i++) {
		assert_int_equal(r.blocks[i].kept, i % 2);
		assert_int_equal(r.blocks[i].out.to - r.blocks[i].out.from, i % 2 ? 10 : 0);
	}
	recording_free(&r);
}
