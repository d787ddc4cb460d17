/* SPDX-License-Identifier: MIT */
/*
 * Requests as the service reads them: heads, chunked bodies, queries, forms, what clients accept, and hosts. However
 * the bytes are cut, the outcome is the same.
 */
#include "config.h"

#include "serve/connection.h"
#include "support/split_feed.h"
#include "support/unit.h"

static struct slice next_line(struct slice *rest)
{
	struct slice line = slice_first(*rest, slice_until(*rest, "\n"));
	*rest = slice_skip(*rest, line.len + 1);
	return line;
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

static void put_slice(struct buf *out, struct slice s)
{
	buf_append_byte(out, '[');
	buf_append(out, s.data, s.len);
	buf_append_byte(out, ']');
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
	buf_append_byte(&outcome, 0);
	assert_string_equal((const char *)outcome.data, expected);
	buf_free(&head.bytes);
}

static void expect_head(const char *input, const char *expected)
{
	expect_head_bytes(slice_from_text(input), expected);
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
	expect_head("GET  / HTTP/1.1\r\nHost: a\r\n\r\n", "400");
	expect_head("GET / HTTP/1.1 \r\nHost: a\r\n\r\n", "400");
	expect_head("GET /\r\nHost: a\r\n\r\n", "400");
	expect_head("/ HTTP/1.1\r\nHost: a\r\n\r\n", "400");
	expect_head("GET a HTTP/1.1\r\nHost: a\r\n\r\n", "400");
	expect_head("GET * HTTP/1.1\r\nHost: a\r\n\r\n", "400");
	expect_head("GET /#a HTTP/1.1\r\nHost: a\r\n\r\n", "400");
	expect_head("GET /\xc3\xa9 HTTP/1.1\r\nHost: a\r\n\r\n", "400");
	expect_head("G@T / HTTP/1.1\r\nHost: a\r\n\r\n", "400");
	expect_head("GOT / HTTP/1.1\r\nHost: a\r\n\r\n", "501");
	expect_head("get / HTTP/1.1\r\nHost: a\r\n\r\n", "501");
	expect_head("GET / HTTP/2.0\r\nHost: a\r\n\r\n", "505");
	expect_head("GET / HTTP/1.12\r\nHost: a\r\n\r\n", "400");
	expect_head("GET / HTTQ/1.1\r\nHost: a\r\n\r\n", "400");
	expect_head("GET / http/1.1\r\nHost: a\r\n\r\n", "400");
	expect_head("GET / HTTP/1.1\nHost: a\n\n", "400");
	expect_head("GET / HTTP/1.1\rHost: a\r\r", "400");
	expect_head_bytes(slice_of("GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n", 29), "400");
	expect_head("\x16\x03\x01\x02", "400"); /* TLS */
}

TEST(bad_fields)
{
#define LINE "POST / HTTP/1.1\r\nHost: a\r\n"
	expect_head("GET / HTTP/1.1\r\n\r\n", "400");
	expect_head(LINE "Host: a\r\n\r\n", "400");
	expect_head(LINE "no colon\r\n\r\n", "400");
	expect_head(LINE ": a\r\n\r\n", "400");
	expect_head(LINE "A : b\r\n\r\n", "400");
	expect_head(LINE "A: b\r\n folded\r\n\r\n", "400");
	expect_head(LINE "A: b\x01\r\n\r\n", "400");
	expect_head(LINE "A: b\x7f\r\n\r\n", "400");
	expect_head(LINE "A: b\rc\r\n\r\n", "400");
	expect_head(LINE "A: b\nc: d\r\n\r\n", "400");
	expect_head(LINE "Content-Length: 1\r\nContent-Length: 1\r\n\r\n", "400");
	expect_head(LINE "Content-Length: 1, 1\r\n\r\n", "400");
	expect_head(LINE "Content-Length: +1\r\n\r\n", "400");
	expect_head(LINE "Content-Length: -1\r\n\r\n", "400");
	expect_head(LINE "Content-Length: 0x1\r\n\r\n", "400");
	expect_head(LINE "Content-Length:\r\n\r\n", "400");
	expect_head(LINE "Content-Length: 18446744073709551616\r\n\r\n", "400");
	expect_head(LINE "Content-Length: 18446744073709551615\r\n\r\n", "[POST][][/] 18446744073709551615");
	expect_head(LINE "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", "400");
	expect_head(LINE "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n", "400");
	expect_head(LINE "Transfer-Encoding: gzip, chunked\r\n\r\n", "501");
	expect_head(LINE "Transfer-Encoding: \x0b"
			 "chunked\r\n\r\n",
		    "400");
	expect_head(LINE "Transfer-Encoding: chunked,\r\n\r\n", "501");
	expect_head("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", "400");
	expect_head(LINE "Expect: 200-ok\r\n\r\n", "417");
#undef LINE
}

/* As a Host and in a target; what is well formed need not be a name of this machine. */
TEST(hosts_of_heads)
{
	static const char *const good[] = {
		"b",          "A.example",         "a:80",       "a:",        "127.0.0.256",   "127.1",
		"0x7f.1",     "2130706433",        "127.0.0.1.", "a_b-c.d~e", "a%2eb",         "a,b;c=d!$&'()*+",
		"[::1]",      "[::1]:80",          "[::1]:",     "[1:2::3]",  "[::127.0.0.1]", "[::ffff:7f00:1]:00080",
		"[::]:99999", "[0:0:0:0:0:0:0:1]",
	};
	static const char bad[] =
		":80\n:\nuser@a\nuser:word@a\n@a\na@\na:80:80\na:b\na:-1\na:+80\na:0x50\na:8O\na%\na%2\na%zz\na b\n"
		"a\tb\na, b\na\\b\na|b\na\"b\n<a>\n{a}\na^b\na`b\na\xc3\xa9\n::1\n::1:80\n[]\n[]:80\n[::1\n::1]\n"
		"[::1]]\n[[::1]]\n[::1]a\n[::1]a:80\na[::1]\n[::1%lo]\n[::1%25lo]\n[v1.a]\n[127.0.0.1]\n"
		"[localhost]\n[::1::]\n[:::1]\n[1:2:3:4:5:6:7:8:9]\n[::127.0.0.256]\n[::12345]\n[ ::1]\n[::1\t]\n";
	static const char *const places[][2] = { { "GET / HTTP/1.1\r\nHost: ", "\r\n\r\n" },
						 { "GET / HTTP/1.0\r\nHost: ", "\r\n\r\n" },
						 { "GET http://", "/ HTTP/1.1\r\nHost: a\r\n\r\n" } };
	char input[200];
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		char expected[100];
		(void)snprintf(input, sizeof(input), "GET / HTTP/1.1\r\nHost: \t%s \t\r\n\r\n", good[i]);
		(void)snprintf(expected, sizeof(expected), "[GET][][/] for [%s]", good[i]);
		expect_head(input, expected);
		(void)snprintf(input, sizeof(input), "GET HTTP://%s?q HTTP/1.1\r\nHost:\r\n\r\n", good[i]);
		(void)snprintf(expected, sizeof(expected), "[GET][%s][] for []", good[i]);
		expect_head(input, expected);
	}
	for (struct slice rest = slice_from_text(bad); rest.len;) {
		struct slice host = next_line(&rest);
		for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
			(void)snprintf(input, sizeof(input), "%s%.*s%s", places[i][0], (int)host.len,
				       (const char *)host.data, places[i][1]);
			expect_head(input, "400");
		}
	}
	expect_head("GET http:///x HTTP/1.1\r\nHost: a\r\n\r\n", "400");
	expect_head("GET http:// HTTP/1.1\r\nHost: a\r\n\r\n", "400");
	expect_head("GET http://?x HTTP/1.1\r\nHost: a\r\n\r\n", "400");
	expect_head("GET http:////a/x HTTP/1.1\r\nHost: a\r\n\r\n", "400");
	expect_head("GET http:/a/x HTTP/1.1\r\nHost: a\r\n\r\n", "400");
	expect_head("GET http:a HTTP/1.1\r\nHost: a\r\n\r\n", "400");
	expect_head("GET http://a/http:///x HTTP/1.1\r\nHost: a\r\n\r\n", "[GET][a][/http:///x]");
	expect_head("GET //b/x HTTP/1.1\r\nHost: a\r\n\r\n", "[GET][][//b/x]");
	expect_head("GET / HTTP/1.0\r\n\r\n", "[GET][][/] old closes");
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
	buf_append_byte(&outcome, 0);
	assert_string_equal((const char *)outcome.data, expected);
}

TEST(frames_of_chunks)
{
	expect_chunks("3\r\nabc\r\n0\r\n\r\nrest", "end 13: abc");
	expect_chunks("A;x=\"y\"\r\n0123456789\r\n00\r\n\r\n", "end 27: 0123456789");
	expect_chunks("0\r\nTrailer: a\r\nB: c\r\n\r\n", "end 23: ");
	expect_chunks("3\r\nab", "more 5: ab");
	expect_chunks("1\r\na\r\n2;x\r\nbc\r\n3\r\ndef\r\n0\r\nA: b\r\n\r\nrest", "end 34: abcdef");
	expect_chunks("3\nabc\r\n0\r\n\r\n", "bad");
	expect_chunks("3\r\nabcd\r\n0\r\n\r\n", "bad");
	expect_chunks("3\r\nabc\n0\r\n\r\n", "bad");
	expect_chunks("\r\n", "bad");
	expect_chunks(";a\r\n", "bad");
	expect_chunks("-1\r\n", "bad");
	expect_chunks("+1\r\n", "bad");
	expect_chunks("0x1\r\n", "bad");
	expect_chunks("1 \r\na\r\n", "bad");
	expect_chunks("1;\x01\r\na\r\n", "bad");
	expect_chunks("1\r\ra\r\n", "bad");
	expect_chunks("1;a\nb\r\n", "bad");
	expect_chunks("10000000000000000\r\n", "bad");
	expect_chunks("0\r\n folded\r\n\r\n", "bad");
	expect_chunks("0\r\nA: b\n\r\n", "bad");
	expect_chunks("0\r\n\rx", "bad");
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
static void expect_query(const char *query, const char *expected)
{
	struct slice rest = slice_from_text(query), name, value;
	AUTO_BUF out = { 0 };
	while (request_query_next(&rest, &name, &value)) {
		buf_append(&out, name.data, name.len);
		buf_append_text(&out, value.data ? "=" : "");
		buf_append_text(&out, request_decode(value, false, &out) ? ";" : "!");
	}
	buf_append_byte(&out, 0);
	assert_string_equal((const char *)out.data, expected);
}

TEST(queries)
{
	expect_query("", "");
	expect_query("a=b", "a=b;");
	expect_query("a=b&c=d", "a=b;c=d;");
	expect_query("a=b&", "a=b;");
	expect_query("&", ";");
	expect_query("&&a", ";;a;");
	expect_query("=", "=;");
	expect_query("a", "a;");
	expect_query("a=", "a=;");
	expect_query("a=b=c", "a=b=c;");
	expect_query("a=b+c%20d%2Be%41%61", "a=b c d+eAa;");
	expect_query("%61=b", "%61=b;");
	expect_query("a=%00&b=c", "a=!b=c;");
	expect_query("a=x%&b=%4&c=%4g&d=%%41", "a=x!b=!c=!d=!");
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

TEST(forms_of_parts)
{
	static const char type[] = "multipart/form-data; boundary=X";
	static const char *const bad[] = {
		"a",
		NAMED("html", "a"),
		NAMED("html", "a") "--X-",
		NAMED("html", "a") "--Xa\r\n--X--",
		NAMED("html", "a") "--X--b",
		"--X",
		"--X\r\n",
		"--X\r\nContent-Disposition: form-data; name=html\r\n",
		"--X\nContent-Disposition: form-data; name=html\n\na\n--X--\n",
		"--X\r\n\r\n\r\n--Y--\r\n",
	};
	expect_form(type, "", "||");
	expect_form(type, "--X--\r\n", "||");
	expect_form(type, NAMED("\"html\"", "a") "--X--\r\n", "|a|");
	expect_form(type, NAMED("\"html\"", "a") "--X--", "|a|");
	expect_form(type, NAMED("html", "a") NAMED("method", "b") "--X--\r\n", "|a|b");
	expect_form(type, NAMED("html", "") NAMED("file", "\r\n--x\r\n--\r\n") "--X--\r\n", "\r\n--x\r\n--\r\n||");
	expect_form(type, "before\r\n" NAMED("html", "a") "--X--\r\n", "|a|");
	expect_form(type, NAMED("html", "a") NAMED("html", "b") "--X--\r\n", "|ab|");
	expect_form(type, NAMED("\"file\"; filename=\"a; name=html\"", "a") "--X--\r\n", "a||");
	expect_form(type, PART("Content-Disposition: form-data; filename=\"name=\"; Name = \"file\"", "a") "--X--\r\n",
		    "a||");
	expect_form(type, PART("A: b\r\ncontent-disposition: form-data; name=file\r\nC: d", "a") "--X--\r\n", "a||");
	expect_form(type, PART("Content-Disposition: form-data", "a") PART("A: b", "c") "--X--\r\n", "||");
	expect_form(type, "--X \r\nContent-Disposition: form-data; name=html\r\n\r\na\r\n--X--\r\n", "|a|");
	expect_form("Multipart/Form-Data; charset=utf-8; Boundary=\"X\"", NAMED("html", "a") "--X--\r\n", "|a|");
	expect_form("multipart/form-data", "a", "no boundary");
	expect_form("multipart/form-data; boundary=", "a", "no boundary");
	expect_form("multipart/form-data; boundaries=X", "a", "no boundary");
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		expect_form(type, bad[i], "bad");
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
		const char *accept;
		bool json;
	} rows[] = {
		{ "", false },
		{ "*/*", false },
		{ "application/json", true },
		{ "Application/JSON", true },
		{ "text/plain", false },
		{ "application/json, text/plain", false },
		{ "application/json;q=0.5, text/plain;q=0.4", true },
		{ "application/json;q=0.4, text/plain;q=0.5", false },
		{ "application/json;q=0", false },
		{ "application/*, text/plain;q=0.9", true },
		{ "*/*;q=0.1, application/json", true },
		{ "text/html, */*;q=0.8", false },
		{ "application/json;charset=utf-8;q=0.9,text/*;q=0.1", true },
		{ ",,;q=1,/,application/json", true },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (request_accepts_json(slice_from_text(rows[i].accept)) != rows[i].json)
			fail_msg("%s", rows[i].accept);
	}
}

TEST(hosts_of_this_machine)
{
	static const char *const own[] = {
		"localhost", "LOCALHOST:80", "127.0.0.1", "127.0.0.1:8472", "127.9.8.7",       "127.255.255.255",
		"[::1]",     "[::1]:80",     "127.0.0.0", "localhost:0",    "localhost:65535",
	};
	/* Some are 127.0.0.1 to one reader, and to others no address or another. */
	static const char foreign[] =
		"\nexample.org\nlocalhost.example.org\n127.0.0.1.example.org\n127.0.0.1:\n127.0.0.1:123456\n"
		"127.0.0\n128.0.0.1\n[::2]\n::1\nlocalhost:a\n127.0.0.256\n127.256.0.1\n127.0.0.999\n127.0.0.1000\n"
		"127.1\n127.0.1\n127\n2130706433\n0x7f.1\n0x7f.0.0.1\n127.0.0.0x1\n0177.0.0.1\n127.0.0.01\n"
		"127.000.000.001\n127.0.0.1.\n127.0.0.1..\n.127.0.0.1\n127..0.1\n127. 0.0.1\n127.0.0.1 \n"
		"127.0.0.-1\n127.0.0.+1\n127.0.0.1.1\n127.0.0.1%00\n0.0.0.0\nlocalhost.\nlocalhost:65536\n"
		"localhost:80:80\nlocalhost: 80\na@localhost\n[::1\n[::1]80\n[::1%lo]\n[::]\n[127.0.0.1]\n"
		"[localhost]\n";
	for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++) {
		if (!request_is_loopback_host(slice_from_text(own[i])))
			fail_msg("%s", own[i]);
	}
	for (struct slice rest = slice_from_text(foreign); rest.len;) {
		struct slice host = next_line(&rest);
		if (request_is_loopback_host(host))
			fail_msg("%.*s", (int)host.len, (const char *)host.data);
	}
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
	expect_address("unix:", NULL, 0);
	expect_address("127.0.0.1", NULL, 0);
	expect_address("127.0.0.1:", NULL, 0);
	expect_address("127.0.0.1:65536", NULL, 0);
	expect_address("127.0.0.1:8a", NULL, 0);
	expect_address("::1:80", NULL, 0);
	expect_address("example.org:80", NULL, 0);
	expect_address("", NULL, 0);
}
