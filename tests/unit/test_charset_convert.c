/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "archive/charset/convert.h"
#include "archive/charset/labels.h"
#include "archive/stream/document.h"
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
	assert_int_equal(charset_convert_write(s->convert, bytes), 0);
}

/* Outcome: name, problems, text. */
static void end(void *arg, struct buf *outcome)
{
	struct subject *s = arg;
	assert_int_equal(charset_convert_finish(s->convert), 0);
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

static void expect_bytes(const char *label, struct slice input, const char *name, bool bad, struct slice text)
{
	struct split_subject split = { begin, piece, end, &subject };
	struct buf outcome = { 0 }, expected = { 0 };
	subject.label = label;
	split_check(&split, input, &outcome);
	buf_printf(&expected, "%s %u\n", name, bad ? (unsigned)PROBLEM_BAD_CHARSET : 0U);
	buf_append(&expected, text.data, text.len);
	buf_append_byte(&expected, 0);
	buf_append_byte(&outcome, 0);
	assert_string_equal((char *)outcome.data, (char *)expected.data);
	assert_int_equal(outcome.len, expected.len);
	buf_free(&outcome);
	buf_free(&expected);
}

static void expect(const char *label, const char *input, const char *name, bool bad, const char *text)
{
	expect_bytes(label, slice_from_text(input), name, bad, slice_from_text(text));
}

#define FFFD "\xEF\xBF\xBD"

static void test_utf8(void **state)
{
	(void)state;
	expect("utf-8", "", "utf-8", false, "");
	expect("UTF8", "plain", "utf-8", false, "plain");
	expect(" utf-8\n", "\xD8\xB3\xD9\x84\xD8\xA7\xD9\x85 \xE4\xB8\xAD \xF0\xA0\x80\x80 \xE0\xA4\x85 \xEF\xBC\x81",
	       "utf-8", false,
	       "\xD8\xB3\xD9\x84\xD8\xA7\xD9\x85 \xE4\xB8\xAD \xF0\xA0\x80\x80 \xE0\xA4\x85 \xEF\xBC\x81");
	expect("utf-8", "\xEF\xBB\xBFmark", "utf-8", false, "mark");
	expect("utf-8", "\xEF\xBB\xBF\xEF\xBB\xBFtwo", "utf-8", false, "\xEF\xBB\xBFtwo");
	expect("utf-8", "\xEF\xBB", "utf-8", true, FFFD);
	expect("utf-8", "\xEF", "utf-8", true, FFFD);
	/* Unicode 15, table 3-8 and its neighbours. */
	expect("utf-8", "a\xF1\x80\x80\xE1\x80\xC2z", "utf-8", true, "a" FFFD FFFD FFFD "z");
	expect("utf-8", "\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41", "utf-8", true,
	       FFFD FFFD FFFD FFFD FFFD FFFD FFFD FFFD "A");
	expect("utf-8", "\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41", "utf-8", true,
	       FFFD FFFD FFFD FFFD FFFD FFFD FFFD FFFD "A");
	expect("utf-8", "\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42", "utf-8", true,
	       FFFD FFFD FFFD FFFD FFFD "A" FFFD FFFD "B");
	expect("utf-8", "cut \xE4\xB8", "utf-8", true, "cut " FFFD);
	expect_bytes("utf-8", slice_of("a\0b\xC3\xA9\0", 6), "utf-8", false, slice_of("a\0b\xC3\xA9\0", 6));
}

static void test_single_byte(void **state)
{
	(void)state;
	expect("iso-8859-1", "Caf\xE9 \x93quote\x94 \x80 \x81", "windows-1252", false,
	       "Caf\xC3\xA9 \xE2\x80\x9Cquote\xE2\x80\x9D \xE2\x82\xAC \xC2\x81");
	expect("windows-1251", "\xD0\xF3\xF1", "windows-1251", false, "\xD0\xA0\xD1\x83\xD1\x81");
	expect("koi8-r", "\xF2\xD5\xD3", "koi8-r", false, "\xD0\xA0\xD1\x83\xD1\x81");
	expect("windows-1255", "\xF2\xE1\xF8\xE9\xFA \xF9\xD1", "windows-1255", false,
	       "\xD7\xA2\xD7\x91\xD7\xA8\xD7\x99\xD7\xAA \xD7\xA9\xD7\x81");
	expect("logical", "\xF2", "iso-8859-8-i", false, "\xD7\xA2");
	expect("tis-620", "\xE4\xB7\xC2 \x85", "windows-874", false,
	       "\xE0\xB9\x84\xE0\xB8\x97\xE0\xB8\xA2 \xE2\x80\xA6");
	expect("iso-8859-7", "\xFF", "iso-8859-7", true, FFFD);
	expect("macintosh", "\x8E \xDB\xC6", "macintosh", false, "\xC3\xA9 \xE2\x82\xAC\xE2\x88\x86");
	expect("koi8-u", "\xAE", "koi8-u", false, "\xD1\x9E");
	expect("x-user-defined", "a\x80\xFF", "x-user-defined", false, "a\xEF\x9E\x80\xEF\x9F\xBF");
}

static void test_multi_byte(void **state)
{
	(void)state;
	expect("shift_jis", "\x93\xFA\x96{\\~\xB1", "shift_jis", false, "\xE6\x97\xA5\xE6\x9C\xAC\\~\xEF\xBD\xB1");
	expect("euc-jp", "<p>\xC6\xFC\xCB\xDC\\~</p>", "euc-jp", false, "<p>\xE6\x97\xA5\xE6\x9C\xAC\\~</p>");
	expect("iso-2022-jp", "a\x1B$BF|K\\\x1B(Bz", "iso-2022-jp", false, "a\xE6\x97\xA5\xE6\x9C\xACz");
	expect("gb2312", "<title>\xD6\xD0\xCE\xC4</title>", "gbk", false, "<title>\xE4\xB8\xAD\xE6\x96\x87</title>");
	expect("gb18030", "\x95\x32\x82\x36 \x80", "gb18030", false, "\xF0\xA0\x80\x80 \xE2\x82\xAC");
	expect("big5", "\xC1\x63\xC5\xE9 \x88\x62|\x88\x62\xA4\xA4", "big5", false,
	       "\xE7\xB9\x81\xE9\xAB\x94 \xC3\x8A\xCC\x84|\xC3\x8A\xCC\x84\xE4\xB8\xAD");
	expect("euc-kr", "\xC7\xD1\xB1\xB9 \x8C\x63", "euc-kr", false, "\xED\x95\x9C\xEA\xB5\xAD \xEB\x98\xA0");
	/* A lead byte before markup does not swallow it; a cut character is one fault. */
	expect("gbk", "\xD6\xD0\xD6<b>", "gbk", true, "\xE4\xB8\xAD" FFFD "<b>");
	expect("gbk", "\xFF\xD6\xD0", "gbk", true, FFFD "\xE4\xB8\xAD");
	expect("shift_jis", "ok\x93", "shift_jis", true, "ok" FFFD);
	expect("gb18030", "ok\x81\x30\x81", "gb18030", true, "ok" FFFD);
	expect("iso-2022-jp", "\x1B$BF", "iso-2022-jp", true, FFFD);
}

/* What the standard says of bytes that are not a character, case by case. */
static void test_multi_byte_faults(void **state)
{
	(void)state;
	/* Of four bytes that break off, the first alone is a fault; a digit between lead bytes is read again. */
	expect("gb18030", "\x81\x30\x81<", "gb18030", true, FFFD "0" FFFD "<");
	expect("gb18030", "\x81\x30\xD6\xD0", "gb18030", true, FFFD "0\xE4\xB8\xAD");
	expect("gb18030", "\x81\x30z", "gb18030", true, FFFD "0z");
	expect("gb18030", "\xE3\x32\x9A\x36|\xFE\x39\xFE\x39", "gb18030", true, FFFD "|" FFFD);
	expect("gb18030", "\x84\x31\xA4\x37|\xE3\x32\x9A\x35", "gb18030", false, FFFD "|\xF4\x8F\xBF\xBF");
	/* Since GB 18030-2022 these are not private characters any more. */
	expect("gbk", "\xA6\xD9\xFE\x59", "gbk", false, "\xEF\xB8\x90\xE9\xBE\xB4");
	expect("big5", "\x87\x40\x80\x81\x40|\xFF", "big5", true, "\xE4\x8F\xB0" FFFD FFFD "@|" FFFD);
	expect("shift_jis", "\x80\xA0\xFD\xF0\x40\x85\x41\x85\xA1", "shift_jis", true,
	       "\xC2\x80" FFFD FFFD "\xEE\x80\x80" FFFD "A" FFFD);
	expect("euc-jp", "\x8E\xB1\x8E<\x8E\xE0|\x8F\xB0\xA1\x8F\xA1\xA1\x8F\xB0<\x8F<\x80", "euc-jp", true,
	       "\xEF\xBD\xB1" FFFD "<" FFFD "|\xE4\xB8\x82" FFFD FFFD "<" FFFD "<" FFFD);
	expect("euc-kr", "\xC9\x41\xC9\xA1\x80\xFF", "euc-kr", true, FFFD "A" FFFD FFFD FFFD);
	/* Escape sequences: none stands for nothing, a broken one is a fault and what follows it is text. */
	expect("iso-2022-jp", "\x1B(Ja\\~\x1B(I1\x1B$@F|", "iso-2022-jp", false,
	       "a\xC2\xA5\xE2\x80\xBE\xEF\xBD\xB1\xE6\x97\xA5");
	expect("iso-2022-jp", "\x1B(B\x1B$BF|", "iso-2022-jp", true, FFFD "\xE6\x97\xA5");
	expect("iso-2022-jp", "a\x1B$x\x1B(", "iso-2022-jp", true, "a" FFFD "$x" FFFD "(");
	expect("iso-2022-jp", "\x1B$BF\x1B(Bz\x0E\x80", "iso-2022-jp", true, FFFD "z" FFFD FFFD);
	expect("iso-2022-jp", "\x1B$B\x1B$A\x21", "iso-2022-jp", true, FFFD "\xE3\x81\xA1" FFFD);
}

/* Names of iconv: each of two charsets that share the place for such a one, in turn. */
static void test_named(void **state)
{
	(void)state;
	expect("cp437", "caf\x82", "windows-1252", false,
	       "caf\xE2\x80\x9A"); /* no label of the web: not for a page to say */
	subject.named = true;
	expect("windows-1251", "\xD0\xF3\xF1", "windows-1251", false, "\xD0\xA0\xD1\x83\xD1\x81");
	expect("", "<meta charset=koi8-r>\xF2\xD5\xD3", "koi8-r", false,
	       "<meta charset=koi8-r>\xD0\xA0\xD1\x83\xD1\x81");
	expect("CP949", "\xC7\xD1\xB1\xB9 \x8C\x63", "euc-kr", false, "\xED\x95\x9C\xEA\xB5\xAD \xEB\x98\xA0");
	expect("Mac_Roman", "\x8E \xDB\xC6", "macintosh", false, "\xC3\xA9 \xE2\x82\xAC\xE2\x88\x86");
	for (int i = 0; i < 2; i++) {
		expect(" CP437 ", "caf\x82 \xC9", "cp437", false, "caf\xC3\xA9 \xE2\x95\x94");
		expect("koi8-t", "\xF2\xD5\xD3", "koi8-t", false, "\xD0\xA0\xD1\x83\xD1\x81");
		expect("euc-tw", "<b>\xC4\xE3</b>\x8E\xA2\xA1\xA1\xC4", "euc-tw", true,
		       "<b>\xE4\xB8\xAD</b>\xE4\xB9\x82" FFFD);
		expect("utf-32be", "\xEF\xBB\xBFmark", "utf-8", false, "mark");
		expect_bytes("utf-32be", slice_of("\0\0\0a\0\0\x4E\x2D", 8), "utf-32be", false,
			     slice_from_text("a\xE4\xB8\xAD"));
	}
	static const char *const unknown[] = { "nosuch", "cp437//TRANSLIT", "windows-9999", " ",
					       "a-name-that-is-longer-than-any" };
	for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++)
		assert_int_equal(charset_convert_reset_named(subject.convert, slice_from_text(unknown[i])),
				 DANA_ECONFIG);
	subject.named = false;
}

static void test_utf16(void **state)
{
	(void)state;
	expect_bytes("", slice_of("\xFF\xFEh\0i\0\x2D\x4E", 8), "utf-16le", false, slice_from_text("hi\xE4\xB8\xAD"));
	expect_bytes("iso-8859-1", slice_of("\xFE\xFF\0h\0i\xD8\x40\xDC\x00", 10), "utf-16be", false,
		     slice_from_text("hi\xF0\xA0\x80\x80"));
	expect_bytes("", slice_of("<\0p\0>\0\x2D\x4E", 8), "utf-16le", false, slice_from_text("<p>\xE4\xB8\xAD"));
	expect_bytes("", slice_of("\0<\0!\0>\x4E\x2D", 8), "utf-16be", false, slice_from_text("<!>\xE4\xB8\xAD"));
	expect_bytes("", slice_of("<\0\0\0", 4), "utf-8", false, slice_of("<\0\0\0", 4));
	expect_bytes("utf-16le", slice_of("h\0\x00\xDCi\0x", 7), "utf-16le", true, slice_from_text("h" FFFD "i" FFFD));
}

static void test_replacement(void **state)
{
	(void)state;
	expect("hz-gb-2312", "~{VPND~}", "replacement", true, FFFD);
	expect("iso-2022-kr", "", "replacement", false, "");
	expect("utf-7", "+ZeVnLIqe-", "utf-8", false, "+ZeVnLIqe-");
}

static void test_precedence(void **state)
{
	(void)state;
	expect("windows-1252", "\xEF\xBB\xBF\xC3\xA9", "utf-8", false, "\xC3\xA9");
	expect("utf-8", "<meta charset=shift_jis>\xC3\xA9", "utf-8", false, "<meta charset=shift_jis>\xC3\xA9");
	expect("none", "<meta charset=koi8-r>\xF2", "koi8-r", false, "<meta charset=koi8-r>\xD0\xA0");
	expect("", "<meta charset=utf-8>\xE9", "utf-8", true, "<meta charset=utf-8>" FFFD);
	/* Bytes that can only be UTF-8 outweigh a meta element, one lucky pair does not. */
	expect("", "<meta charset=gb2312>\xD8\xB3\xD9\x84\xD8\xA7\xD9\x85", "utf-8", false,
	       "<meta charset=gb2312>\xD8\xB3\xD9\x84\xD8\xA7\xD9\x85");
	expect("", "<meta charset=koi8-r>\xC3\xA9", "koi8-r", false, "<meta charset=koi8-r>\xD1\x86\xE2\x95\x98");
	expect("", "<meta charset=latin1>\xC3\xA9", "utf-8", false, "<meta charset=latin1>\xC3\xA9");
	expect("", "<meta charset=latin1>\xC3\xA9 \xE9", "windows-1252", false,
	       "<meta charset=latin1>\xC3\x83\xC2\xA9 \xC3\xA9");
	expect("", "<p>\xC3\xA9", "utf-8", false, "<p>\xC3\xA9");
	expect("", "only ascii", "utf-8", false, "only ascii");
	expect("", "\xEF\xBB", "windows-1252", false, "\xC3\xAF\xC2\xBB");
}

static void append_filled(struct buf *b, size_t len)
{
	while (b->len < len)
		buf_append_byte(b, (uint8_t) "<p>some words</p>\n"[b->len % 18]);
}

static struct slice filled(struct buf *b, size_t len, const char *tail)
{
	buf_clear(b);
	append_filled(b, len);
	buf_append_text(b, tail);
	return buf_slice(b);
}

/* A page of `ascii` bytes of ASCII and then others, which become `tail`. */
static void expect_late(const struct buf *page, size_t ascii, const char *name, bool bad, const char *tail)
{
	struct buf expected = { 0 };
	buf_append(&expected, page->data, ascii);
	buf_append_text(&expected, tail);
	expect_bytes("", buf_slice(page), name, bad, buf_slice(&expected));
	buf_free(&expected);
}

/* The window of detection is 16 KiB: what lies after it is decided by its own first bytes. */
static void test_window(void **state)
{
	(void)state;
	struct buf in = { 0 }, out = { 0 }, meta = { 0 };
	const size_t window = 16 << 10;
	expect_bytes("", filled(&in, window - 30, "<meta charset=koi8-r>\xF2"), "koi8-r", false,
		     filled(&out, window - 30, "<meta charset=koi8-r>\xD0\xA0"));
	expect_bytes("", filled(&in, window, "<meta charset=koi8-r>\xF2 "), "windows-1252", false,
		     filled(&out, window, "<meta charset=koi8-r>\xC3\xB2 "));
	expect_bytes("", filled(&in, window, "\xD8\xB3"), "utf-8", false, filled(&out, window, "\xD8\xB3"));
	expect_bytes("", filled(&in, window, "\xD8"), "windows-1252", false, filled(&out, window, "\xC3\x98"));
	/* What <meta> says holds after the window too, unless UTF-8 is sure. */
	buf_append_text(&meta, "<meta charset=windows-1251>");
	append_filled(&meta, window);
	const size_t filled_len = meta.len;
	buf_append_text(&meta, "\xD0\xF3");
	expect_late(&meta, filled_len, "windows-1251", false, "\xD0\xA0\xD1\x83");
	meta.len = filled_len;
	buf_append_text(&meta, "\xE2\x80\x99");
	expect_late(&meta, filled_len, "utf-8", false, "\xE2\x80\x99");
	meta.len = filled_len;
	expect_late(&meta, filled_len, "windows-1251", false, "");
	/* The second window ends: what it says is final. */
	for (size_t i = 0; i < 2050; i++)
		buf_append_text(&meta, "\xD0\xA0");
	struct buf russian = { 0 };
	buf_append(&russian, meta.data + filled_len, meta.len - filled_len);
	buf_append_text(&russian, FFFD);
	buf_append_byte(&russian, 0);
	buf_append_byte(&meta, 0xFF);
	expect_late(&meta, filled_len, "utf-8", true, (const char *)russian.data);
	buf_free(&russian);
	buf_free(&meta);
	/* A character across the end of the window. */
	expect_bytes("", filled(&in, window - 4, "\xD8\xB3\xE4\xB8\xAD!"), "utf-8", false,
		     filled(&out, window - 4, "\xD8\xB3\xE4\xB8\xAD!"));
	buf_free(&in);
	buf_free(&out);
}

#ifdef HAVE_UCHARDET
static void test_uchardet(void **state)
{
	(void)state;
	expect("",
	       "\xE1\xF9\xEC\xE5\xEC \xE9\xE5\xED \xF9\xE1\xFA \xF9\xEC\xE5\xED \xEC\xEB\xE5\xEC\xED \xE5\xE4\xEB\xEC "
	       "\xE8\xE5\xE1",
	       "windows-1255", false,
	       "\xD7\x91\xD7\xA9\xD7\x9C\xD7\x95\xD7\x9C \xD7\x99\xD7\x95\xD7\x9D \xD7\xA9\xD7\x91\xD7\xAA "
	       "\xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D \xD7\x9C\xD7\x9B\xD7\x95\xD7\x9C\xD7\x9D "
	       "\xD7\x95\xD7\x94\xD7\x9B\xD7\x9C \xD7\x98\xD7\x95\xD7\x91");
	/* Quotation marks alone are no Latin letters of some other charset. */
	expect("", "It\x92s a \x93quote\x94 \xB9", "windows-1252", false,
	       "It\xE2\x80\x99s a \xE2\x80\x9Cquote\xE2\x80\x9D \xC2\xB9");
	/* One fault among many good characters. */
	expect("",
	       "\xE4\xB8\xAD\xE6\x96\x87\xE4\xB8\xAD\xE6\x96\x87\xE4\xB8\xAD\xE6\x96\x87\xE4\xB8\xAD\xE6\x96\x87"
	       "\xE4\xB8\xAD\xE6\x96\x87\xE4\xB8!",
	       "utf-8", true,
	       "\xE4\xB8\xAD\xE6\x96\x87\xE4\xB8\xAD\xE6\x96\x87\xE4\xB8\xAD\xE6\x96\x87\xE4\xB8\xAD\xE6\x96\x87"
	       "\xE4\xB8\xAD\xE6\x96\x87" FFFD "!");
	expect("", "a \x1B$BF|K\\8l$NJ8>O\x1B(B", "iso-2022-jp", false,
	       "a \xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E\xE3\x81\xAE\xE6\x96\x87\xE7\xAB\xA0");
}
#endif

/* ASCII is ASCII, alone and between other characters. */
static void test_ascii_is_ascii(void **state)
{
	(void)state;
	static const char *const labels[] = { "gb18030",   "big5",   "euc-jp",      "euc-kr",
					      "shift_jis", "koi8-r", "windows-1256" };
	uint8_t ascii[127], mixed[127 * 10 + 1];
	for (unsigned i = 0; i < 127; i++)
		ascii[i] = (uint8_t)(i + 1);
	for (size_t i = 0; i < sizeof(labels) / sizeof(labels[0]); i++) {
		const struct charset *charset = charset_find(slice_from_text(labels[i]));
		expect_bytes(labels[i], slice_of(ascii, 127), charset->name, false, slice_of(ascii, 127));
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
	expect_bytes("gbk", slice_of(mixed, n), "gbk", false, slice_of(out, m));
}

/* Random bytes in every charset: the law of the split, and well-formed output (see collect). */
static void test_random(void **state)
{
	(void)state;
	static const char *const labels[] = { "utf-8",    "gb18030",      "big5",         "euc-jp",
					      "euc-kr",   "shift_jis",    "iso-2022-jp",  "utf-16le",
					      "utf-16be", "windows-1252", "windows-1255", "" };
	struct split_subject split = { begin, piece, end, &subject };
	uint32_t random = 7;
	uint8_t bytes[600];
	for (size_t i = 0; i < sizeof(labels) / sizeof(labels[0]); i++) {
		for (int run = 0; run < 6; run++) {
			struct buf whole = { 0 };
			for (size_t k = 0; k < sizeof(bytes); k++) {
				uint32_t r = split_random(&random);
				bytes[k] = (uint8_t)(r & 0x300 ? r : (r & 3) ? (r & 0x7F) : 0x1B);
				if (run & 1 && r & 0x400)
					bytes[k] |= 0x80;
			}
			subject.label = labels[i];
			split_check(&split, slice_of(bytes, sizeof(bytes)), &whole);
			buf_free(&whole);
		}
	}
}

static int enough(struct byte_sink *self, struct slice bytes)
{
	(void)self;
	(void)bytes;
	return 1;
}

static void test_enough(void **state)
{
	(void)state;
	static const struct byte_sink_ops ops = { "enough", enough, NULL };
	struct byte_sink sink = { &ops };
	struct charset_convert *c = charset_convert_new(&sink);
	charset_convert_reset(c, slice_from_text("utf-8"));
	assert_int_equal(charset_convert_write(c, slice_from_text("text")), 1);
	charset_convert_free(c);
	charset_convert_free(NULL);
}

static void test_content_type(void **state)
{
	(void)state;
	static const char *const rows[][2] = {
		{ "text/html; charset=utf-8", "utf-8" },
		{ "text/html;CHARSET = \"koi8-r\"; x=y", "koi8-r" },
		{ "text/html; charset='gbk'", "gbk" },
		{ "text/html; charset=utf-8;q=1", "utf-8" },
		{ "text/html; charset \"x\"", "" },
		{ "text/html; charset=\"x", "" },
		{ "text/html", "" },
		{ "", "" },
		{ "charset charset=a,b", "a" },
		{ "text/html; charset=", "" },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct slice found = charset_of_content_type(slice_from_text(rows[i][0]));
		assert_true(slice_equal(found, slice_from_text(rows[i][1])));
	}
}

UNIT(test_charset_convert)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_utf8),
		cmocka_unit_test(test_single_byte),
		cmocka_unit_test(test_named),
		cmocka_unit_test(test_multi_byte),
		cmocka_unit_test(test_multi_byte_faults),
		cmocka_unit_test(test_utf16),
		cmocka_unit_test(test_replacement),
		cmocka_unit_test(test_precedence),
		cmocka_unit_test(test_window),
#ifdef HAVE_UCHARDET
		cmocka_unit_test(test_uchardet),
#endif
		cmocka_unit_test(test_ascii_is_ascii),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_enough),
		cmocka_unit_test(test_content_type),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
