/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <iconv.h>

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

/* In the charset that the label names, without a fault or with one. */
#define OWN(label, input, text) expect(label, input, label, 0, text)
#define FAULTY(label, input, text) expect(label, input, label, BAD, text)

TEST(test_utf8)
{
	OWN("utf-8", "", "");
	expect("UTF8", "plain", "utf-8", 0, "plain");
	expect(" utf-8\n", "سلام 中 𠀀 अ ！", "utf-8", 0, "سلام 中 𠀀 अ ！");
	OWN("utf-8", "\xEF\xBB\xBFmark", "mark");
	OWN("utf-8", "\xEF\xBB\xBF\xEF\xBB\xBFtwo", "\xEF\xBB\xBFtwo");
	FAULTY("utf-8", "\xEF\xBB", FFFD);
	FAULTY("utf-8", "\xEF", FFFD);
	/* Unicode 15, table 3-8 and its neighbours. */
	FAULTY("utf-8", "a\xF1\x80\x80\xE1\x80\xC2z", "a" FFFD FFFD FFFD "z");
	FAULTY("utf-8", "\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41", FFFD FFFD FFFD FFFD FFFD FFFD FFFD FFFD "A");
	FAULTY("utf-8", "\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41", FFFD FFFD FFFD FFFD FFFD FFFD FFFD FFFD "A");
	FAULTY("utf-8", "\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42", FFFD FFFD FFFD FFFD FFFD "A" FFFD FFFD "B");
	FAULTY("utf-8", "cut \xE4\xB8", "cut " FFFD);
	expect_bytes("utf-8", slice_of("a\0b\xC3\xA9\0", 6), "utf-8", 0, slice_of("a\0b\xC3\xA9\0", 6));
}

/* What the standard says of bytes that are not a character, case by case. */
TEST(test_multi_byte_faults)
{
	/* A lead byte before markup does not swallow it; a cut character is one fault. */
	FAULTY("gbk", "\xD6\xD0\xD6<b>", "中" FFFD "<b>");
	FAULTY("gbk", "\xFF\xD6\xD0", FFFD "中");
	FAULTY("shift_jis", "ok\x93", "ok" FFFD);
	FAULTY("gb18030", "ok\x81\x30\x81", "ok" FFFD);
	FAULTY("iso-2022-jp", "\x1B$BF", FFFD);
	/* Of four bytes that break off, the first alone is a fault; a digit between lead bytes is read again. */
	FAULTY("gb18030", "\x81\x30\x81<", FFFD "0" FFFD "<");
	FAULTY("gb18030", "\x81\x30\xD6\xD0", FFFD "0中");
	FAULTY("gb18030", "\x81\x30z", FFFD "0z");
	FAULTY("gb18030", "\xE3\x32\x9A\x36|\xFE\x39\xFE\x39", FFFD "|" FFFD);
	OWN("gb18030", "\x84\x31\xA4\x37|\xE3\x32\x9A\x35", FFFD "|\xF4\x8F\xBF\xBF");
	/* Since GB 18030-2022 these are not private characters any more. */
	OWN("gbk", "\xA6\xD9\xFE\x59", "︐龴");
	FAULTY("big5", "\x87\x40\x80\x81\x40|\xFF", "䏰" FFFD FFFD "@|" FFFD);
	FAULTY("shift_jis", "\x80\xA0\xFD\xF0\x40\x85\x41\x85\xA1", "\xC2\x80" FFFD FFFD "\xEE\x80\x80" FFFD "A" FFFD);
	FAULTY("euc-jp", "\x8E\xB1\x8E<\x8E\xE0|\x8F\xB0\xA1\x8F\xA1\xA1\x8F\xB0<\x8F<\x80",
	       "ｱ" FFFD "<" FFFD "|丂" FFFD FFFD "<" FFFD "<" FFFD);
	FAULTY("euc-kr", "\xC9\x41\xC9\xA1\x80\xFF", FFFD "A" FFFD FFFD FFFD);
	/* Escape sequences: none stands for nothing, a broken one is a fault and what follows it is text. */
	OWN("iso-2022-jp", "\x1B(Ja\\~\x1B(I1\x1B$@F|", "a¥‾ｱ日");
	FAULTY("iso-2022-jp", "\x1B(B\x1B$BF|", FFFD "日");
	FAULTY("iso-2022-jp", "a\x1B$x\x1B(", "a" FFFD "$x" FFFD "(");
	FAULTY("iso-2022-jp", "\x1B$BF\x1B(Bz\x0E\x80", FFFD "z" FFFD FFFD);
	FAULTY("iso-2022-jp", "\x1B$B\x1B$A\x21", FFFD "ち" FFFD);
}

/* Names of iconv: each of two charsets that share the place for such a one, in turn. */
TEST(test_named)
{
	expect("cp437", "caf\x82", "windows-1252", 0, "caf‚"); /* no label of the web: not for a page to say */
	subject.named = true;
	OWN("windows-1251", "\xD0\xF3\xF1", "Рус");
	expect("", "<meta charset=koi8-r>\xF2\xD5\xD3", "koi8-r", 0, "<meta charset=koi8-r>Рус");
	expect("CP949", "\xC7\xD1\xB1\xB9 \x8C\x63", "euc-kr", 0, "한국 똠");
	expect("Mac_Roman", "\x8E \xDB\xC6", "macintosh", 0, "é €∆");
	for (int i = 0; i < 2; i++) {
		expect(" CP437 ", "caf\x82 \xC9", "cp437", 0, "café ╔");
		OWN("koi8-t", "\xF2\xD5\xD3", "Рус");
		FAULTY("euc-tw", "<b>\xC4\xE3</b>\x8E\xA2\xA1\xA1\xC4", "<b>中</b>乂" FFFD);
		expect("utf-32be", "\xEF\xBB\xBFmark", "utf-8", 0, "mark");
		expect_bytes("utf-32be", slice_of("\0\0\0a\0\0\x4E\x2D", 8), "utf-32be", 0, slice_from_text("a中"));
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
	expect_bytes("", slice_of("\xFF\xFEh\0i\0\x2D\x4E", 8), "utf-16le", 0, slice_from_text("hi中"));
	expect_bytes("iso-8859-1", slice_of("\xFE\xFF\0h\0i\xD8\x40\xDC\x00", 10), "utf-16be", 0,
		     slice_from_text("hi𠀀"));
	expect_bytes("", slice_of("<\0p\0>\0\x2D\x4E", 8), "utf-16le", 0, slice_from_text("<p>中"));
	expect_bytes("", slice_of("\0<\0!\0>\x4E\x2D", 8), "utf-16be", 0, slice_from_text("<!>中"));
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
	expect("windows-1252", "\xEF\xBB\xBF\xC3\xA9", "utf-8", 0, "é");
	OWN("utf-8", "<meta charset=shift_jis>é", "<meta charset=shift_jis>é");
	expect("none", "<meta charset=koi8-r>\xF2", "koi8-r", 0, "<meta charset=koi8-r>Р");
	expect("", "<meta charset=utf-8>\xE9", "utf-8", BAD, "<meta charset=utf-8>" FFFD);
	/* Bytes that can only be UTF-8 outweigh a meta element, one lucky pair does not. */
	expect("", "<meta charset=gb2312>سلام", "utf-8", LIE, "<meta charset=gb2312>سلام");
	expect("", "<meta charset=koi8-r>é", "koi8-r", 0, "<meta charset=koi8-r>ц╘");
	expect("", "<meta charset=latin1>é", "utf-8", LIE, "<meta charset=latin1>é");
	expect("", "<meta charset=latin1>\xC3\xA9 \xE9", "windows-1252", 0, "<meta charset=latin1>Ã© é");
	expect("", "<p>é", "utf-8", 0, "<p>é");
	expect("", "only ascii", "utf-8", 0, "only ascii");
	expect("", "\xEF\xBB", "windows-1252", 0, "ï»");
}

/* Bytes of a charset, and what they are. */
static const char *const named[][3] = {
	{ "windows-1251", "\xD1\xF2\xE0\xF0\xFB\xE9 \xEC\xE0\xFF\xEA", "Старый маяк" },
	{ "koi8-r", "\xEB\xC1\xCD\xC5\xCE\xDD\xC9\xCB\xC9", "Каменщики" },
	{ "windows-1253", "\xF0\xE1\xEB\xE9\xFC\xF2 \xF6\xDC\xF1\xEF\xF2", "παλιός φάρος" },
	{ "gbk", "\xB8\xDB\xBF\xDA\xB5\xC4\xB5\xC6\xCB\xFE\xBA\xDC\xC0\xCF", "港口的灯塔很老" },
	{ "big5", "\xA6\xD1\xBFO\xB6\xF0\xAA\xBA\xBFO\xA5\xFA", "老燈塔的燈光" },
	{ "shift_jis", "\x93\x94\x91\xE4\x82\xCD\x8D`\x82\xC9\x82\xA0\x82\xC1\x82\xBD", "灯台は港にあった" },
	{ "euc-jp", "\xC4\xB9\xA4\xA4\xCC\xEB\xA4\xCE\xA4\xA2\xA4\xC8\xA4\xC7", "長い夜のあとで" },
	{ "euc-kr", "\xBF\xC0\xB7\xA1\xB5\xC8 \xB5\xEE\xB4\xEB\xBF\xB4\xB4\xD9", "오래된 등대였다" },
	{ "windows-1255", "\xEE\xE2\xE3\xEC\xE5\xF8 \xE9\xF9\xEF", "מגדלור ישן" },
	{ "windows-1252", "\xE9t\xE9 \xE0 c\xF4t\xE9, d\xE9j\xE0 l\xE0", "été à côté, déjà là" },
};

/* A label of the server over bytes that contradict it. */
TEST(test_wrong_labels)
{
	/* Valid UTF-8 with letters beyond ASCII, under the label of another charset. */
	const char *const *utf8 =
		TEXTS("windows-1252", "la jetée", "iso-8859-1", "Où êtes-vous, mon château", "iso-8859-15",
		      "L'œuvre coûte 5 €", "windows-1251", "старый маяк", "koi8-r", "новая линза", "iso-8859-2",
		      "žluťoučký kůň", "windows-1254", "ışıklı şehir", "gbk", "港口的灯塔", "shift_jis", "灯台は港に",
		      "euc-jp", "長い夜のあとで", "euc-kr", "오래된 등대", "big5", "老燈塔的燈", "iso-2022-jp",
		      "灯台の光", "windows-1256", "منارة الميناء");
	for (; *utf8; utf8 += 2) {
		char page[300];
		expect(utf8[0], utf8[1], "utf-8", LIE, utf8[1]);
		(void)snprintf(page, sizeof(page), "<meta charset=%s><p>%s", utf8[0], utf8[1]);
		expect(utf8[0], page, "utf-8", LIE, page);
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
	OWN("windows-1252", "été", "Ã©tÃ©");
	FAULTY("utf-8", "<meta charset=koi8-r>\xE9\xE9\xE9\xE9", "<meta charset=koi8-r>" FFFD FFFD FFFD FFFD);
	subject.named = false;
	/* A label of UTF-16, and UTF-16 under other labels. */
	expect("utf-16le", "<p>é", "utf-8", LIE, "<p>é");
	expect("utf-16be", "<p>all of it ASCII", "utf-8", LIE, "<p>all of it ASCII");
	expect_bytes("utf-8", slice_of("<\0p\0>\0\xE9\0", 8), "utf-16le", LIE, slice_from_text("<p>é"));
	expect_bytes("utf-16le", slice_of("<\0p\0>\0\xE9\0", 8), "utf-16le", 0, slice_from_text("<p>é"));
	/* A few broken places are no other charset, nor is noise. */
	FAULTY("utf-8", "<meta charset=koi8-r>\xC3\xA9\xE9 \xE9 \xE9", "<meta charset=koi8-r>é" FFFD " " FFFD " " FFFD);
	FAULTY("utf-8", "\xD8\xB3\xD9\x84\xD8\xA7\xD9\x85\xD8\xB3 \xE9 \xE9 \xE9 \xE9",
	       "سلامس " FFFD " " FFFD " " FFFD " " FFFD);
	FAULTY("utf-8", "<meta charset=koi8-r>\x01\x02\x03\x04\xE9 \xE9 \xE9 \xE9 \xE9",
	       "<meta charset=koi8-r>\x01\x02\x03\x04" FFFD " " FFFD " " FFFD " " FFFD " " FFFD);
	/* Two characters of GBK that are valid UTF-8 by chance. */
	OWN("gbk", "\xCD\xA8\xD6\xAA", "通知");
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

#define HARBOUR "港口的"

/* Labels of charsets of pairs of bytes over others: where they fail, <meta> wins, and the detector without one. */
TEST(test_wrong_pairs)
{
	/* Label, charset, and "found" where the detector finds it: in others it finds nothing, or another one. */
	const char *const *lie = TEXTS(
		"shift_jis euc-jp found", "shift_jis gbk", "shift_jis big5", "shift_jis euc-kr found",
		"shift_jis windows-1251 found", "euc-jp shift_jis found", "euc-jp big5", "euc-jp windows-1251 found",
		"euc-jp windows-1252", "euc-kr shift_jis found", "euc-kr big5", "euc-kr koi8-r", "big5 shift_jis found",
		"big5 windows-1251 found", "gbk windows-1251 found", "gb18030 windows-1252");
	AUTO_BUF in = { 0 }, out = { 0 };
	for (; *lie; lie++) {
		const char *const *row = named[0];
		char meta[60], label[20], charset[20], found[20] = "";
		assert_true(sscanf(*lie, "%19s %19s %19s", label, charset, found) >= 2);
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
		if (*found) {
			const struct slice page = repeat(&in, "<p>", 0, row[1], 40);
			expect_bytes(label, page, charset, LIE, repeat(&out, "<p>", 0, row[2], 40));
		}
#endif
	}
	/* A few broken places are no other charset, nor is noise; and what a user says holds. */
	FAULTY("euc-jp", "<meta charset=shift_jis>\x82 \x82 \x82 ",
	       "<meta charset=shift_jis>" FFFD " " FFFD " " FFFD " ");
	expect("euc-jp", "<meta charset=shift_jis>\x82\xA0\x82\xA0\x82\xA0\x82\xA0", "shift_jis", LIE,
	       "<meta charset=shift_jis>ああああ");
	FAULTY("euc-jp", "<meta charset=shift_jis>\x01\x02\x03\x04\x82 \x82 \x82 \x82 ",
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
	FAULTY("euc-jp", "<meta charset=shift_jis>\x82 \x82 \x82 \x82 ",
	       "<meta charset=shift_jis>" FFFD " " FFFD " " FFFD " " FFFD " ");
	subject.named = false;
}

#ifdef HAVE_UCHARDET
/* Encodes UTF-8 by the system's converter. */
static void encode(const char *charset, const char *text, char *out, size_t size)
{
	iconv_t converter = iconv_open(charset, "utf-8");
	char *in = (char *)(uintptr_t)text;
	size_t left = strlen(text);
	assert_true(converter != (iconv_t)-1);
	memset(out, 0, size--);
	assert_int_equal(iconv(converter, &in, &left, &out, &size), 0);
	assert_ok(iconv_close(converter));
}

/* Nothing names the charset of the bytes under the label of UTF-8: the detector does. */
TEST(test_wrong_labels_alone)
{
	static const char *const pages[][2] = {
		{ "windows-1251",
		  "Старый маяк на краю северного мола отремонтировали зимой, после двух лет темноты, и совет заплатил "
		  "за новую линзу." },
		{ "gb18030", "港口的灯塔很老了，去年冬天人们把它修好了，现在每天晚上都亮着。" },
		{ "shift_jis", "灯台は港のはずれにあって、冬のあいだに直された。今は毎晩あかりがともる。" },
		{ "euc-jp", "灯台は港のはずれにあって、冬のあいだに直された。今は毎晩あかりがともる。" },
		{ "euc-kr", "오래된 등대는 항구의 끝에 있고 지난 겨울에 고쳐졌다. 이제 매일 밤 불이 켜진다." },
		{ "iso-8859-7",
		  "Ο παλιός φάρος στην άκρη του λιμανιού επισκευάστηκε τον χειμώνα μετά από δύο χρόνια σκοτάδι." },
		{ "windows-1255",
		  "המגדלור הישן בקצה הנמל תוקן בחורף אחרי שנתיים של חושך והמועצה שילמה על העדשה החדשה" },
		{ "koi8-r",
		  "Старый маяк на краю северного мола отремонтировали зимой, после двух лет темноты, и совет заплатил "
		  "за новую линзу." },
		{ "big5", "港口的燈塔很老了，去年冬天人們把它修好了，現在每天晚上都亮著。" },
		{ "windows-1252",
		  "Le vieux phare au bout de la jetée a été réparé pendant l’hiver, après deux années où il est resté "
		  "éteint, là, déjà." },
	};
	for (size_t i = 0; i < sizeof(pages) / sizeof(*pages); i++) {
		char coded[600], page[700], text[700];
		encode(pages[i][0], pages[i][1], coded, sizeof(coded));
		expect("utf-8", coded, pages[i][0], LIE, pages[i][1]);
		(void)snprintf(page, sizeof(page), "<meta charset=utf-8>%s", coded);
		(void)snprintf(text, sizeof(text), "<meta charset=utf-8>%s", pages[i][1]);
		expect("utf-8", page, pages[i][0], LIE, text);
		expect("", page, pages[i][0], LIE, text);
	}
}
#endif

/* A page of `front`, ASCII up to a length, and `tail`, of which it makes `text`. */
static void expect_late(const char *label, const char *front, size_t ascii, const char *tail, const char *name,
			unsigned problems, const char *text)
{
	AUTO_BUF in = { 0 }, out = { 0 };
	buf_append_text(&in, front);
	append_filled(&in, ascii);
	buf_append(&out, in.data, in.len);
	buf_append_text(&in, tail);
	buf_append_text(&out, text);
	expect_bytes(label, buf_slice(&in), name, problems, buf_slice(&out));
}

/* The window of detection is 16 KiB: what lies after it is decided by its own first bytes. */
TEST(test_window)
{
	enum { WINDOW = 16 << 10 };
	static const char meta[] = "<meta charset=windows-1251>";
	expect_late("", "", WINDOW - 30, "<meta charset=koi8-r>\xF2", "koi8-r", 0, "<meta charset=koi8-r>Р");
	expect_late("", "", WINDOW, "<meta charset=koi8-r>\xF2 ", "windows-1252", 0, "<meta charset=koi8-r>ò ");
	expect_late("", "", WINDOW, "س", "utf-8", 0, "س");
	expect_late("", "", WINDOW, "\xD8", "windows-1252", 0, "Ø");
	/* What <meta> says holds after the window too, unless UTF-8 is sure. */
	expect_late("", meta, WINDOW, "\xD0\xF3", "windows-1251", 0, "Ру");
	expect_late("", meta, WINDOW, "’", "utf-8", LIE, "’");
	expect_late("", meta, WINDOW, "", "windows-1251", 0, "");
	/* The second window ends: what it says is final. */
	AUTO_BUF in = { 0 }, out = { 0 };
	for (size_t i = 0; i < 2050; i++)
		buf_append_text(&in, "Р");
	buf_printf(&out, "%.*s" FFFD "%c", (int)in.len, (const char *)in.data, 0);
	buf_append(&in, "\xFF", 2);
	expect_late("", meta, WINDOW, (const char *)in.data, "utf-8", BAD | LIE, (const char *)out.data);
	/* Labels hold up to the first bytes that contradict them. */
	expect_late("latin1", "", WINDOW * 2, "é", "utf-8", LIE, "é");
	expect_late("latin1", "", WINDOW * 2, "\xE9", "windows-1252", 0, "é");
	expect_late("utf-8", "", WINDOW * 2, "\xE9", "utf-8", BAD, FFFD);
	expect_late("utf-8", "", WINDOW * 2, "", "utf-8", 0, "");
	expect_late("utf-8", meta, WINDOW + 99, "\xF1\xF2\xE0\xF0\xFB\xE9", "windows-1251", LIE, "старый");
	expect_late("utf-8", meta, WINDOW + 99, "старый", "utf-8", 0, "старый");
	expect_late("windows-1251", meta, WINDOW + 99, "старый", "utf-8", LIE, "старый");
	/* A character across the end of the window. */
	expect_late("", "", WINDOW - 4, "س中!", "utf-8", 0, "س中!");
}

#ifdef HAVE_UCHARDET
TEST(test_uchardet)
{
	expect("",
	       "\xE1\xF9\xEC\xE5\xEC \xE9\xE5\xED \xF9\xE1\xFA \xF9\xEC\xE5\xED \xEC\xEB\xE5\xEC\xED \xE5\xE4\xEB\xEC "
	       "\xE8\xE5\xE1",
	       "windows-1255", 0, "בשלול יום שבת שלום לכולם והכל טוב");
	/* Quotation marks alone are no Latin letters of some other charset. */
	expect("", "It\x92s a \x93quote\x94 \xB9", "windows-1252", 0, "It’s a “quote” ¹");
	/* One fault among many good characters. */
	expect("",
	       "\xE4\xB8\xAD\xE6\x96\x87\xE4\xB8\xAD\xE6\x96\x87\xE4\xB8\xAD\xE6\x96\x87\xE4\xB8\xAD\xE6\x96\x87"
	       "\xE4\xB8\xAD\xE6\x96\x87\xE4\xB8!",
	       "utf-8", BAD, "中文中文中文中文中文" FFFD "!");
	expect("", "a \x1B$BF|K\\8l$NJ8>O\x1B(B", "iso-2022-jp", 0, "a 日本語の文章");
}
#endif

/* ASCII is ASCII, alone and between other characters. */
TEST(test_ascii_is_ascii)
{
	static const char *const labels[] = { "gb18030",   "big5",   "euc-jp",      "euc-kr",
					      "shift_jis", "koi8-r", "windows-1256" };
	uint8_t ascii[127];
	for (unsigned i = 0; i < 127; i++)
		ascii[i] = (uint8_t)(i + 1);
	for (size_t i = 0; i < sizeof(labels) / sizeof(labels[0]); i++) {
		const struct charset *charset = charset_find(slice_from_text(labels[i]));
		expect_bytes(labels[i], slice_of(ascii, 127), charset->name, 0, slice_of(ascii, 127));
	}
	/* Each after a character of two bytes. */
	AUTO_BUF in = { 0 }, out = { 0 };
	for (int i = 1; i < 127; i++) {
		buf_printf(&in, "\xB0\xA1%c", i);
		buf_printf(&out, "啊%c", i);
	}
	expect_bytes("gbk", buf_slice(&in), "gbk", 0, buf_slice(&out));
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

GROUP(setup, teardown)
