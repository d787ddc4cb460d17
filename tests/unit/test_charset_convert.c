/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "archive/charset/convert.h"
#include "archive/charset/labels.h"
#include "archive/document.h"
#include "base/buf.h"
#include "base/status.h"
#include "base/utf8.h"
#include "support/split_feed.h"
#include "support/unit.h"

struct collector {
	struct byte_sink sink;
	struct buf text;
};

struct subject {
	struct collector to;
	struct charset_convert *convert;
	const char *label;
	bool named; /* by a user: the label may be a name of iconv */
};

static int collect(struct byte_sink *self, struct slice bytes)
{
	struct collector *to = (struct collector *)self;
	assert_true(bytes.len > 0);
	assert_int_equal(utf8_valid_prefix(bytes), bytes.len);
	return buf_append(&to->text, bytes.data, bytes.len);
}

static const struct byte_sink_ops collector_ops = { "collector", collect, NULL };

static void begin(void *arg)
{
	struct subject *s = arg;
	buf_clear(&s->to.text);
	if (s->named)
		assert_int_equal(charset_convert_reset_named(s->convert, slice_from_text(s->label)), 0);
	else
		charset_convert_reset(s->convert, slice_from_text(s->label));
}

static void piece(void *arg, struct slice bytes)
{
	struct subject *s = arg;
	assert_ok(charset_convert_write(s->convert, bytes));
}

/* Outcome: name, problems, text. */
static void end(void *arg, struct buf *outcome)
{
	struct subject *s = arg;
	assert_ok(charset_convert_finish(s->convert));
	buf_printf(outcome, "%s %u\n", charset_convert_name(s->convert), charset_convert_problems(s->convert));
	buf_append(outcome, s->to.text.data, s->to.text.len);
}

static struct subject subject;

static int setup(void **state)
{
	(void)state;
	subject.to.sink.ops = &collector_ops;
	subject.convert = charset_convert_new(&subject.to.sink);
	return subject.convert ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	charset_convert_free(subject.convert);
	buf_free(&subject.to.text);
	return 0;
}

enum { BAD = PROBLEM_BAD_CHARSET, LIE = PROBLEM_CHARSET_LABEL };

static void expect_bytes(const char *label, struct slice input, const char *name, unsigned problems, struct slice text)
{
	struct split_subject split = { begin, piece, end, &subject };
	AUTO_BUF outcome = { 0 }, expected = { 0 };
	subject.label = label;
	split_check(&split, input, &outcome);
	buf_printf(&expected, "%s %u\n", name, problems);
	buf_append(&expected, text.data, text.len);
	buf_append_byte(&expected, 0);
	buf_append_byte(&outcome, 0);
	assert_string_equal((char *)outcome.data, (char *)expected.data);
	assert_int_equal(outcome.len, expected.len);
}

static void expect(const char *label, const char *input, const char *name, unsigned problems, const char *text)
{
	expect_bytes(label, slice_from_text(input), name, problems, slice_from_text(text));
}

#define FFFD "\xEF\xBF\xBD"

TEST(test_utf8)
{
	expect("utf-8", "", "utf-8", 0, "");
	expect("UTF8", "plain", "utf-8", 0, "plain");
	expect(" utf-8\n", "\xD8\xB3\xD9\x84\xD8\xA7\xD9\x85 \xE4\xB8\xAD \xF0\xA0\x80\x80 \xE0\xA4\x85 \xEF\xBC\x81",
	       "utf-8", 0, "\xD8\xB3\xD9\x84\xD8\xA7\xD9\x85 \xE4\xB8\xAD \xF0\xA0\x80\x80 \xE0\xA4\x85 \xEF\xBC\x81");
	expect("utf-8", "\xEF\xBB\xBFmark", "utf-8", 0, "mark");
	expect("utf-8", "\xEF\xBB\xBF\xEF\xBB\xBFtwo", "utf-8", 0, "\xEF\xBB\xBFtwo");
	expect("utf-8", "\xEF\xBB", "utf-8", BAD, FFFD);
	expect("utf-8", "\xEF", "utf-8", BAD, FFFD);
	/* Unicode 15, table 3-8 and its neighbours. */
	expect("utf-8", "a\xF1\x80\x80\xE1\x80\xC2z", "utf-8", BAD, "a" FFFD FFFD FFFD "z");
	expect("utf-8", "\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41", "utf-8", BAD,
	       FFFD FFFD FFFD FFFD FFFD FFFD FFFD FFFD "A");
	expect("utf-8", "\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41", "utf-8", BAD,
	       FFFD FFFD FFFD FFFD FFFD FFFD FFFD FFFD "A");
	expect("utf-8", "\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42", "utf-8", BAD,
	       FFFD FFFD FFFD FFFD FFFD "A" FFFD FFFD "B");
	expect("utf-8", "cut \xE4\xB8", "utf-8", BAD, "cut " FFFD);
	expect_bytes("utf-8", slice_of("a\0b\xC3\xA9\0", 6), "utf-8", 0, slice_of("a\0b\xC3\xA9\0", 6));
}

TEST(test_single_byte)
{
	expect("iso-8859-1", "Caf\xE9 \x93quote\x94 \x80 \x81", "windows-1252", 0,
	       "Caf\xC3\xA9 \xE2\x80\x9Cquote\xE2\x80\x9D \xE2\x82\xAC \xC2\x81");
	expect("windows-1251", "\xD0\xF3\xF1", "windows-1251", 0, "\xD0\xA0\xD1\x83\xD1\x81");
	expect("koi8-r", "\xF2\xD5\xD3", "koi8-r", 0, "\xD0\xA0\xD1\x83\xD1\x81");
	expect("windows-1255", "\xF2\xE1\xF8\xE9\xFA \xF9\xD1", "windows-1255", 0,
	       "\xD7\xA2\xD7\x91\xD7\xA8\xD7\x99\xD7\xAA \xD7\xA9\xD7\x81");
	expect("logical", "\xF2", "iso-8859-8-i", 0, "\xD7\xA2");
	expect("tis-620", "\xE4\xB7\xC2 \x85", "windows-874", 0, "\xE0\xB9\x84\xE0\xB8\x97\xE0\xB8\xA2 \xE2\x80\xA6");
	expect("iso-8859-7", "\xFF", "iso-8859-7", BAD, FFFD);
	expect("macintosh", "\x8E \xDB\xC6", "macintosh", 0, "\xC3\xA9 \xE2\x82\xAC\xE2\x88\x86");
	expect("koi8-u", "\xAE", "koi8-u", 0, "\xD1\x9E");
	expect("x-user-defined", "a\x80\xFF", "x-user-defined", 0, "a\xEF\x9E\x80\xEF\x9F\xBF");
}

TEST(test_multi_byte)
{
	expect("shift_jis", "\x93\xFA\x96{\\~\xB1", "shift_jis", 0, "\xE6\x97\xA5\xE6\x9C\xAC\\~\xEF\xBD\xB1");
	expect("euc-jp", "<p>\xC6\xFC\xCB\xDC\\~</p>", "euc-jp", 0, "<p>\xE6\x97\xA5\xE6\x9C\xAC\\~</p>");
	expect("iso-2022-jp", "a\x1B$BF|K\\\x1B(Bz", "iso-2022-jp", 0, "a\xE6\x97\xA5\xE6\x9C\xACz");
	expect("gb2312", "<title>\xD6\xD0\xCE\xC4</title>", "gbk", 0, "<title>\xE4\xB8\xAD\xE6\x96\x87</title>");
	expect("gb18030", "\x95\x32\x82\x36 \x80", "gb18030", 0, "\xF0\xA0\x80\x80 \xE2\x82\xAC");
	expect("big5", "\xC1\x63\xC5\xE9 \x88\x62|\x88\x62\xA4\xA4", "big5", 0,
	       "\xE7\xB9\x81\xE9\xAB\x94 \xC3\x8A\xCC\x84|\xC3\x8A\xCC\x84\xE4\xB8\xAD");
	expect("euc-kr", "\xC7\xD1\xB1\xB9 \x8C\x63", "euc-kr", 0, "\xED\x95\x9C\xEA\xB5\xAD \xEB\x98\xA0");
	/* A lead byte before markup does not swallow it; a cut character is one fault. */
	expect("gbk", "\xD6\xD0\xD6<b>", "gbk", BAD, "\xE4\xB8\xAD" FFFD "<b>");
	expect("gbk", "\xFF\xD6\xD0", "gbk", BAD, FFFD "\xE4\xB8\xAD");
	expect("shift_jis", "ok\x93", "shift_jis", BAD, "ok" FFFD);
	expect("gb18030", "ok\x81\x30\x81", "gb18030", BAD, "ok" FFFD);
	expect("iso-2022-jp", "\x1B$BF", "iso-2022-jp", BAD, FFFD);
}

/* What the standard says of bytes that are not a character, case by case. */
TEST(test_multi_byte_faults)
{
	/* Of four bytes that break off, the first alone is a fault; a digit between lead bytes is read again. */
	expect("gb18030", "\x81\x30\x81<", "gb18030", BAD, FFFD "0" FFFD "<");
	expect("gb18030", "\x81\x30\xD6\xD0", "gb18030", BAD, FFFD "0\xE4\xB8\xAD");
	expect("gb18030", "\x81\x30z", "gb18030", BAD, FFFD "0z");
	expect("gb18030", "\xE3\x32\x9A\x36|\xFE\x39\xFE\x39", "gb18030", BAD, FFFD "|" FFFD);
	expect("gb18030", "\x84\x31\xA4\x37|\xE3\x32\x9A\x35", "gb18030", 0, FFFD "|\xF4\x8F\xBF\xBF");
	/* Since GB 18030-2022 these are not private characters any more. */
	expect("gbk", "\xA6\xD9\xFE\x59", "gbk", 0, "\xEF\xB8\x90\xE9\xBE\xB4");
	expect("big5", "\x87\x40\x80\x81\x40|\xFF", "big5", BAD, "\xE4\x8F\xB0" FFFD FFFD "@|" FFFD);
	expect("shift_jis", "\x80\xA0\xFD\xF0\x40\x85\x41\x85\xA1", "shift_jis", BAD,
	       "\xC2\x80" FFFD FFFD "\xEE\x80\x80" FFFD "A" FFFD);
	expect("euc-jp", "\x8E\xB1\x8E<\x8E\xE0|\x8F\xB0\xA1\x8F\xA1\xA1\x8F\xB0<\x8F<\x80", "euc-jp", BAD,
	       "\xEF\xBD\xB1" FFFD "<" FFFD "|\xE4\xB8\x82" FFFD FFFD "<" FFFD "<" FFFD);
	expect("euc-kr", "\xC9\x41\xC9\xA1\x80\xFF", "euc-kr", BAD, FFFD "A" FFFD FFFD FFFD);
	/* Escape sequences: none stands for nothing, a broken one is a fault and what follows it is text. */
	expect("iso-2022-jp", "\x1B(Ja\\~\x1B(I1\x1B$@F|", "iso-2022-jp", 0,
	       "a\xC2\xA5\xE2\x80\xBE\xEF\xBD\xB1\xE6\x97\xA5");
	expect("iso-2022-jp", "\x1B(B\x1B$BF|", "iso-2022-jp", BAD, FFFD "\xE6\x97\xA5");
	expect("iso-2022-jp", "a\x1B$x\x1B(", "iso-2022-jp", BAD, "a" FFFD "$x" FFFD "(");
	expect("iso-2022-jp", "\x1B$BF\x1B(Bz\x0E\x80", "iso-2022-jp", BAD, FFFD "z" FFFD FFFD);
	expect("iso-2022-jp", "\x1B$B\x1B$A\x21", "iso-2022-jp", BAD, FFFD "\xE3\x81\xA1" FFFD);
}

/* Names of iconv: each of two charsets that share the place for such a one, in turn. */
TEST(test_named)
{
	expect("cp437", "caf\x82", "windows-1252", 0,
	       "caf\xE2\x80\x9A"); /* no label of the web: not for a page to say */
	subject.named = true;
	expect("windows-1251", "\xD0\xF3\xF1", "windows-1251", 0, "\xD0\xA0\xD1\x83\xD1\x81");
	expect("", "<meta charset=koi8-r>\xF2\xD5\xD3", "koi8-r", 0, "<meta charset=koi8-r>\xD0\xA0\xD1\x83\xD1\x81");
	expect("CP949", "\xC7\xD1\xB1\xB9 \x8C\x63", "euc-kr", 0, "\xED\x95\x9C\xEA\xB5\xAD \xEB\x98\xA0");
	expect("Mac_Roman", "\x8E \xDB\xC6", "macintosh", 0, "\xC3\xA9 \xE2\x82\xAC\xE2\x88\x86");
	for (int i = 0; i < 2; i++) {
		expect(" CP437 ", "caf\x82 \xC9", "cp437", 0, "caf\xC3\xA9 \xE2\x95\x94");
		expect("koi8-t", "\xF2\xD5\xD3", "koi8-t", 0, "\xD0\xA0\xD1\x83\xD1\x81");
		expect("euc-tw", "<b>\xC4\xE3</b>\x8E\xA2\xA1\xA1\xC4", "euc-tw", BAD,
		       "<b>\xE4\xB8\xAD</b>\xE4\xB9\x82" FFFD);
		expect("utf-32be", "\xEF\xBB\xBFmark", "utf-8", 0, "mark");
		expect_bytes("utf-32be", slice_of("\0\0\0a\0\0\x4E\x2D", 8), "utf-32be", 0,
			     slice_from_text("a\xE4\xB8\xAD"));
	}
	static const char *const unknown[] = { "nosuch", "cp437//TRANSLIT", "windows-9999", " ",
					       "a-name-that-is-longer-than-any" };
	for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++)
		assert_int_equal(charset_convert_reset_named(subject.convert, slice_from_text(unknown[i])),
				 DANA_ECONFIG);
	subject.named = false;
}

TEST(test_utf16)
{
	expect_bytes("", slice_of("\xFF\xFEh\0i\0\x2D\x4E", 8), "utf-16le", 0, slice_from_text("hi\xE4\xB8\xAD"));
	expect_bytes("iso-8859-1", slice_of("\xFE\xFF\0h\0i\xD8\x40\xDC\x00", 10), "utf-16be", 0,
		     slice_from_text("hi\xF0\xA0\x80\x80"));
	expect_bytes("", slice_of("<\0p\0>\0\x2D\x4E", 8), "utf-16le", 0, slice_from_text("<p>\xE4\xB8\xAD"));
	expect_bytes("", slice_of("\0<\0!\0>\x4E\x2D", 8), "utf-16be", 0, slice_from_text("<!>\xE4\xB8\xAD"));
	expect_bytes("", slice_of("<\0\0\0", 4), "utf-8", 0, slice_of("<\0\0\0", 4));
	expect_bytes("utf-16le", slice_of("h\0\x00\xDCi\0x", 7), "utf-16le", BAD, slice_from_text("h" FFFD "i" FFFD));
}

TEST(test_replacement)
{
	expect("hz-gb-2312", "~{VPND~}", "replacement", BAD, FFFD);
	expect("iso-2022-kr", "", "replacement", 0, "");
	expect("utf-7", "+ZeVnLIqe-", "utf-8", 0, "+ZeVnLIqe-");
}

TEST(test_precedence)
{
	expect("windows-1252", "\xEF\xBB\xBF\xC3\xA9", "utf-8", 0, "\xC3\xA9");
	expect("utf-8", "<meta charset=shift_jis>\xC3\xA9", "utf-8", 0, "<meta charset=shift_jis>\xC3\xA9");
	expect("none", "<meta charset=koi8-r>\xF2", "koi8-r", 0, "<meta charset=koi8-r>\xD0\xA0");
	expect("", "<meta charset=utf-8>\xE9", "utf-8", BAD, "<meta charset=utf-8>" FFFD);
	/* Bytes that can only be UTF-8 outweigh a meta element, one lucky pair does not. */
	expect("", "<meta charset=gb2312>\xD8\xB3\xD9\x84\xD8\xA7\xD9\x85", "utf-8", LIE,
	       "<meta charset=gb2312>\xD8\xB3\xD9\x84\xD8\xA7\xD9\x85");
	expect("", "<meta charset=koi8-r>\xC3\xA9", "koi8-r", 0, "<meta charset=koi8-r>\xD1\x86\xE2\x95\x98");
	expect("", "<meta charset=latin1>\xC3\xA9", "utf-8", LIE, "<meta charset=latin1>\xC3\xA9");
	expect("", "<meta charset=latin1>\xC3\xA9 \xE9", "windows-1252", 0,
	       "<meta charset=latin1>\xC3\x83\xC2\xA9 \xC3\xA9");
	expect("", "<p>\xC3\xA9", "utf-8", 0, "<p>\xC3\xA9");
	expect("", "only ascii", "utf-8", 0, "only ascii");
	expect("", "\xEF\xBB", "windows-1252", 0, "\xC3\xAF\xC2\xBB");
}

/* Bytes of a charset, and what they are. */
static const char *const named[][3] = {
	{ "windows-1251", "\xD1\xF2\xE0\xF0\xFB\xE9 \xEC\xE0\xFF\xEA",
	  "\xD0\xA1\xD1\x82\xD0\xB0\xD1\x80\xD1\x8B\xD0\xB9 \xD0\xBC\xD0\xB0\xD1\x8F\xD0\xBA" },
	{ "koi8-r", "\xEB\xC1\xCD\xC5\xCE\xDD\xC9\xCB\xC9",
	  "\xD0\x9A\xD0\xB0\xD0\xBC\xD0\xB5\xD0\xBD\xD1\x89\xD0\xB8\xD0\xBA\xD0\xB8" },
	{ "windows-1253", "\xF0\xE1\xEB\xE9\xFC\xF2 \xF6\xDC\xF1\xEF\xF2",
	  "\xCF\x80\xCE\xB1\xCE\xBB\xCE\xB9\xCF\x8C\xCF\x82 \xCF\x86\xCE\xAC\xCF\x81\xCE\xBF\xCF\x82" },
	{ "gbk", "\xB8\xDB\xBF\xDA\xB5\xC4\xB5\xC6\xCB\xFE\xBA\xDC\xC0\xCF",
	  "\xE6\xB8\xAF\xE5\x8F\xA3\xE7\x9A\x84\xE7\x81\xAF\xE5\xA1\x94\xE5\xBE\x88\xE8\x80\x81" },
	{ "big5", "\xA6\xD1\xBFO\xB6\xF0\xAA\xBA\xBFO\xA5\xFA",
	  "\xE8\x80\x81\xE7\x87\x88\xE5\xA1\x94\xE7\x9A\x84\xE7\x87\x88\xE5\x85\x89" },
	{ "shift_jis", "\x93\x94\x91\xE4\x82\xCD\x8D`\x82\xC9\x82\xA0\x82\xC1\x82\xBD",
	  "\xE7\x81\xAF\xE5\x8F\xB0\xE3\x81\xAF\xE6\xB8\xAF\xE3\x81\xAB\xE3\x81\x82\xE3\x81\xA3\xE3\x81\x9F" },
	{ "euc-jp", "\xC4\xB9\xA4\xA4\xCC\xEB\xA4\xCE\xA4\xA2\xA4\xC8\xA4\xC7",
	  "\xE9\x95\xB7\xE3\x81\x84\xE5\xA4\x9C\xE3\x81\xAE\xE3\x81\x82\xE3\x81\xA8\xE3\x81\xA7" },
	{ "euc-kr", "\xBF\xC0\xB7\xA1\xB5\xC8 \xB5\xEE\xB4\xEB\xBF\xB4\xB4\xD9",
	  "\xEC\x98\xA4\xEB\x9E\x98\xEB\x90\x9C \xEB\x93\xB1\xEB\x8C\x80\xEC\x98\x80\xEB\x8B\xA4" },
	{ "windows-1255", "\xEE\xE2\xE3\xEC\xE5\xF8 \xE9\xF9\xEF",
	  "\xD7\x9E\xD7\x92\xD7\x93\xD7\x9C\xD7\x95\xD7\xA8 \xD7\x99\xD7\xA9\xD7\x9F" },
	{ "windows-1252", "\xE9t\xE9 \xE0 c\xF4t\xE9, d\xE9j\xE0 l\xE0",
	  "\xC3\xA9t\xC3\xA9 \xC3\xA0 c\xC3\xB4t\xC3\xA9, d\xC3\xA9j\xC3\xA0 l\xC3\xA0" },
};

/* A label of the server over bytes that contradict it. */
TEST(test_wrong_labels)
{
	/* Valid UTF-8 with letters beyond ASCII, under the label of another charset. */
	static const char *const utf8[][2] = {
		{ "windows-1252", "la jet\xC3\xA9"
				  "e" },
		{ "iso-8859-1", "O\xC3\xB9 \xC3\xAAtes-vous, mon ch\xC3\xA2teau" },
		{ "iso-8859-15", "L'\xC5\x93uvre co\xC3\xBBte 5 \xE2\x82\xAC" },
		{ "windows-1251", "\xD1\x81\xD1\x82\xD0\xB0\xD1\x80\xD1\x8B\xD0\xB9 \xD0\xBC\xD0\xB0\xD1\x8F\xD0\xBA" },
		{ "koi8-r", "\xD0\xBD\xD0\xBE\xD0\xB2\xD0\xB0\xD1\x8F \xD0\xBB\xD0\xB8\xD0\xBD\xD0\xB7\xD0\xB0" },
		{ "iso-8859-2", "\xC5\xBElu\xC5\xA5ou\xC4\x8Dk\xC3\xBD k\xC5\xAF\xC5\x88" },
		{ "windows-1254", "\xC4\xB1\xC5\x9F\xC4\xB1kl\xC4\xB1 \xC5\x9F"
				  "ehir" },
		{ "gbk", "\xE6\xB8\xAF\xE5\x8F\xA3\xE7\x9A\x84\xE7\x81\xAF\xE5\xA1\x94" },
		{ "shift_jis", "\xE7\x81\xAF\xE5\x8F\xB0\xE3\x81\xAF\xE6\xB8\xAF\xE3\x81\xAB" },
		{ "euc-jp", "\xE9\x95\xB7\xE3\x81\x84\xE5\xA4\x9C\xE3\x81\xAE\xE3\x81\x82\xE3\x81\xA8\xE3\x81\xA7" },
		{ "euc-kr", "\xEC\x98\xA4\xEB\x9E\x98\xEB\x90\x9C \xEB\x93\xB1\xEB\x8C\x80" },
		{ "big5", "\xE8\x80\x81\xE7\x87\x88\xE5\xA1\x94\xE7\x9A\x84\xE7\x87\x88" },
		{ "iso-2022-jp", "\xE7\x81\xAF\xE5\x8F\xB0\xE3\x81\xAE\xE5\x85\x89" },
		{ "windows-1256",
		  "\xD9\x85\xD9\x86\xD8\xA7\xD8\xB1\xD8\xA9 \xD8\xA7\xD9\x84\xD9\x85\xD9\x8A\xD9\x86\xD8\xA7\xD8\xA1" },
	};
	for (size_t i = 0; i < sizeof(utf8) / sizeof(*utf8); i++) {
		char page[300];
		expect(utf8[i][0], utf8[i][1], "utf-8", LIE, utf8[i][1]);
		(void)snprintf(page, sizeof(page), "<meta charset=%s><p>%s", utf8[i][0], utf8[i][1]);
		expect(utf8[i][0], page, "utf-8", LIE, page);
		expect("utf-8", page, "utf-8", 0, page);
	}
	for (size_t i = 0; i < sizeof(named) / sizeof(*named); i++) {
		char page[300], text[300];
		(void)snprintf(page, sizeof(page), "<meta charset=%s><p>%s", named[i][0], named[i][1]);
		(void)snprintf(text, sizeof(text), "<meta charset=%s><p>%s", named[i][0], named[i][2]);
		expect("utf-8", page, named[i][0], LIE, text);
		expect("", page, named[i][0], 0, text);
		expect(named[i][0], named[i][1], named[i][0], 0, named[i][2]); /* a right label */
	}
	/* What a user says holds. */
	subject.named = true;
	expect("windows-1252", "\xC3\xA9t\xC3\xA9", "windows-1252", 0, "\xC3\x83\xC2\xA9t\xC3\x83\xC2\xA9");
	expect("utf-8", "<meta charset=koi8-r>\xE9\xE9\xE9\xE9", "utf-8", BAD,
	       "<meta charset=koi8-r>" FFFD FFFD FFFD FFFD);
	subject.named = false;
	/* A label of UTF-16, and UTF-16 under other labels. */
	expect("utf-16le", "<p>\xC3\xA9", "utf-8", LIE, "<p>\xC3\xA9");
	expect("utf-16be", "<p>all of it ASCII", "utf-8", LIE, "<p>all of it ASCII");
	expect_bytes("utf-8", slice_of("<\0p\0>\0\xE9\0", 8), "utf-16le", LIE, slice_from_text("<p>\xC3\xA9"));
	expect_bytes("utf-16le", slice_of("<\0p\0>\0\xE9\0", 8), "utf-16le", 0, slice_from_text("<p>\xC3\xA9"));
	/* A few broken places are no other charset, nor is noise. */
	expect("utf-8", "<meta charset=koi8-r>\xC3\xA9\xE9 \xE9 \xE9", "utf-8", BAD,
	       "<meta charset=koi8-r>\xC3\xA9" FFFD " " FFFD " " FFFD);
	expect("utf-8", "\xD8\xB3\xD9\x84\xD8\xA7\xD9\x85\xD8\xB3 \xE9 \xE9 \xE9 \xE9", "utf-8", BAD,
	       "\xD8\xB3\xD9\x84\xD8\xA7\xD9\x85\xD8\xB3 " FFFD " " FFFD " " FFFD " " FFFD);
	expect("utf-8", "<meta charset=koi8-r>\x01\x02\x03\x04\xE9 \xE9 \xE9 \xE9 \xE9", "utf-8", BAD,
	       "<meta charset=koi8-r>\x01\x02\x03\x04" FFFD " " FFFD " " FFFD " " FFFD " " FFFD);
	/* Two characters of GBK that are valid UTF-8 by chance. */
	expect("gbk", "\xCD\xA8\xD6\xAA", "gbk", 0, "\xE9\x80\x9A\xE7\x9F\xA5");
}

static void append_filled(struct buf *b, size_t len)
{
	while (b->len < len)
		buf_append_byte(b, (uint8_t) "<p>some words</p>\n"[b->len % 18]);
}

/* A page of ASCII, then `text` some times. */
static struct slice repeat(struct buf *b, const char *front, size_t ascii, const char *text, size_t times)
{
	buf_clear(b);
	buf_append_text(b, front);
	append_filled(b, ascii);
	for (size_t i = 0; i < times; i++)
		buf_printf(b, "%s. ", text);
	return buf_slice(b);
}

#define HARBOUR "\xE6\xB8\xAF\xE5\x8F\xA3\xE7\x9A\x84"

/* Labels of charsets of pairs of bytes over others: where they fail, <meta> wins, and the detector without one. */
TEST(test_wrong_pairs)
{
	static const struct {
		const char *label, *charset;
		const char *found; /* by the detector: NULL: nothing, or another one of these bytes */
	} lies[] = { { "shift_jis", "euc-jp", "euc-jp" },
		     { "shift_jis", "gbk", NULL },
		     { "shift_jis", "big5", NULL },
		     { "shift_jis", "euc-kr", "euc-kr" },
		     { "shift_jis", "windows-1251", "windows-1251" },
		     { "euc-jp", "shift_jis", "shift_jis" },
		     { "euc-jp", "big5", NULL },
		     { "euc-jp", "windows-1251", "windows-1251" },
		     { "euc-jp", "windows-1252", NULL },
		     { "euc-kr", "shift_jis", "shift_jis" },
		     { "euc-kr", "big5", NULL },
		     { "euc-kr", "koi8-r", NULL },
		     { "big5", "shift_jis", "shift_jis" },
		     { "big5", "windows-1251", "windows-1251" },
		     { "gbk", "windows-1251", "windows-1251" },
		     { "gb18030", "windows-1252", NULL } };
	AUTO_BUF in = { 0 }, out = { 0 };

	for (size_t i = 0; i < sizeof(lies) / sizeof(*lies); i++) {
		const char *label = lies[i].label, *charset = lies[i].charset;
		const char *const *row = named[0];
		char meta[60];

		while (strcmp(row[0], charset) != 0)
			row += 3;
		(void)snprintf(meta, sizeof(meta), "<meta charset=%s><p>", charset);
		/* In the window, after it, and over its end. */
		for (size_t ascii = 0; ascii <= (18 << 10); ascii += 9 << 10) {
			const struct slice page = repeat(&in, meta, ascii, row[1], 40);

			expect_bytes(label, page, charset, LIE, repeat(&out, meta, ascii, row[2], 40));
			expect_bytes(charset, page, charset, 0, buf_slice(&out));
		}
#ifdef HAVE_UCHARDET
		if (lies[i].found) {
			const struct slice page = repeat(&in, "<p>", 0, row[1], 40);

			expect_bytes(label, page, charset, LIE, repeat(&out, "<p>", 0, row[2], 40));
		}
#endif
	}
	/* A few broken places are no other charset, nor is noise; and what a user says holds. */
	expect("euc-jp", "<meta charset=shift_jis>\x82 \x82 \x82 ", "euc-jp", BAD,
	       "<meta charset=shift_jis>" FFFD " " FFFD " " FFFD " ");
	expect("euc-jp", "<meta charset=shift_jis>\x82\xA0\x82\xA0\x82\xA0\x82\xA0", "shift_jis", LIE,
	       "<meta charset=shift_jis>\xE3\x81\x82\xE3\x81\x82\xE3\x81\x82\xE3\x81\x82");
	expect("euc-jp", "<meta charset=shift_jis>\x01\x02\x03\x04\x82 \x82 \x82 \x82 ", "euc-jp", BAD,
	       "<meta charset=shift_jis>\x01\x02\x03\x04" FFFD " " FFFD " " FFFD " " FFFD " ");
	expect("gbk",
	       "<meta charset=latin1>\xB8\xDB\xBF\xDA\xB5\xC4\xB8\xDB\xBF\xDA\xB5\xC4\xB8\xDB\xBF\xDA\xB5\xC4"
	       "\xB8\xDB\xBF\xDA\xB5\xC4\xB8\xDB\xBF\xDA\xB5\xC4\xB8\xDB\xBF\xDA\xB5\xC4"
	       "\xB8\xDB\xBF\xDA\xB5\xC4\xB8\xDB\xBF\xDA\xB5\xC4\xB8\xDB\xBF\xDA\xB5\xC4"
	       "\xB8\xDB\xBF\xDA\xB5\xC4\xB8\xDB\xBF\xDA\xB5\xC4"
	       "\xE9 \xE9 \xE9 \xE9 ",
	       "gbk", BAD,
	       "<meta charset=latin1>" HARBOUR HARBOUR HARBOUR HARBOUR HARBOUR HARBOUR HARBOUR HARBOUR HARBOUR HARBOUR
		       HARBOUR FFFD " " FFFD " " FFFD " " FFFD " ");
	subject.named = true;
	expect("euc-jp", "<meta charset=shift_jis>\x82 \x82 \x82 \x82 ", "euc-jp", BAD,
	       "<meta charset=shift_jis>" FFFD " " FFFD " " FFFD " " FFFD " ");
	subject.named = false;
}

#ifdef HAVE_UCHARDET
/* Nothing names the charset of the bytes under the label of UTF-8: the detector does. */
TEST(test_wrong_labels_alone)
{
	static const char *const pages[][3] = {
		{ "windows-1251",
		  "\xD1\xF2\xE0\xF0\xFB\xE9 \xEC\xE0\xFF\xEA \xED\xE0 \xEA\xF0\xE0\xFE "
		  "\xF1\xE5\xE2\xE5\xF0\xED\xEE\xE3\xEE \xEC\xEE\xEB\xE0 "
		  "\xEE\xF2\xF0\xE5\xEC\xEE\xED\xF2\xE8\xF0\xEE\xE2\xE0\xEB\xE8 \xE7\xE8\xEC\xEE\xE9, "
		  "\xEF\xEE\xF1\xEB\xE5 \xE4\xE2\xF3\xF5 \xEB\xE5\xF2 \xF2\xE5\xEC\xED\xEE\xF2\xFB, \xE8 "
		  "\xF1\xEE\xE2\xE5\xF2 \xE7\xE0\xEF\xEB\xE0\xF2\xE8\xEB \xE7\xE0 \xED\xEE\xE2\xF3\xFE "
		  "\xEB\xE8\xED\xE7\xF3.",
		  "\xD0\xA1\xD1\x82\xD0\xB0\xD1\x80\xD1\x8B\xD0\xB9 \xD0\xBC\xD0\xB0\xD1\x8F\xD0\xBA \xD0\xBD\xD0\xB0 "
		  "\xD0\xBA\xD1\x80\xD0\xB0\xD1\x8E "
		  "\xD1\x81\xD0\xB5\xD0\xB2\xD0\xB5\xD1\x80\xD0\xBD\xD0\xBE\xD0\xB3\xD0\xBE "
		  "\xD0\xBC\xD0\xBE\xD0\xBB\xD0\xB0 "
		  "\xD0\xBE\xD1\x82\xD1\x80\xD0\xB5\xD0\xBC\xD0\xBE\xD0\xBD\xD1\x82\xD0\xB8\xD1\x80\xD0\xBE\xD0\xB2\xD0"
		  "\xB0\xD0\xBB\xD0\xB8 \xD0\xB7\xD0\xB8\xD0\xBC\xD0\xBE\xD0\xB9, "
		  "\xD0\xBF\xD0\xBE\xD1\x81\xD0\xBB\xD0\xB5 \xD0\xB4\xD0\xB2\xD1\x83\xD1\x85 \xD0\xBB\xD0\xB5\xD1\x82 "
		  "\xD1\x82\xD0\xB5\xD0\xBC\xD0\xBD\xD0\xBE\xD1\x82\xD1\x8B, \xD0\xB8 "
		  "\xD1\x81\xD0\xBE\xD0\xB2\xD0\xB5\xD1\x82 "
		  "\xD0\xB7\xD0\xB0\xD0\xBF\xD0\xBB\xD0\xB0\xD1\x82\xD0\xB8\xD0\xBB \xD0\xB7\xD0\xB0 "
		  "\xD0\xBD\xD0\xBE\xD0\xB2\xD1\x83\xD1\x8E \xD0\xBB\xD0\xB8\xD0\xBD\xD0\xB7\xD1\x83." },
		{ "gb18030",
		  "\xB8\xDB\xBF\xDA\xB5\xC4\xB5\xC6\xCB\xFE\xBA\xDC\xC0\xCF\xC1\xCB\xA3\xAC\xC8\xA5\xC4\xEA\xB6\xAC\xCC"
		  "\xEC\xC8\xCB\xC3\xC7\xB0\xD1\xCB\xFC\xD0\xDE\xBA\xC3\xC1\xCB\xA3\xAC\xCF\xD6\xD4\xDA\xC3\xBF\xCC\xEC"
		  "\xCD\xED\xC9\xCF\xB6\xBC\xC1\xC1\xD7\xC5\xA1\xA3",
		  "\xE6\xB8\xAF\xE5\x8F\xA3\xE7\x9A\x84\xE7\x81\xAF\xE5\xA1\x94\xE5\xBE\x88\xE8\x80\x81\xE4\xBA\x86\xEF"
		  "\xBC\x8C\xE5\x8E\xBB\xE5\xB9\xB4\xE5\x86\xAC\xE5\xA4\xA9\xE4\xBA\xBA\xE4\xBB\xAC\xE6\x8A\x8A\xE5\xAE"
		  "\x83\xE4\xBF\xAE\xE5\xA5\xBD\xE4\xBA\x86\xEF\xBC\x8C\xE7\x8E\xB0\xE5\x9C\xA8\xE6\xAF\x8F\xE5\xA4\xA9"
		  "\xE6\x99\x9A\xE4\xB8\x8A\xE9\x83\xBD\xE4\xBA\xAE\xE7\x9D\x80\xE3\x80\x82" },
		{ "shift_jis",
		  "\x93\x94\x91\xE4\x82\xCD\x8D`\x82\xCC\x82\xCD\x82\xB8\x82\xEA\x82\xC9\x82\xA0\x82\xC1\x82\xC4\x81"
		  "A\x93~\x82\xCC\x82\xA0\x82\xA2\x82\xBE\x82\xC9\x92\xBC\x82\xB3\x82\xEA\x82\xBD\x81"
		  "B\x8D\xA1\x82\xCD\x96\x88\x94\xD3\x82\xA0\x82\xA9\x82\xE8\x82\xAA\x82\xC6\x82\xE0\x82\xE9\x81"
		  "B",
		  "\xE7\x81\xAF\xE5\x8F\xB0\xE3\x81\xAF\xE6\xB8\xAF\xE3\x81\xAE\xE3\x81\xAF\xE3\x81\x9A\xE3\x82\x8C\xE3"
		  "\x81\xAB\xE3\x81\x82\xE3\x81\xA3\xE3\x81\xA6\xE3\x80\x81\xE5\x86\xAC\xE3\x81\xAE\xE3\x81\x82\xE3\x81"
		  "\x84\xE3\x81\xA0\xE3\x81\xAB\xE7\x9B\xB4\xE3\x81\x95\xE3\x82\x8C\xE3\x81\x9F\xE3\x80\x82\xE4\xBB\x8A"
		  "\xE3\x81\xAF\xE6\xAF\x8E\xE6\x99\xA9\xE3\x81\x82\xE3\x81\x8B\xE3\x82\x8A\xE3\x81\x8C\xE3\x81\xA8\xE3"
		  "\x82\x82\xE3\x82\x8B\xE3\x80\x82" },
		{ "euc-jp",
		  "\xC5\xF4\xC2\xE6\xA4\xCF\xB9\xC1\xA4\xCE\xA4\xCF\xA4\xBA\xA4\xEC\xA4\xCB\xA4\xA2\xA4\xC3\xA4\xC6\xA1"
		  "\xA2\xC5\xDF\xA4\xCE\xA4\xA2\xA4\xA4\xA4\xC0\xA4\xCB\xC4\xBE\xA4\xB5\xA4\xEC\xA4\xBF\xA1\xA3\xBA\xA3"
		  "\xA4\xCF\xCB\xE8\xC8\xD5\xA4\xA2\xA4\xAB\xA4\xEA\xA4\xAC\xA4\xC8\xA4\xE2\xA4\xEB\xA1\xA3",
		  "\xE7\x81\xAF\xE5\x8F\xB0\xE3\x81\xAF\xE6\xB8\xAF\xE3\x81\xAE\xE3\x81\xAF\xE3\x81\x9A\xE3\x82\x8C\xE3"
		  "\x81\xAB\xE3\x81\x82\xE3\x81\xA3\xE3\x81\xA6\xE3\x80\x81\xE5\x86\xAC\xE3\x81\xAE\xE3\x81\x82\xE3\x81"
		  "\x84\xE3\x81\xA0\xE3\x81\xAB\xE7\x9B\xB4\xE3\x81\x95\xE3\x82\x8C\xE3\x81\x9F\xE3\x80\x82\xE4\xBB\x8A"
		  "\xE3\x81\xAF\xE6\xAF\x8E\xE6\x99\xA9\xE3\x81\x82\xE3\x81\x8B\xE3\x82\x8A\xE3\x81\x8C\xE3\x81\xA8\xE3"
		  "\x82\x82\xE3\x82\x8B\xE3\x80\x82" },
		{ "euc-kr",
		  "\xBF\xC0\xB7\xA1\xB5\xC8 \xB5\xEE\xB4\xEB\xB4\xC2 \xC7\xD7\xB1\xB8\xC0\xC7 \xB3\xA1\xBF\xA1 "
		  "\xC0\xD6\xB0\xED \xC1\xF6\xB3\xAD \xB0\xDC\xBF\xEF\xBF\xA1 \xB0\xED\xC3\xC4\xC1\xB3\xB4\xD9. "
		  "\xC0\xCC\xC1\xA6 \xB8\xC5\xC0\xCF \xB9\xE3 \xBA\xD2\xC0\xCC \xC4\xD1\xC1\xF8\xB4\xD9.",
		  "\xEC\x98\xA4\xEB\x9E\x98\xEB\x90\x9C \xEB\x93\xB1\xEB\x8C\x80\xEB\x8A\x94 "
		  "\xED\x95\xAD\xEA\xB5\xAC\xEC\x9D\x98 \xEB\x81\x9D\xEC\x97\x90 \xEC\x9E\x88\xEA\xB3\xA0 "
		  "\xEC\xA7\x80\xEB\x82\x9C \xEA\xB2\xA8\xEC\x9A\xB8\xEC\x97\x90 "
		  "\xEA\xB3\xA0\xEC\xB3\x90\xEC\xA1\x8C\xEB\x8B\xA4. \xEC\x9D\xB4\xEC\xA0\x9C \xEB\xA7\xA4\xEC\x9D\xBC "
		  "\xEB\xB0\xA4 \xEB\xB6\x88\xEC\x9D\xB4 \xEC\xBC\x9C\xEC\xA7\x84\xEB\x8B\xA4." },
		{ "iso-8859-7",
		  "\xCF \xF0\xE1\xEB\xE9\xFC\xF2 \xF6\xDC\xF1\xEF\xF2 \xF3\xF4\xE7\xED \xDC\xEA\xF1\xE7 \xF4\xEF\xF5 "
		  "\xEB\xE9\xEC\xE1\xED\xE9\xEF\xFD \xE5\xF0\xE9\xF3\xEA\xE5\xF5\xDC\xF3\xF4\xE7\xEA\xE5 \xF4\xEF\xED "
		  "\xF7\xE5\xE9\xEC\xFE\xED\xE1 \xEC\xE5\xF4\xDC \xE1\xF0\xFC \xE4\xFD\xEF \xF7\xF1\xFC\xED\xE9\xE1 "
		  "\xF3\xEA\xEF\xF4\xDC\xE4\xE9.",
		  "\xCE\x9F \xCF\x80\xCE\xB1\xCE\xBB\xCE\xB9\xCF\x8C\xCF\x82 \xCF\x86\xCE\xAC\xCF\x81\xCE\xBF\xCF\x82 "
		  "\xCF\x83\xCF\x84\xCE\xB7\xCE\xBD \xCE\xAC\xCE\xBA\xCF\x81\xCE\xB7 \xCF\x84\xCE\xBF\xCF\x85 "
		  "\xCE\xBB\xCE\xB9\xCE\xBC\xCE\xB1\xCE\xBD\xCE\xB9\xCE\xBF\xCF\x8D "
		  "\xCE\xB5\xCF\x80\xCE\xB9\xCF\x83\xCE\xBA\xCE\xB5\xCF\x85\xCE\xAC\xCF\x83\xCF\x84\xCE\xB7\xCE\xBA\xCE"
		  "\xB5 \xCF\x84\xCE\xBF\xCE\xBD \xCF\x87\xCE\xB5\xCE\xB9\xCE\xBC\xCF\x8E\xCE\xBD\xCE\xB1 "
		  "\xCE\xBC\xCE\xB5\xCF\x84\xCE\xAC \xCE\xB1\xCF\x80\xCF\x8C \xCE\xB4\xCF\x8D\xCE\xBF "
		  "\xCF\x87\xCF\x81\xCF\x8C\xCE\xBD\xCE\xB9\xCE\xB1 "
		  "\xCF\x83\xCE\xBA\xCE\xBF\xCF\x84\xCE\xAC\xCE\xB4\xCE\xB9." },
		{ "windows-1255",
		  "\xE4\xEE\xE2\xE3\xEC\xE5\xF8 \xE4\xE9\xF9\xEF \xE1\xF7\xF6\xE4 \xE4\xF0\xEE\xEC \xFA\xE5\xF7\xEF "
		  "\xE1\xE7\xE5\xF8\xF3 \xE0\xE7\xF8\xE9 \xF9\xF0\xFA\xE9\xE9\xED \xF9\xEC \xE7\xE5\xF9\xEA "
		  "\xE5\xE4\xEE\xE5\xF2\xF6\xE4 \xF9\xE9\xEC\xEE\xE4 \xF2\xEC \xE4\xF2\xE3\xF9\xE4 "
		  "\xE4\xE7\xE3\xF9\xE4",
		  "\xD7\x94\xD7\x9E\xD7\x92\xD7\x93\xD7\x9C\xD7\x95\xD7\xA8 \xD7\x94\xD7\x99\xD7\xA9\xD7\x9F "
		  "\xD7\x91\xD7\xA7\xD7\xA6\xD7\x94 \xD7\x94\xD7\xA0\xD7\x9E\xD7\x9C \xD7\xAA\xD7\x95\xD7\xA7\xD7\x9F "
		  "\xD7\x91\xD7\x97\xD7\x95\xD7\xA8\xD7\xA3 \xD7\x90\xD7\x97\xD7\xA8\xD7\x99 "
		  "\xD7\xA9\xD7\xA0\xD7\xAA\xD7\x99\xD7\x99\xD7\x9D \xD7\xA9\xD7\x9C \xD7\x97\xD7\x95\xD7\xA9\xD7\x9A "
		  "\xD7\x95\xD7\x94\xD7\x9E\xD7\x95\xD7\xA2\xD7\xA6\xD7\x94 \xD7\xA9\xD7\x99\xD7\x9C\xD7\x9E\xD7\x94 "
		  "\xD7\xA2\xD7\x9C \xD7\x94\xD7\xA2\xD7\x93\xD7\xA9\xD7\x94 "
		  "\xD7\x94\xD7\x97\xD7\x93\xD7\xA9\xD7\x94" },
		{ "koi8-r",
		  "\xF3\xD4\xC1\xD2\xD9\xCA \xCD\xC1\xD1\xCB \xCE\xC1 \xCB\xD2\xC1\xC0 "
		  "\xD3\xC5\xD7\xC5\xD2\xCE\xCF\xC7\xCF \xCD\xCF\xCC\xC1 "
		  "\xCF\xD4\xD2\xC5\xCD\xCF\xCE\xD4\xC9\xD2\xCF\xD7\xC1\xCC\xC9 \xDA\xC9\xCD\xCF\xCA, "
		  "\xD0\xCF\xD3\xCC\xC5 \xC4\xD7\xD5\xC8 \xCC\xC5\xD4 \xD4\xC5\xCD\xCE\xCF\xD4\xD9, \xC9 "
		  "\xD3\xCF\xD7\xC5\xD4 \xDA\xC1\xD0\xCC\xC1\xD4\xC9\xCC \xDA\xC1 \xCE\xCF\xD7\xD5\xC0 "
		  "\xCC\xC9\xCE\xDA\xD5.",
		  "\xD0\xA1\xD1\x82\xD0\xB0\xD1\x80\xD1\x8B\xD0\xB9 \xD0\xBC\xD0\xB0\xD1\x8F\xD0\xBA \xD0\xBD\xD0\xB0 "
		  "\xD0\xBA\xD1\x80\xD0\xB0\xD1\x8E "
		  "\xD1\x81\xD0\xB5\xD0\xB2\xD0\xB5\xD1\x80\xD0\xBD\xD0\xBE\xD0\xB3\xD0\xBE "
		  "\xD0\xBC\xD0\xBE\xD0\xBB\xD0\xB0 "
		  "\xD0\xBE\xD1\x82\xD1\x80\xD0\xB5\xD0\xBC\xD0\xBE\xD0\xBD\xD1\x82\xD0\xB8\xD1\x80\xD0\xBE\xD0\xB2\xD0"
		  "\xB0\xD0\xBB\xD0\xB8 \xD0\xB7\xD0\xB8\xD0\xBC\xD0\xBE\xD0\xB9, "
		  "\xD0\xBF\xD0\xBE\xD1\x81\xD0\xBB\xD0\xB5 \xD0\xB4\xD0\xB2\xD1\x83\xD1\x85 \xD0\xBB\xD0\xB5\xD1\x82 "
		  "\xD1\x82\xD0\xB5\xD0\xBC\xD0\xBD\xD0\xBE\xD1\x82\xD1\x8B, \xD0\xB8 "
		  "\xD1\x81\xD0\xBE\xD0\xB2\xD0\xB5\xD1\x82 "
		  "\xD0\xB7\xD0\xB0\xD0\xBF\xD0\xBB\xD0\xB0\xD1\x82\xD0\xB8\xD0\xBB \xD0\xB7\xD0\xB0 "
		  "\xD0\xBD\xD0\xBE\xD0\xB2\xD1\x83\xD1\x8E \xD0\xBB\xD0\xB8\xD0\xBD\xD0\xB7\xD1\x83." },
		{ "big5",
		  "\xB4\xE4\xA4"
		  "f\xAA\xBA\xBFO\xB6\xF0\xAB\xDC\xA6\xD1\xA4"
		  "F\xA1"
		  "A\xA5h\xA6~\xA5V\xA4\xD1\xA4H\xAD\xCC\xA7\xE2\xA5\xA6\xAD\xD7\xA6n\xA4"
		  "F\xA1"
		  "A\xB2{\xA6"
		  "b\xA8"
		  "C\xA4\xD1\xB1\xDF\xA4W\xB3\xA3\xABG\xB5\xDB\xA1"
		  "C",
		  "\xE6\xB8\xAF\xE5\x8F\xA3\xE7\x9A\x84\xE7\x87\x88\xE5\xA1\x94\xE5\xBE\x88\xE8\x80\x81\xE4\xBA\x86\xEF"
		  "\xBC\x8C\xE5\x8E\xBB\xE5\xB9\xB4\xE5\x86\xAC\xE5\xA4\xA9\xE4\xBA\xBA\xE5\x80\x91\xE6\x8A\x8A\xE5\xAE"
		  "\x83\xE4\xBF\xAE\xE5\xA5\xBD\xE4\xBA\x86\xEF\xBC\x8C\xE7\x8F\xBE\xE5\x9C\xA8\xE6\xAF\x8F\xE5\xA4\xA9"
		  "\xE6\x99\x9A\xE4\xB8\x8A\xE9\x83\xBD\xE4\xBA\xAE\xE8\x91\x97\xE3\x80\x82" },
		{ "windows-1252",
		  "Le vieux phare au bout de la jet\xE9"
		  "e a \xE9t\xE9 r\xE9par\xE9 pendant l\x92hiver, apr\xE8s deux ann\xE9"
		  "es o\xF9 il est rest\xE9 \xE9teint, l\xE0, d\xE9j\xE0.",
		  "Le vieux phare au bout de la jet\xC3\xA9"
		  "e a \xC3\xA9t\xC3\xA9 r\xC3\xA9par\xC3\xA9 pendant l\xE2\x80\x99hiver, apr\xC3\xA8s deux ann\xC3\xA9"
		  "es o\xC3\xB9 il est rest\xC3\xA9 \xC3\xA9teint, l\xC3\xA0, d\xC3\xA9j\xC3\xA0." },
	};
	for (size_t i = 0; i < sizeof(pages) / sizeof(*pages); i++) {
		char page[600];
		expect("utf-8", pages[i][1], pages[i][0], LIE, pages[i][2]);
		(void)snprintf(page, sizeof(page), "<meta charset=utf-8>%s", pages[i][1]);
		AUTO_BUF text = { 0 };
		buf_printf(&text, "<meta charset=utf-8>%s", pages[i][2]);
		expect_bytes("utf-8", slice_from_text(page), pages[i][0], LIE, buf_slice(&text));
		expect_bytes("", slice_from_text(page), pages[i][0], LIE, buf_slice(&text));
	}
}
#endif

static struct slice filled(struct buf *b, size_t len, const char *tail)
{
	buf_clear(b);
	append_filled(b, len);
	buf_append_text(b, tail);
	return buf_slice(b);
}

/* A page of `ascii` bytes of ASCII and then others, which become `tail`. */
static void expect_late(const struct buf *page, size_t ascii, const char *name, unsigned problems, const char *tail)
{
	AUTO_BUF expected = { 0 };
	buf_append(&expected, page->data, ascii);
	buf_append_text(&expected, tail);
	expect_bytes("", buf_slice(page), name, problems, buf_slice(&expected));
}

/* The window of detection is 16 KiB: what lies after it is decided by its own first bytes. */
TEST(test_window)
{
	struct buf in = { 0 }, out = { 0 }, meta = { 0 }, head = { 0 }, said = { 0 };
	const size_t window = 16 << 10;
	expect_bytes("", filled(&in, window - 30, "<meta charset=koi8-r>\xF2"), "koi8-r", 0,
		     filled(&out, window - 30, "<meta charset=koi8-r>\xD0\xA0"));
	expect_bytes("", filled(&in, window, "<meta charset=koi8-r>\xF2 "), "windows-1252", 0,
		     filled(&out, window, "<meta charset=koi8-r>\xC3\xB2 "));
	expect_bytes("", filled(&in, window, "\xD8\xB3"), "utf-8", 0, filled(&out, window, "\xD8\xB3"));
	expect_bytes("", filled(&in, window, "\xD8"), "windows-1252", 0, filled(&out, window, "\xC3\x98"));
	/* What <meta> says holds after the window too, unless UTF-8 is sure. */
	buf_append_text(&meta, "<meta charset=windows-1251>");
	append_filled(&meta, window);
	const size_t filled_len = meta.len;
	buf_append_text(&meta, "\xD0\xF3");
	expect_late(&meta, filled_len, "windows-1251", 0, "\xD0\xA0\xD1\x83");
	meta.len = filled_len;
	buf_append_text(&meta, "\xE2\x80\x99");
	expect_late(&meta, filled_len, "utf-8", LIE, "\xE2\x80\x99");
	meta.len = filled_len;
	expect_late(&meta, filled_len, "windows-1251", 0, "");
	/* The second window ends: what it says is final. */
	for (size_t i = 0; i < 2050; i++)
		buf_append_text(&meta, "\xD0\xA0");
	AUTO_BUF russian = { 0 };
	buf_append(&russian, meta.data + filled_len, meta.len - filled_len);
	buf_append_text(&russian, FFFD);
	buf_append_byte(&russian, 0);
	buf_append_byte(&meta, 0xFF);
	expect_late(&meta, filled_len, "utf-8", BAD | LIE, (const char *)russian.data);
	buf_free(&meta);
	/* Labels hold up to the first bytes that contradict them. */
	expect_bytes("latin1", filled(&in, window * 2, "\xC3\xA9"), "utf-8", LIE, filled(&out, window * 2, "\xC3\xA9"));
	expect_bytes("latin1", filled(&in, window * 2, "\xE9"), "windows-1252", 0,
		     filled(&out, window * 2, "\xC3\xA9"));
	expect_bytes("utf-8", filled(&in, window * 2, "\xE9"), "utf-8", BAD, filled(&out, window * 2, FFFD));
	expect_bytes("utf-8", filled(&in, window * 2, ""), "utf-8", 0, filled(&out, window * 2, ""));
	buf_append_text(&head, "<meta charset=windows-1251>");
	append_filled(&head, window + 99);
	buf_append(&said, head.data, head.len);
	buf_append_text(&head, "\xF1\xF2\xE0\xF0\xFB\xE9");
	buf_append_text(&said, "\xD1\x81\xD1\x82\xD0\xB0\xD1\x80\xD1\x8B\xD0\xB9");
	expect_bytes("utf-8", buf_slice(&head), "windows-1251", LIE, buf_slice(&said));
	expect_bytes("utf-8", buf_slice(&said), "utf-8", 0, buf_slice(&said));
	expect_bytes("windows-1251", buf_slice(&said), "utf-8", LIE, buf_slice(&said));
	buf_free(&head);
	buf_free(&said);
	/* A character across the end of the window. */
	expect_bytes("", filled(&in, window - 4, "\xD8\xB3\xE4\xB8\xAD!"), "utf-8", 0,
		     filled(&out, window - 4, "\xD8\xB3\xE4\xB8\xAD!"));
	buf_free(&in);
	buf_free(&out);
}

#ifdef HAVE_UCHARDET
TEST(test_uchardet)
{
	expect("",
	       "\xE1\xF9\xEC\xE5\xEC \xE9\xE5\xED \xF9\xE1\xFA \xF9\xEC\xE5\xED \xEC\xEB\xE5\xEC\xED \xE5\xE4\xEB\xEC "
	       "\xE8\xE5\xE1",
	       "windows-1255", 0,
	       "\xD7\x91\xD7\xA9\xD7\x9C\xD7\x95\xD7\x9C \xD7\x99\xD7\x95\xD7\x9D \xD7\xA9\xD7\x91\xD7\xAA "
	       "\xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D \xD7\x9C\xD7\x9B\xD7\x95\xD7\x9C\xD7\x9D "
	       "\xD7\x95\xD7\x94\xD7\x9B\xD7\x9C \xD7\x98\xD7\x95\xD7\x91");
	/* Quotation marks alone are no Latin letters of some other charset. */
	expect("", "It\x92s a \x93quote\x94 \xB9", "windows-1252", 0,
	       "It\xE2\x80\x99s a \xE2\x80\x9Cquote\xE2\x80\x9D \xC2\xB9");
	/* One fault among many good characters. */
	expect("",
	       "\xE4\xB8\xAD\xE6\x96\x87\xE4\xB8\xAD\xE6\x96\x87\xE4\xB8\xAD\xE6\x96\x87\xE4\xB8\xAD\xE6\x96\x87"
	       "\xE4\xB8\xAD\xE6\x96\x87\xE4\xB8!",
	       "utf-8", BAD,
	       "\xE4\xB8\xAD\xE6\x96\x87\xE4\xB8\xAD\xE6\x96\x87\xE4\xB8\xAD\xE6\x96\x87\xE4\xB8\xAD\xE6\x96\x87"
	       "\xE4\xB8\xAD\xE6\x96\x87" FFFD "!");
	expect("", "a \x1B$BF|K\\8l$NJ8>O\x1B(B", "iso-2022-jp", 0,
	       "a \xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E\xE3\x81\xAE\xE6\x96\x87\xE7\xAB\xA0");
}
#endif

/* ASCII is ASCII, alone and between other characters. */
TEST(test_ascii_is_ascii)
{
	static const char *const labels[] = { "gb18030",   "big5",   "euc-jp",      "euc-kr",
					      "shift_jis", "koi8-r", "windows-1256" };
	uint8_t ascii[127], mixed[127 * 10 + 1];
	for (unsigned i = 0; i < 127; i++)
		ascii[i] = (uint8_t)(i + 1);
	for (size_t i = 0; i < sizeof(labels) / sizeof(labels[0]); i++) {
		const struct charset *charset = charset_find(slice_from_text(labels[i]));
		expect_bytes(labels[i], slice_of(ascii, 127), charset->name, 0, slice_of(ascii, 127));
	}
	/* Each after a character of two bytes. */
	size_t n = 0, m = 0;
	uint8_t out[127 * 10 + 1];
	for (unsigned i = 1; i < 127; i++) {
		mixed[n++] = 0xB0;
		mixed[n++] = 0xA1;
		mixed[n++] = (uint8_t)i;
		memcpy(out + m, "\xE5\x95\x8A", 3);
		out[m + 3] = (uint8_t)i;
		m += 4;
	}
	expect_bytes("gbk", slice_of(mixed, n), "gbk", 0, slice_of(out, m));
}

/* Random bytes in every charset: the law of the split, and well-formed output (see collect). */
TEST(test_random)
{
	static const char *const labels[] = { "utf-8",    "gb18030",      "big5",         "euc-jp",
					      "euc-kr",   "shift_jis",    "iso-2022-jp",  "utf-16le",
					      "utf-16be", "windows-1252", "windows-1255", "" };
	struct split_subject split = { begin, piece, end, &subject };
	uint32_t random = 7;
	uint8_t bytes[600];
	for (size_t i = 0; i < sizeof(labels) / sizeof(labels[0]); i++) {
		for (int run = 0; run < 6; run++) {
			AUTO_BUF whole = { 0 };
			for (size_t k = 0; k < sizeof(bytes); k++) {
				uint32_t r = split_random(&random);
				bytes[k] = (uint8_t)(r & 0x300 ? r : (r & 3) ? (r & 0x7F) : 0x1B);
				if (run & 1 && r & 0x400)
					bytes[k] |= 0x80;
			}
			subject.label = labels[i];
			split_check(&split, slice_of(bytes, sizeof(bytes)), &whole);
		}
	}
}

static int enough(struct byte_sink *self, struct slice bytes)
{
	(void)self;
	(void)bytes;
	return 1;
}

TEST(test_enough)
{
	static const struct byte_sink_ops ops = { "enough", enough, NULL };
	struct byte_sink sink = { &ops };
	struct charset_convert *c = charset_convert_new(&sink);
	assert_int_equal(charset_convert_reset_named(c, slice_from_text("utf-8")), 0);
	assert_int_equal(charset_convert_write(c, slice_from_text("text")), 1);
	charset_convert_free(c);
	charset_convert_free(NULL);
}

TEST(test_content_type)
{
	static const char *const rows[][2] = { { "text/html; charset=utf-8", "utf-8" },
					       { "text/html;CHARSET = \"koi8-r\"; x=y", "koi8-r" },
					       { "text/html; charset='gbk'", "gbk" },
					       { "text/html; charset=utf-8;q=1", "utf-8" },
					       { "text/html; charset \"x\"", "" },
					       { "text/html; charset=\"x", "" },
					       { "text/html", "" },
					       { "", "" },
					       { "charset charset=a,b", "a" },
					       { "text/html; charset=", "" } };
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct slice found = charset_of_content_type(slice_from_text(rows[i][0]));
		assert_true(slice_equal(found, slice_from_text(rows[i][1])));
	}
}

GROUP(setup, teardown)
