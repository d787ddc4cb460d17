/* SPDX-License-Identifier: MIT */
/*
 * Requests as the service reads them: heads, chunked bodies, queries, forms, what clients accept, and hosts. However
 * the bytes are cut, the outcome is the same.
 */
#include "config.h"

#include <arpa/inet.h>

#include "serve/connection.h"
#include "serve/public_address.h"
#include "support/split_feed.h"
#include "support/unit.h"

/* Takes the first text off a list of texts that end with a form feed. NULL: there is none. */
static const char *next(const char **list)
{
	static char text[200];
	const int len = (int)strcspn(*list, "\f");
	if (!**list)
		return NULL;
	(void)snprintf(text, sizeof(text), "%.*s", len, *list);
	*list += len + 1;
	return text;
}

static void put_slice(struct buf *out, struct slice s)
{
	assert_ok(buf_printf(out, "[%.*s]", (int)s.len, (const char *)s.data));
}

/* ---- heads ---- */

static struct {
	struct buf bytes;
	struct request_scan scan;
	int result; /* of request_head_scan, the first that is not 0 */
} head;

static void head_begin(void *arg)
{
	(void)arg;
	buf_clear(&head.bytes);
	head.scan = (struct request_scan){ .seen = 0 };
	head.result = 0;
}

static void head_piece(void *arg, struct slice bytes)
{
	(void)arg;
	if (head.result)
		return;
	assert_ok(buf_append(&head.bytes, bytes.data, bytes.len));
	head.result = request_head_scan(&head.scan, buf_slice(&head.bytes));
}

static void head_end(void *arg, struct buf *out)
{
	struct request_head r;
	(void)arg;
	if (head.result <= 0) {
		buf_printf(out, "%d", -head.result);
		return;
	}
	enum request_refusal refusal = request_head_read(slice_first(buf_slice(&head.bytes), (size_t)head.result), &r);
	if (refusal) {
		buf_printf(out, "%d", (int)refusal);
		return;
	}
	put_slice(out, r.method);
	put_slice(out, r.authority);
	put_slice(out, r.path);
	if (r.has_host && !slice_equal(r.host, slice_from_text("a"))) {
		buf_append_text(out, " for ");
		put_slice(out, r.host);
	}
	if (r.has_length)
		buf_printf(out, " %llu", (unsigned long long)r.length);
	buf_append_text(out, r.chunked ? " chunked" : "");
	buf_append_text(out, r.old ? " old" : "");
	buf_append_text(out, r.closes ? " closes" : "");
	buf_append_text(out, r.expects ? " expects" : "");
}

static void expect_head_bytes(struct slice input, const char *expected)
{
	const struct split_subject subject = { head_begin, head_piece, head_end, NULL };
	AUTO_BUF outcome = { 0 };
	split_check(&subject, input, &outcome);
	assert_holds(&outcome, expected);
	buf_free(&head.bytes);
}

static void expect_head(const char *input, const char *expected)
{
	expect_head_bytes(slice_from_text(input), expected);
}

/* Each of a list, between the same. */
static void expect_heads(const char *before, const char *list, const char *after, const char *expected)
{
	char input[200];
	for (const char *text; (text = next(&list));) {
		(void)snprintf(input, sizeof(input), "%s%s%s", before, text, after);
		expect_head(input, expected);
	}
}

TEST(good_heads)
{
	expect_head("GET / HTTP/1.1\r\nHost: a\r\n\r\n", "[GET][][/]");
	expect_head("POST /a?b=c HTTP/1.1\r\nhost:a\r\ncontent-LENGTH:\t12 \r\n\r\nbody", "[POST][][/a] 12");
	expect_head("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\nExpect: 100-continue\r\n\r\n",
		    "[POST][][/] chunked expects");
	expect_head("GET / HTTP/1.0\r\n\r\n", "[GET][][/] old closes");
	expect_head("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", "[GET][][/] old");
	expect_head("GET / HTTP/1.1\r\nHost: a\r\nConnection: x, close\r\n\r\n", "[GET][][/] closes");
	expect_head("GET http://h:1/p?q HTTP/1.1\r\nHost: a\r\n\r\n", "[GET][h:1][/p]");
	expect_head("GET http://h?q HTTP/1.1\r\nHost: a\r\n\r\n", "[GET][h][]");
	expect_head("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", "[OPTIONS][][*]");
	expect_head("GET / HTTP/1.1\r\nHost:\r\nA: caf\xc3\xa9\r\n\r\n", "[GET][][/] for []");
	expect_head("GET / HTTP/1.1\r\nHost: a", "0"); /* more is needed */
	expect_head("", "0");
}

TEST(bad_lines)
{
	static const char rest[] = "\r\nHost: a\r\n\r\n";
	expect_heads("",
		     "GET  / HTTP/1.1\fGET / HTTP/1.1 \fGET /\f/ HTTP/1.1\fGET a HTTP/1.1\fGET * HTTP/1.1\f"
		     "GET /#a HTTP/1.1\fGET /\xc3\xa9 HTTP/1.1\fG@T / HTTP/1.1\fGET / HTTP/1.12\fGET / HTTQ/1.1\f"
		     "GET / http/1.1\f",
		     rest, "400");
	expect_heads("", "GOT / HTTP/1.1\fget / HTTP/1.1\f", rest, "501");
	expect_heads("", "GET / HTTP/2.0\f", rest, "505");
	expect_head("GET / HTTP/1.1\nHost: a\n\n", "400");
	expect_head("GET / HTTP/1.1\rHost: a\r\r", "400");
	expect_head_bytes(slice_of("GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n", 29), "400");
	expect_head("\x16\x03\x01\x02", "400"); /* TLS */
}

TEST(bad_fields)
{
	static const char line[] = "POST / HTTP/1.1\r\nHost: a\r\n", end[] = "\r\n\r\n";
	expect_heads(line,
		     "Host: a\fno colon\f: a\fA : b\fA: b\r\n folded\fA: b\x01\fA: b\x7f\fA: b\rc\fA: b\nc: d\f"
		     "Content-Length: 1\r\nContent-Length: 1\fContent-Length: 1, 1\fContent-Length: +1\f"
		     "Content-Length: -1\fContent-Length: 0x1\fContent-Length:\fContent-Length: 18446744073709551616\f"
		     "Content-Length: 1\r\nTransfer-Encoding: chunked\fTransfer-Encoding: \x0b\143hunked\f"
		     "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\f",
		     end, "400");
	expect_heads(line, "Transfer-Encoding: gzip, chunked\fTransfer-Encoding: chunked,\f", end, "501");
	expect_heads(line, "Expect: 200-ok\f", end, "417");
	expect_heads(line, "Content-Length: 18446744073709551615\f", end, "[POST][][/] 18446744073709551615");
	expect_head("GET / HTTP/1.1\r\n\r\n", "400");
	expect_head("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", "400");
}

/* As a Host and in a target; what is well formed need not be a name of this machine. */
TEST(hosts_of_heads)
{
	static const char good[] =
		"b\fA.example\fa:80\fa:\f127.0.0.256\f127.1\f0x7f.1\f2130706433\f127.0.0.1.\fa_b-c.d~e\fa%2eb\f"
		"a,b;c=d!$&'()*+\f[::1]\f[::1]:80\f[::1]:\f[1:2::3]\f[::127.0.0.1]\f[::ffff:7f00:1]:00080\f"
		"[::]:99999\f[0:0:0:0:0:0:0:1]\f";
	static const char bad[] =
		":80\f:\fuser@a\fuser:word@a\f@a\fa@\fa:80:80\fa:b\fa:-1\fa:+80\fa:0x50\fa:8O\fa%\fa%2\fa%zz\fa b\f"
		"a\tb\fa, b\fa\\b\fa|b\fa\"b\f<a>\f{a}\fa^b\fa`b\fa\xc3\xa9\f::1\f::1:80\f[]\f[]:80\f[::1\f::1]\f"
		"[::1]]\f[[::1]]\f[::1]a\f[::1]a:80\fa[::1]\f[::1%lo]\f[::1%25lo]\f[v1.a]\f[127.0.0.1]\f"
		"[localhost]\f[::1::]\f[:::1]\f[1:2:3:4:5:6:7:8:9]\f[::127.0.0.256]\f[::12345]\f[ ::1]\f[::1\t]\f";
	char input[200];
	for (const char *rest = good, *host; (host = next(&rest));) {
		char expected[100];
		(void)snprintf(input, sizeof(input), "GET / HTTP/1.1\r\nHost: \t%s \t\r\n\r\n", host);
		(void)snprintf(expected, sizeof(expected), "[GET][][/] for [%s]", host);
		expect_head(input, expected);
		(void)snprintf(input, sizeof(input), "GET HTTP://%s?q HTTP/1.1\r\nHost:\r\n\r\n", host);
		(void)snprintf(expected, sizeof(expected), "[GET][%s][] for []", host);
		expect_head(input, expected);
	}
	expect_heads("GET / HTTP/1.1\r\nHost: ", bad, "\r\n\r\n", "400");
	expect_heads("GET / HTTP/1.0\r\nHost: ", bad, "\r\n\r\n", "400");
	expect_heads("GET http://", bad, "/ HTTP/1.1\r\nHost: a\r\n\r\n", "400");
	expect_heads("GET http:", "///x\f//\f//?x\f////a/x\f/a/x\fa\f", " HTTP/1.1\r\nHost: a\r\n\r\n", "400");
	expect_head("GET http://a/http:///x HTTP/1.1\r\nHost: a\r\n\r\n", "[GET][a][/http:///x]");
	expect_head("GET //b/x HTTP/1.1\r\nHost: a\r\n\r\n", "[GET][][//b/x]");
}

TEST(limits_of_heads)
{
	static char long_head[REQUEST_HEAD_MOST + 100];
	AUTO_BUF many = { 0 };
	memset(long_head, 'a', sizeof(long_head) - 1);
	memcpy(long_head, "GET /", 5);
	expect_head(long_head, "414");
	memcpy(long_head, "GET / HTTP/1.1\r\nHost: a\r\nX: ", 28);
	expect_head(long_head, "431");
	/* Exactly as long as it may be. */
	memcpy(long_head + REQUEST_HEAD_MOST - 4, "\r\n\r\n", 5);
	expect_head(long_head, "[GET][][/]");
	for (int lines = REQUEST_LINES_MOST - 1; lines <= REQUEST_LINES_MOST; lines++) {
		buf_clear(&many);
		buf_append_text(&many, "GET / HTTP/1.1\r\nHost: a\r\n");
		for (int i = 0; i < lines; i++)
			buf_append_text(&many, "A: b\r\n");
		buf_append_text(&many, "\r\n");
		expect_head_bytes(buf_slice(&many), lines < REQUEST_LINES_MOST ? "[GET][][/]" : "431");
	}
}

/* ---- chunks ---- */

static struct {
	struct chunk_frames frames;
	size_t taken;
	struct buf data;
	bool bad;
} chunks;

static void chunks_begin(void *arg)
{
	(void)arg;
	chunks.frames = (struct chunk_frames){ .state = CHUNK_SIZE };
	chunks.taken = 0;
	chunks.bad = false;
	buf_clear(&chunks.data);
}

static void chunks_piece(void *arg, struct slice bytes)
{
	AUTO_BUF piece = { 0 };
	size_t taken, kept;
	(void)arg;
	assert_ok(buf_append(&piece, bytes.data, bytes.len));
	chunks.bad = chunks.bad || !chunk_frames_take(&chunks.frames, piece.data, piece.len, &taken, &kept);
	if (!chunks.bad) {
		chunks.taken += taken;
		buf_append(&chunks.data, piece.data, kept);
	}
}

static void chunks_end(void *arg, struct buf *out)
{
	(void)arg;
	if (chunks.bad)
		buf_append_text(out, "bad");
	else
		buf_printf(out, "%s %zu: %.*s", chunks.frames.state == CHUNK_END ? "end" : "more", chunks.taken,
			   (int)chunks.data.len, (const char *)chunks.data.data);
}

static void expect_chunks(const char *input, const char *expected)
{
	const struct split_subject subject = { chunks_begin, chunks_piece, chunks_end, NULL };
	AUTO_BUF outcome = { 0 };
	split_check(&subject, slice_from_text(input), &outcome);
	assert_holds(&outcome, expected);
}

TEST(frames_of_chunks)
{
	expect_chunks("3\r\nabc\r\n0\r\n\r\nrest", "end 13: abc");
	expect_chunks("A;x=\"y\"\r\n0123456789\r\n00\r\n\r\n", "end 27: 0123456789");
	expect_chunks("0\r\nTrailer: a\r\nB: c\r\n\r\n", "end 23: ");
	expect_chunks("3\r\nab", "more 5: ab");
	expect_chunks("1\r\na\r\n2;x\r\nbc\r\n3\r\ndef\r\n0\r\nA: b\r\n\r\nrest", "end 34: abcdef");
	static const char bad[] =
		"3\nabc\r\n0\r\n\r\n\f3\r\nabcd\r\n0\r\n\r\n\f3\r\nabc\n0\r\n\r\n\f\r\n\f;a\r\n\f-1\r\n\f"
		"+1\r\n\f0x1\r\n\f1 \r\na\r\n\f1;\x01\r\na\r\n\f1\r\ra\r\n\f1;a\nb\r\n\f10000000000000000\r\n\f"
		"0\r\n folded\r\n\r\n\f0\r\nA: b\n\r\n\f0\r\n\rx\f";
	for (const char *rest = bad, *input; (input = next(&rest));)
		expect_chunks(input, "bad");
}

TEST(overhead_of_chunks)
{
	static char text[CHUNK_OVERHEAD_MOST + 100];
	memset(text, 'a', sizeof(text) - 1);
	memcpy(text, "1;", 2);
	expect_chunks(text, "bad");
	memcpy(text + CHUNK_OVERHEAD_MOST + 2, "\r\na\r\n0\r\n\r\n", 11);
	expect_chunks(text, "end 4108: a");
}

/* ---- queries and forms ---- */

/* "name=value;" for each, "name;" without a value, "name!" where it cannot be decoded. */
TEST(queries)
{
	const char *const *pair =
		TEXTS("", "", "a=b", "a=b;", "a=b&c=d", "a=b;c=d;", "a=b&", "a=b;", "&", ";", "&&a", ";;a;", "=", "=;",
		      "a", "a;", "a=", "a=;", "a=b=c", "a=b=c;", "a=b+c%20d%2Be%41%61", "a=b c d+eAa;", "%61=b",
		      "%61=b;", "a=%00&b=c", "a=!b=c;", "a=x%&b=%4&c=%4g&d=%%41", "a=x!b=!c=!d=!");
	for (; *pair; pair += 2) {
		struct slice rest = slice_from_text(pair[0]), name, value;
		AUTO_BUF out = { 0 };
		while (request_query_next(&rest, &name, &value)) {
			buf_append(&out, name.data, name.len);
			buf_append_text(&out, value.data ? "=" : "");
			buf_append_text(&out, request_decode(value, false, &out) ? ";" : "!");
		}
		assert_holds(&out, pair[1]);
	}
}

/* "file|html|method", or "bad". */
static void expect_form(const char *type, const char *body, const char *expected)
{
	struct form_field fields[] = { { .name = "file" }, { .name = "html" }, { .name = "method" } };
	struct slice content_type = slice_from_text(type);
	bool readable;
	AUTO_BUF out = { 0 };
	if (!form_is(content_type, &readable))
		buf_append_text(&out, "none");
	else if (!readable)
		buf_append_text(&out, "no boundary");
	else if (!form_read(content_type, slice_from_text(body), fields, 3))
		buf_append_text(&out, "bad");
	else
		buf_printf(&out, "%.*s|%.*s|%.*s", (int)fields[0].value.len, (const char *)fields[0].value.data,
			   (int)fields[1].value.len, (const char *)fields[1].value.data, (int)fields[2].value.len,
			   (const char *)fields[2].value.data);
	buf_append_byte(&out, 0);
	if (strcmp((const char *)out.data, expected) != 0)
		fail_msg("%s %s: %s", type, body, (const char *)out.data);
	for (size_t i = 0; i < 3; i++)
		buf_free(&fields[i].value);
}

TEST(forms_of_words)
{
	static const char type[] = "application/x-www-form-urlencoded";
	expect_form(type, "", "||");
	expect_form(type, "html=%3Cp%3Ea+b&method=danag", "|<p>a b|danag");
	expect_form("Application/X-WWW-Form-URLencoded ; charset=utf-8", "file=a", "a||");
	expect_form(type, "html&method=a", "||a");
	expect_form(type, "html=a&html=b&other=c", "|ab|");
	expect_form(type, "html=%zz%4", "|%zz%4|"); /* as browsers decode it */
	expect_form(type, "<p>a=b</p>", "||");
	expect_form("application/x-www-form-urlencoded2", "html=a", "none");
	expect_form("text/html", "html=a", "none");
	expect_form("", "html=a", "none");
}

#define PART(fields, value) "--X\r\n" fields "\r\n\r\n" value "\r\n"
#define NAMED(name, value) PART("Content-Disposition: form-data; name=" name, value)

static void expect_forms(const char *expected, const char *const *bodies)
{
	while (*bodies)
		expect_form("multipart/form-data; boundary=X", *bodies++, expected);
}

TEST(forms_of_parts)
{
	expect_forms("||",
		     TEXTS("", "--X--\r\n", PART("Content-Disposition: form-data", "a") PART("A: b", "c") "--X--\r\n"));
	expect_forms("|a|", TEXTS(NAMED("\"html\"", "a") "--X--\r\n", NAMED("\"html\"", "a") "--X--",
				  "before\r\n" NAMED("html", "a") "--X--\r\n",
				  "--X \r\nContent-Disposition: form-data; name=html\r\n\r\na\r\n--X--\r\n"));
	expect_forms("|a|b", TEXTS(NAMED("html", "a") NAMED("method", "b") "--X--\r\n"));
	expect_forms("\r\n--x\r\n--\r\n||", TEXTS(NAMED("html", "") NAMED("file", "\r\n--x\r\n--\r\n") "--X--\r\n"));
	expect_forms("|ab|", TEXTS(NAMED("html", "a") NAMED("html", "b") "--X--\r\n"));
	expect_forms("a||",
		     TEXTS(NAMED("\"file\"; filename=\"a; name=html\"", "a") "--X--\r\n",
			   PART("Content-Disposition: form-data; filename=\"name=\"; Name = \"file\"", "a") "--X--\r\n",
			   PART("A: b\r\ncontent-disposition: form-data; name=file\r\nC: d", "a") "--X--\r\n"));
	expect_forms("bad",
		     TEXTS("a", NAMED("html", "a"), NAMED("html", "a") "--X-", NAMED("html", "a") "--Xa\r\n--X--",
			   NAMED("html", "a") "--X--b", "--X", "--X\r\n",
			   "--X\r\nContent-Disposition: form-data; name=html\r\n",
			   "--X\nContent-Disposition: form-data; name=html\n\na\n--X--\n", "--X\r\n\r\n\r\n--Y--\r\n"));
	expect_form("Multipart/Form-Data; charset=utf-8; Boundary=\"X\"", NAMED("html", "a") "--X--\r\n", "|a|");
	for (const char *const *type = TEXTS("", "; boundary=", "; boundaries=X"); *type; type++) {
		char whole[60];
		(void)snprintf(whole, sizeof(whole), "multipart/form-data%s", *type);
		expect_form(whole, "a", "no boundary");
	}
}

/* ---- values ---- */

TEST(fields_of_heads)
{
	static const char text[] = "GET / HTTP/1.1\r\nHost: a\r\nX-A:\r\nx-b: \t b c\t \r\nX-B: d\r\nX-BC: e:f\r\n\r\n";
	static const char *const rows[][2] = {
		{ "Host", "a" }, { "X-a", "" },    { "X-B", "b c" }, { "x-bc", "e:f" },
		{ "X", NULL },   { "X-B:", NULL }, { "", NULL },
	};
	struct request_head read;
	assert_int_equal(request_head_read(slice_from_text(text), &read), REQUEST_GOOD);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct slice value = request_field(&read, rows[i][0]);
		assert_int_equal(value.data != NULL, rows[i][1] != NULL);
		if (rows[i][1])
			assert_true(slice_equal(value, slice_from_text(rows[i][1])));
	}
}

TEST(passwords)
{
	static const char *const rows[][2] = {
		{ "Basic YTpi", "b" },     { "basic YTpi", "b" },  { "Basic OmI=", "b" }, { "Basic YTpiOmM=", "b:c" },
		{ "Basic YTo=", "" },      { "Basic YWI=", NULL }, { "Basic", NULL },     { "Basic ", NULL },
		{ "Basic YTpiOmM", NULL }, { "Basic !!!!", NULL }, { "", NULL },          { "Bearer YTpi", NULL },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		AUTO_BUF password = { 0 };
		bool found = request_password(slice_from_text(rows[i][0]), &password);
		if (found != (rows[i][1] != NULL) ||
		    (found && !slice_equal(buf_slice(&password), slice_from_text(rows[i][1]))))
			fail_msg("%s", rows[i][0]);
	}
}

TEST(accepted_types)
{
	static const struct {
		int format;
		const char *accept;
	} cases[] = {
		{ FORMAT_JSON, "application/json" },
		{ FORMAT_JSON, "Application/JSON" },
		{ FORMAT_JSON, "application/json;q=0.5, text/plain;q=0.4" },
		{ FORMAT_JSON, "application/*, text/plain;q=0.9" },
		{ FORMAT_JSON, "*/*;q=0.1, application/json" },
		{ FORMAT_JSON, "application/json;charset=utf-8;q=0.9,text/*;q=0.1" },
		{ FORMAT_JSON, ",,;q=1,/,application/json" },
		{ FORMAT_TEXT, "text/plain" },
		{ FORMAT_TEXT, "text/*" },
		{ FORMAT_TEXT, "application/json, text/plain" },
		{ FORMAT_TEXT, "application/json, text/plain, */*" },
		{ FORMAT_TEXT, "application/json;q=0.4, text/plain;q=0.5" },
		{ FORMAT_MARKDOWN, "text/markdown" },
		{ FORMAT_MARKDOWN, "text/markdown, text/html, */*" },
		{ FORMAT_MARKDOWN, "text/markdown, text/plain;q=0.9" },
		{ FORMAT_MARKDOWN, "text/plain, text/markdown" },
		{ FORMAT_MARKDOWN, "*/*, text/markdown" },
		{ -1, "text/html, */*;q=0.8" },
		{ FORMAT_HTML, "text/markdown;q=0, text/html" },
		{ FORMAT_XML, "application/xml" },
		{ FORMAT_TEI, "application/tei+xml" },
		{ -1, "" },
		{ -1, "*/*" },
		{ -1, "image/png" },
		{ -1, "application/json;q=0" },
		{ -1, "application/json;q=0.5, */*" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		if (request_accepts(slice_from_text(cases[i].accept)) != cases[i].format)
			fail_msg("%s: %d", cases[i].accept, request_accepts(slice_from_text(cases[i].accept)));
}

/* The first and the last address of each special network, and their neighbours. */
TEST(public_addresses)
{
	static const char own[] =
		"0.0.0.0\f0.255.255.255\f10.0.0.0\f10.255.255.255\f100.64.0.0\f100.127.255.255\f127.0.0.1\f"
		"127.255.255.255\f169.254.0.0\f169.254.169.254\f169.254.255.255\f172.16.0.0\f172.31.255.255\f"
		"192.0.0.0\f192.0.2.1\f192.88.99.1\f192.168.0.0\f192.168.255.255\f198.18.0.0\f198.19.255.255\f"
		"198.51.100.7\f203.0.113.7\f224.0.0.1\f239.255.255.255\f240.0.0.0\f255.255.255.255\f"
		"::\f::1\f::127.0.0.1\f::8.8.8.8\f::ffff:127.0.0.1\f::ffff:10.0.0.1\f::ffff:169.254.169.254\f"
		"64:ff9b::7f00:1\f64:ff9b::a00:1\f64:ff9b:1::1\f100::1\f2001::1\f2001:1ff:ffff::1\f2001:db8::1\f"
		"2002:7f00:1::1\f2002:808:808::1\f3fff::1\f3fff:fff::1\f4000::1\ffc00::1\ffd00:ec2::254\ffe80::1\f"
		"febf::1\ffec0::1\fff02::1\f1fff::1\f";
	static const char public[] =
		"1.0.0.0\f8.8.8.8\f9.255.255.255\f11.0.0.0\f100.63.255.255\f100.128.0.0\f126.255.255.255\f"
		"128.0.0.0\f169.253.255.255\f169.255.0.0\f172.15.255.255\f172.32.0.0\f192.0.1.0\f192.0.3.0\f"
		"192.167.255.255\f192.169.0.0\f198.17.255.255\f198.20.0.0\f223.255.255.255\f::ffff:8.8.8.8\f"
		"64:ff9b::808:808\f2001:200::1\f2001:4860:4860::8888\f2001:db7::1\f2001:db9::1\f2003::1\f"
		"2606:4700::1111\f3ffe::1\f3fff:1000::1\f";
	for (int good = 0; good < 2; good++)
		for (const char *rest = good ? public : own, *text; (text = next(&rest));) {
			struct sockaddr_in ip4 = { .sin_family = AF_INET };
			struct sockaddr_in6 ip6 = { .sin6_family = AF_INET6 };
			const bool six = strchr(text, ':');
			assert_int_equal(1, six ? inet_pton(AF_INET6, text, &ip6.sin6_addr)
						: inet_pton(AF_INET, text, &ip4.sin_addr));
			if (address_is_public(six ? (struct sockaddr *)&ip6 : (struct sockaddr *)&ip4) != good)
				fail_msg("%s", text);
		}
	const struct sockaddr_un un = { .sun_family = AF_UNIX };
	assert_false(address_is_public((const struct sockaddr *)&un));
}

TEST(hosts_of_this_machine)
{
	static const char own[] =
		"localhost\fLOCALHOST:80\f127.0.0.1\f127.0.0.1:8472\f127.9.8.7\f127.255.255.255\f[::1]\f[::1]:80\f"
		"127.0.0.0\flocalhost:0\flocalhost:65535\f";
	/* Some are 127.0.0.1 to one reader, and to others no address or another. */
	static const char foreign[] =
		"\fexample.org\flocalhost.example.org\f127.0.0.1.example.org\f127.0.0.1:\f127.0.0.1:123456\f"
		"127.0.0\f128.0.0.1\f[::2]\f::1\flocalhost:a\f127.0.0.256\f127.256.0.1\f127.0.0.999\f127.0.0.1000\f"
		"127.1\f127.0.1\f127\f2130706433\f0x7f.1\f0x7f.0.0.1\f127.0.0.0x1\f0177.0.0.1\f127.0.0.01\f"
		"127.000.000.001\f127.0.0.1.\f127.0.0.1..\f.127.0.0.1\f127..0.1\f127. 0.0.1\f127.0.0.1 \f"
		"127.0.0.-1\f127.0.0.+1\f127.0.0.1.1\f127.0.0.1%00\f0.0.0.0\flocalhost.\flocalhost:65536\f"
		"localhost:80:80\flocalhost: 80\fa@localhost\f[::1\f[::1]80\f[::1%lo]\f[::]\f[127.0.0.1]\f"
		"[localhost]\f";
	for (const char *rest = own, *host; (host = next(&rest));)
		if (!request_is_loopback_host(slice_from_text(host)))
			fail_msg("%s", host);
	for (const char *rest = foreign, *host; (host = next(&rest));)
		if (request_is_loopback_host(slice_from_text(host)))
			fail_msg("%s", host);
}

static void expect_address(const char *text, const char *shown, enum address_reach reach)
{
	struct address a;
	struct error err = { 0 };
	char out[400];
	if (!shown) {
		assert_int_equal(address_read(slice_from_text(text), &a, &err), DANA_ECONFIG);
		assert_true(strstr(err.text, "--listen") == err.text);
		return;
	}
	assert_ok(address_read(slice_from_text(text), &a, &err));
	address_show(&a, out, sizeof(out));
	assert_string_equal(out, shown);
	assert_int_equal(a.reach, reach);
}

TEST(addresses)
{
	expect_address("127.0.0.1:80", "http://127.0.0.1:80/", ADDRESS_LOOPBACK);
	expect_address("localhost:80", "http://127.0.0.1:80/", ADDRESS_LOOPBACK);
	expect_address("[::1]:0", "http://[::1]:0/", ADDRESS_LOOPBACK);
	expect_address("[::ffff:127.0.0.1]:1", "http://[::ffff:127.0.0.1]:1/", ADDRESS_LOOPBACK);
	expect_address("[::ffff:10.0.0.1]:1", "http://[::ffff:10.0.0.1]:1/", ADDRESS_NETWORK);
	expect_address("0.0.0.0:65535", "http://0.0.0.0:65535/", ADDRESS_NETWORK);
	expect_address("[::]:1", "http://[::]:1/", ADDRESS_NETWORK);
	expect_address("unix:/run/a", "unix:/run/a", ADDRESS_UNIX);
	static const char bad[] =
		"unix:\f127.0.0.1\f127.0.0.1:\f127.0.0.1:65536\f127.0.0.1:8a\f::1:80\fexample.org:80\f\f";
	for (const char *rest = bad, *text; (text = next(&rest));)
		expect_address(text, NULL, 0);
}
