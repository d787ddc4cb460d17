/* SPDX-License-Identifier: MIT */
/*
 * The text writer: white space, blocks, references, control characters, repair, its limit; in any split of plain text.
 */
#include "base/utf8.h"
#include "extract/text_writer.h"
#include "support/split_feed.h"
#include "support/unit.h"

static void check(const char *source, const char *wanted)
{
	struct text_writer w = { .out = { 0 } };
	text_writer_reset(&w, 0);
	assert_int_equal(text_writer_source(&w, slice_from_text(source)), 0);
	assert_ok(text_writer_finish(&w));
	if (!slice_equal(buf_slice(&w.out), slice_from_text(wanted)))
		fail_msg("source: %s\nwanted: %s\nfound:  %.*s", source, wanted, (int)w.out.len,
			 (const char *)w.out.data);
	assert_false(w.truncated);
	text_writer_free(&w);
}

/* Marks of an empty line count after the end of a line, those of kept white space everywhere, where a method asks. */
TEST(test_kept_white_space)
{
	static const char *const rows[][2] = { { "\n\r\ra\n\r\r\fb\n\n\rc\f\n\rd\n\r", "a\n\n\n b\nc\n\nd" },
					       { "\f\ta \f\fb\f \t\n\f\n \fc\t", " \ta   b\n c" } };
	struct text_writer w = { .out = { 0 } };
	for (size_t i = 0; i < 2; i++) {
		text_writer_reset(&w, 0);
		assert_int_equal(text_writer_kept(&w, slice_from_text(rows[i][0])), 0);
		assert_ok(text_writer_finish(&w));
		assert_true(slice_equal(buf_slice(&w.out), slice_from_text(rows[i][1])));
	}
	text_writer_free(&w);
	check("\fa\f\tb\f\r", "a b");
}

TEST(test_texts)
{
	static const char *const rows[][2] = ROWS(
		/* white space */
		{ "", "" }, { " \n \n ", "" }, { "a", "a" }, { "  a  b\tc\r\fd \n", "a b c d" },
		{ "\n\na\n\n b \n\nc\n", "a\nb\nc" }, { "z\xc2\xa0z \xc2\xa0 z\xc2\xa0", "z z z" }, { "z\x0bz", "z z" },
		{ "\xc2\xa1", "\xc2\xa1" }, { "z\xe2\x80\xafz", "z\xe2\x80\xafz" },
		/* references */
		{ "a&amp;b&lt c", "a&b< c" }, { "&", "&" }, { "a & b &x; &#; &", "a & b &x; &#; &" },
		{ "a&nbsp;&nbsp;b&#160;", "a b" },
		/* white space, never the end of a block */
		{ "a&#10;b&NewLine;c&Tab;d", "a b c d" }, { "&amp;amp;", "&amp;" },
		{ "&#0;&#1;&#xD800;", "\xef\xbf\xbd\xef\xbf\xbd" },
		{ "&#x1F600;&nGt;", "\xf0\x9f\x98\x80\xe2\x89\xab\xe2\x83\x92" }, { "&am\np;", "&am\np;" },
		/* controls */
		{ "z\x01\x02z\x7f\x1fz", "zzz" }, { "\x01\n\x02", "" }, { " \x01 a", "a" },
		/* repair */
		{ "z\xffz", "z\xef\xbf\xbdz" }, { "\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd" },
		{ "\xe4\xb8", "\xef\xbf\xbd" }, { "\xf0\x9f\x98 x", "\xef\xbf\xbd x" },
		{ "\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" }, { "\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd" },
		{ "ok \xe4\xb8\xad\xe6\x96\x87 \xc3", "ok \xe4\xb8\xad\xe6\x96\x87 \xef\xbf\xbd" });
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		check(rows[i][0], rows[i][1]);
}

/* text_writer_plain leaves references alone; text_writer_break ends blocks between pieces. */
TEST(test_pieces)
{
	struct text_writer w = { .out = { 0 } };
	text_writer_reset(&w, 0);
	assert_int_equal(text_writer_break(&w), 0);
	assert_int_equal(text_writer_plain(&w, slice_from_text("a &amp; ")), 0);
	assert_int_equal(text_writer_plain(&w, slice_from_text(" b")), 0);
	assert_int_equal(text_writer_break(&w), 0);
	assert_int_equal(text_writer_break(&w), 0);
	assert_int_equal(text_writer_source(&w, slice_from_text(" c&lt;")), 0);
	assert_int_equal(text_writer_break(&w), 0);
	assert_ok(text_writer_finish(&w));
	assert_true(slice_equal(buf_slice(&w.out), slice_from_text("a &amp; b\nc<")));
	text_writer_reset(&w, 0);
	assert_ok(text_writer_finish(&w));
	assert_int_equal(w.out.len, 0);
	text_writer_free(&w);
}

/* The limit leaves a beginning of the whole text, whole characters of it, and says so. */
TEST(test_limit)
{
	static const char source[] = "ab \xd8\xb3\xd9\x84 \xe4\xb8\xad\n\nc\n&lt;\xf0\x9f\x98\x80 d &nGt; e\nf";
	struct text_writer whole = { .out = { 0 } }, w = { .out = { 0 } };
	text_writer_reset(&whole, 0);
	assert_int_equal(text_writer_source(&whole, slice_from_text(source)), 0);
	assert_ok(text_writer_finish(&whole));
	for (size_t max = 1; max < whole.out.len + 4; max++) {
		text_writer_reset(&w, max);
		assert_int_equal(text_writer_source(&w, slice_from_text(source)), 0);
		assert_ok(text_writer_finish(&w));
		assert_true(w.out.len <= max);
		assert_int_equal(w.truncated, max < whole.out.len);
		assert_true(max < whole.out.len || w.out.len == whole.out.len);
		assert_true(w.out.len + 6 > max || !w.truncated);
		assert_true(w.out.len == 0 || memcmp(w.out.data, whole.out.data, w.out.len) == 0);
		assert_true(w.out.len == 0 || w.out.data[w.out.len - 1] != '\n');
		assert_int_equal(utf8_valid_prefix(buf_slice(&w.out)), w.out.len);
	}
	text_writer_free(&whole);
	text_writer_free(&w);
}

/* ---- the law of the split, for text without references and characters above 127 ---- */

static void begin(void *arg)
{
	text_writer_reset(arg, 0);
}

static void piece(void *arg, struct slice bytes)
{
	assert_int_equal(text_writer_plain(arg, bytes), 0);
}

static void end(void *arg, struct buf *outcome)
{
	struct text_writer *w = arg;
	assert_ok(text_writer_finish(w));
	assert_ok(buf_append(outcome, w->out.data, w->out.len));
}

TEST(test_split)
{
	static const char alphabet[] = "abc  \t\n\n\r\x01&<z\xd8\xb3";
	struct text_writer w = { .out = { 0 } };
	const struct split_subject subject = { begin, piece, end, &w };
	AUTO_BUF source = { 0 }, whole = { 0 };
	uint32_t random = 8;
	for (int round = 0; round < 60; round++) {
		buf_clear(&source);
		for (int i = 0; i < 120; i++)
			assert_ok(buf_append_byte(&source,
						  (uint8_t)alphabet[split_random(&random) % (sizeof(alphabet) - 1)]));
		split_check(&subject, buf_slice(&source), &whole);
		for (size_t i = 0; i < whole.len; i++)
			assert_false(whole.data[i] == '\n' && (i == 0 || i + 1 == whole.len ||
							       whole.data[i - 1] == ' ' || whole.data[i + 1] == ' '));
	}
	text_writer_free(&w);
}
