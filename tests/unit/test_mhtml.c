/* SPDX-License-Identifier: MIT */
/* Messages that hold a page, in the shapes that programs write, each cut in all ways. */
#include "config.h"

#include "archive/mhtml.h"
#include "support/split_feed.h"
#include "support/unit.h"

struct subject {
	struct byte_sink sink;
	struct mhtml *message;
	struct slice type, first;
	int status;
	struct buf found;
};

static int collect(struct byte_sink *self, struct slice bytes)
{
	struct subject *s = (struct subject *)self;
	return buf_append(&s->found, bytes.data, bytes.len);
}

static const struct byte_sink_ops collector_ops = { .name = "collector", .write = collect };

/* "TYPE|ADDRESS|" and then the page. */
static int take_page(void *arg, const struct mhtml_page *page)
{
	struct subject *s = arg;
	return buf_printf(&s->found, "%.*s|%.*s|", (int)page->content_type.len, (const char *)page->content_type.data,
			  (int)page->location.len, (const char *)page->location.data);
}

static void begin(void *arg)
{
	struct subject *s = arg;
	buf_clear(&s->found);
	assert_int_equal(mhtml_begin(s->message, s->type, s->first), DANA_OK);
}

static void piece(void *arg, struct slice bytes)
{
	struct subject *s = arg;
	assert_int_equal(mhtml_write(s->message, bytes), DANA_OK);
}

static void end(void *arg, struct buf *outcome)
{
	struct subject *s = arg;
	s->status = mhtml_finish(s->message);
	buf_printf(outcome, "%d|", s->status);
	buf_append(outcome, s->found.data, s->found.len);
}

static void check(struct slice message, const char *type, const char *expected)
{
	struct subject s = { .sink = { &collector_ops }, .type = slice_from_text(type) };
	const struct mhtml_target target = { take_page, &s, &s.sink };
	const struct split_subject split = { begin, piece, end, &s };
	struct buf whole = { 0 };
	s.message = mhtml_new(&target);
	assert_non_null(s.message);
	s.first = slice_first(message, 512);
	split_check(&split, message, &whole);
	assert_int_equal(buf_append_byte(&whole, 0), DANA_OK);
	assert_string_equal((const char *)whole.data, expected);
	buf_free(&whole);
	buf_free(&s.found);
	mhtml_free(s.message);
}

#define HEAD "From: <Saved by Blink>\r\nSnapshot-Content-Location: https://example.org/p\r\nMIME-Version: 1.0\r\n"
#define RELATED HEAD "Content-Type: multipart/related;\r\n\ttype=\"text/html\";\r\n\tboundary=\"b\"\r\n\r\n"
#define HTML "Content-Type: text/html; charset=utf-8\r\n"
#define QUOTED "Content-Transfer-Encoding: quoted-printable\r\n"
#define FOUND "0|text/html; charset=utf-8|https://example.org/p|"

static const struct shape {
	const char *name, *type, *message, *expected;
} shapes[] = {
	{ "quoted-printable", "", RELATED "\r\n--b\r\n" HTML QUOTED "\r\n<p>caf=C3=a9 =\r\nx=3D =  \r\ny\r\n--b--\r\n",
	  FOUND "<p>caf\xc3\xa9 x= y" },
	{ "what is no code stays", "", RELATED "--b\r\n" HTML QUOTED "\r\n=zz =4g =  a =\r\n--b--",
	  FOUND "=zz =4g =  a " },
	{ "base64", "",
	  RELATED "--b\r\n" HTML "Content-Transfer-Encoding: BASE64\r\n\r\nPHA+\r\nY2Fm\r\nw6k=\r\n--b--\r\n",
	  FOUND "<p>caf\xc3\xa9" },
	{ "base64 without its end", "", RELATED "--b\r\n" HTML "Content-Transfer-Encoding: base64\r\n\r\nPHA+YWI",
	  FOUND "<p>ab" },
	{ "8bit", "", RELATED "--b\r\n" HTML "Content-Transfer-Encoding: 8bit\r\n\r\n<p>\xc3\xa9=41\r\n\r\n--b--\r\n",
	  FOUND "<p>\xc3\xa9=41\r\n" },
	{ "no encoding, LF", "",
	  "MIME-Version: 1.0\nContent-Type: multipart/related; boundary=b\n\n--b\n\n\n--b\n"
	  "Content-Type: text/html\n\n<p>a\r\n\nb\n--b--\n",
	  "0|text/html||<p>a\r\n\nb" },
	{ "what belongs to the page comes first", "",
	  RELATED "--b\r\nContent-Type: text/css\r\n\r\np {}\r\n--b\r\n" HTML "\r\n<p>a\r\n--b--\r\n", FOUND "<p>a" },
	{ "the address of the part", "",
	  RELATED "--b\r\n" HTML "Content-Location:\r\n https://example.org/\r\n a\r\n\r\n<p>\r\n--b--",
	  "0|text/html; charset=utf-8|https://example.org/a|<p>" },
	{ "no address of the web", "", RELATED "--b\r\n" HTML "Content-Location: cid:a@b\r\n\r\n<p>\r\n--b--",
	  FOUND "<p>" },
	{ "start", "",
	  HEAD "Content-Type: multipart/related; start=\"<r>\"; boundary=b\r\n\r\n--b\r\n" HTML
	       "\r\nframe\r\n--b\r\n" HTML "Content-ID: <r>\r\n\r\n<p>a\r\n--b--",
	  FOUND "<p>a" },
	{ "start that is not there", "",
	  HEAD "Content-Type: multipart/related; start=r; boundary=b\r\n\r\n--b\r\n" HTML "\r\n<p>a\r\n--b\r\n" HTML
	       "\r\nframe\r\n--b--",
	  FOUND "<p>a" },
	{ "parts in parts", "",
	  RELATED "--b\r\nContent-Type: multipart/alternative; boundary=bb\r\n\r\n--bb\r\n"
		  "Content-Type: text/plain\r\n\r\nplain\r\n--bb\r\n" HTML "\r\n<p>a\r\n--bc\r\n--bb--\r\n\r\n--b--",
	  FOUND "<p>a\r\n--bc" },
	{ "a message in a message", "",
	  "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=o\r\n\r\n--o\r\n"
	  "Content-Type: message/rfc822\r\n\r\n" RELATED "--b\r\n" HTML
	  "Content-Location: https://example.org/p\r\n\r\n<p>a\r\n--o--",
	  FOUND "<p>a" },
	{ "no last delimiter", "", RELATED "--b\r\n" HTML "\r\n<p>a\r\n", FOUND "<p>a\r\n" },
	{ "no empty lines", "", HEAD "Content-Type: multipart/related; boundary=b\r\n--b\r\n" HTML "<p>a: b\r\n--b--",
	  FOUND "<p>a: b" },
	{ "no boundary", "", HEAD "Content-Type: multipart/related\r\n\r\n--any\r\n" HTML "\r\n<p>a\r\n--any--\r\n",
	  FOUND "<p>a" },
	{ "lines like delimiters", "", RELATED "--b\r\n" HTML "\r\n--\r\n-\r\n--bx\r\n---b\r\n--b  \t\r\n",
	  FOUND "--\r\n-\r\n--bx\r\n---b" },
	{ "one part", "", HEAD HTML QUOTED "\r\n<p>=41\r\n--b\r\n", FOUND "<p>A\r\n--b\r\n" },
	{ "a part that says nothing", "", RELATED "--b\r\n\r\n<p>a\r\n--b--", "0||https://example.org/p|<p>a" },
	{ "a mark and a mailbox", "", "\xef\xbb\xbf" RELATED "--b\r\n" HTML "\r\n<p>a\r\n--b--", FOUND "<p>a" },
	{ "a mailbox", "", "From - Mon Jan  1\r\n" RELATED "--b\r\n" HTML "\r\n<p>a\r\n--b--", FOUND "<p>a" },
	{ "the head of HTTP", "multipart/related; boundary=\"b\"", "--b\r\n" HTML "\r\n<p>a\r\n--b--",
	  "0|text/html; charset=utf-8||<p>a" },
	{ "the head of HTTP, and one of its own", "multipart/related", RELATED "--b\r\n" HTML "\r\n<p>a\r\n--b--",
	  FOUND "<p>a" },
	{ "no page", "", RELATED "--b\r\nContent-Type: text/plain\r\n\r\na\r\n--b--", "1|" },
	{ "nothing", "", "", "1|" },
};

TEST(the_page_of_a_message)
{
	(void)state;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++) {
		print_message("%s\n", shapes[i].name);
		check(slice_from_text(shapes[i].message), shapes[i].type, shapes[i].expected);
	}
}

TEST(a_boundary_of_any_length)
{
	(void)state;
	static const size_t lengths[] = { 70, 300, 5000 };
	for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
		struct buf b = { 0 }, message = { 0 };
		for (size_t k = 0; k < lengths[i]; k++)
			buf_append_byte(&b, 'b');
		buf_printf(&message,
			   HEAD "Content-Type: multipart/related; boundary=%.*s\r\n\r\n--%.*s\r\n" HTML
				"\r\n<p>a\r\n--%.*s",
			   (int)b.len, (char *)b.data, (int)b.len, (char *)b.data, (int)b.len, (char *)b.data);
		for (size_t k = 0; k < 300; k++) /* more white space than a delimiter may have */
			buf_append_byte(&message, ' ');
		buf_printf(&message, "\r\n--%.*s--\r\n", (int)b.len, (char *)b.data);
		assert_int_equal(buf_status(&message), DANA_OK);
		struct buf expected = { 0 };
		buf_printf(&expected, FOUND "<p>a\r\n--%.*s", (int)b.len, (char *)b.data);
		for (size_t k = 0; k < 300; k++)
			buf_append_byte(&expected, ' ');
		buf_append_byte(&expected, 0);
		check(buf_slice(&message), "", (const char *)expected.data);
		buf_free(&b);
		buf_free(&message);
		buf_free(&expected);
	}
}

TEST(what_begins_a_message)
{
	(void)state;
	static const struct {
		const char *first;
		bool is;
	} firsts[] = {
		{ RELATED, true },
		{ "From: <Saved by Windows Internet Explorer 8>\r\nSubject: a\r\n", true },
		{ "\nContent-Type: multipart/related;\n boundary=x\n\n", true },
		{ "MIME-Version: 1.0\nContent-Type: text/html\n<p>a", true },
		{ "Content-Type: text/html\n\n<p>MIME-Version: 1.0", false },
		{ "Subject: a\nFrom: b\n\nMIME-Version: 1.0", false },
		{ "<html>\nMIME-Version: 1.0\n", false },
		{ "MIME-Version: of the future\nis this", false },
		{ "https://example.org/\nMIME-Version: 1.0\n", false },
		{ "", false },
	};
	for (size_t i = 0; i < sizeof(firsts) / sizeof(*firsts); i++)
		assert_int_equal(mhtml_begins(slice_from_text(firsts[i].first)), firsts[i].is);
}
