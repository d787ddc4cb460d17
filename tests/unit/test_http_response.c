/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "archive/codec/codec.h"
#include "archive/document.h"
#include "archive/http/response.h"
#include "archive/record.h"
#include "support/deflated.h"
#include "support/split_feed.h"
#include "support/unit.h"
#ifdef __GLIBC__
#include <malloc.h>
#endif

struct collector {
	struct byte_sink sink;
	struct buf body;
};

struct subject {
	struct collector to;
	struct http_response *response;
	int heads;
	enum http_block block;
	const char *bare_type;
};

static int collect(struct byte_sink *self, struct slice bytes)
{
	struct collector *to = (struct collector *)self;
	assert_true(bytes.len > 0);
	return buf_append(&to->body, bytes.data, bytes.len);
}

static const struct byte_sink_ops collector_ops = { "collector", collect, NULL };

static int count_head(void *arg, const struct http_head *head)
{
	struct subject *s = arg;
	assert_non_null(head);
	assert_int_equal(s->to.body.len, 0);
	s->heads++;
	return 0;
}

static void begin(void *arg)
{
	struct subject *s = arg;
	buf_clear(&s->to.body);
	s->heads = 0;
	http_response_reset(s->response, s->block, slice_from_text(s->bare_type ? s->bare_type : ""));
}

static void piece(void *arg, struct slice bytes)
{
	struct subject *s = arg;
	assert_in_range(http_response_write(s->response, bytes), 0, 1);
}

/* Outcome: status, [content type][content encoding][transfer encoding], length, problems, then the body. */
static void end(void *arg, struct buf *outcome)
{
	struct subject *s = arg;
	assert_ok(http_response_finish(s->response));
	assert_int_equal(s->heads, 1);
	const struct http_head *head = http_response_head(s->response);
	buf_printf(outcome, "%d [%.*s][%.*s][%.*s]", head->status, (int)head->content_type.len,
		   (const char *)head->content_type.data, (int)head->content_encoding.len,
		   (const char *)head->content_encoding.data, (int)head->transfer_encoding.len,
		   (const char *)head->transfer_encoding.data);
	if (head->has_length)
		buf_printf(outcome, " %llu", (unsigned long long)head->length);
	for (unsigned i = 0; i < PROBLEM_WORDS; i++) {
		if (http_response_problems(s->response) >> i & 1)
			buf_printf(outcome, " %s", problem_word(i));
	}
	buf_append_byte(outcome, '\n');
	assert_int_equal(http_response_body_bytes(s->response), s->to.body.len);
	buf_append(outcome, s->to.body.data, s->to.body.len);
}

static struct subject subject;

static const struct limits usual = LIMITS_DEFAULT;

static int free_subject(void **state)
{
	(void)state;
	http_response_free(subject.response);
	buf_free(&subject.to.body);
	return 0;
}

static void make_subject(const struct limits *limits)
{
	(void)free_subject(NULL);
	subject.to.sink.ops = &collector_ops;
	subject.response = http_response_new(limits, &subject.to.sink);
	assert_non_null(subject.response);
	http_response_on_head(subject.response, count_head, &subject);
}

static int setup(void **state)
{
	(void)state;
	make_subject(&usual);
	return 0;
}

static void expect_bytes(struct slice message, const char *head, struct slice body)
{
	struct split_subject split = { begin, piece, end, &subject };
	AUTO_BUF outcome = { 0 };
	split_check(&split, message, &outcome);
	size_t n = strlen(head);
	buf_append_byte(&outcome, 0);
	uint8_t *line_end = memchr(outcome.data, '\n', outcome.len);
	assert_non_null(line_end);
	*line_end = 0;
	assert_string_equal((char *)outcome.data, head);
	assert_int_equal(outcome.len - n - 2, body.len);
	assert_memory_equal(line_end + 1, body.data ? body.data : (const uint8_t *)"", body.len);
}

static void expect(const char *message, const char *head, const char *body)
{
	expect_bytes(slice_from_text(message), head, slice_from_text(body));
}

#define OK "HTTP/1.1 200 OK\r\n"

TEST_WITH(setup, NULL, test_heads)
{
	expect(OK "Content-Type: text/html; charset=utf-8\r\nContent-Length: 4\r\n\r\nbody",
	       "200 [text/html; charset=utf-8][][] 4", "body");
	expect("HTTP/1.0 404 Not Found\nX: y\n\nbody", "404 [][][]", "body");
	expect("HTTP/2 200\r\n\r\n", "200 [][][]", "");
	expect("HTTP/1.1 301\r\n\r\n", "301 [][][]", "");
	expect("ICY 200 OK\r\nContent-Type:text/html\r\n\r\nb", "200 [text/html][][]", "b");
	expect("\r\n\nhttp/1.1   206 x\r\n\r\nb", "206 [][][]", "b");
	expect("HTTP/1.1 999 ?\r\n\r\nb", "999 [][][]", "b");
	expect("HTTP/1.1 99999999999 ?\r\n\r\nb", "0 [][][] bad_http", "b");
	expect("HTTP/1.1\r\n\r\nb", "0 [][][] bad_http", "b");
	expect(OK "content-type : a\r\nCONTENT-TYPE: b\r\n\r\nb", "200 [a, b][][] bad_http", "b");
	expect(OK "Content-Type:\r\nContent-Type: b\r\n\r\nb", "200 [b][][]", "b");
	expect(OK "Content-Type: a; c=d\r\nX: y\r\nContent-Type: b\r\nContent-Type:\r\n\r\nb", "200 [a; c=d, b][][]",
	       "b");
	expect(OK "Content-Type: text/html;\r\n\t charset=x\r\nA: b\r\n\r\nb", "200 [text/html; \t charset=x][][]",
	       "b");
	expect(OK "no field\r\n: nothing\r\nContent-Type: a\r\n\r\nb", "200 [a][][] bad_http", "b");
	expect(OK "Content-Type: caf\xE9\r\n\r\nb", "200 [caf\xE9][][]", "b");
	expect(OK "Content-Length: 1x\r\nContent-Length: 1\r\nContent-Length: 7\r\n\r\nb", "200 [][][] 1 bad_http",
	       "b");
	expect(OK "Content-Length: 99999999999999999999\r\n\r\nb", "200 [][][] bad_http", "b");
	expect(OK "A: b\rc\r\nContent-Type: x\r\n\r\nb", "200 [x][][]", "b");
	expect_bytes(slice_of(OK "A: \0b\r\nContent-Type: x\r\n\r\n\0b", 45), "200 [x][][] bad_http",
		     slice_of("\0b", 2));
}

TEST_WITH(setup, NULL, test_odd_heads)
{
	expect("HTTP/1.1 200 OK\rContent-Type: x\r\rbody\r\rmore", "200 [x][][] bad_http", "body\r\rmore");
	expect("HTTP/1.1 200 OK\r\rbody", "200 [][][] bad_http", "body");
	expect("HTTP/1.1 200 OK\r\r\nbody", "200 [][][] bad_http", "\nbody");
	expect(OK "Content-Type: x", "200 [x][][] bad_http", "");
	expect(OK "Content-Type: x\r\n", "200 [x][][] bad_http", "");
	expect("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nContent-Type: y\r\n\r\n" OK
	       "Content-Type: x\r\n\r\nb",
	       "200 [x][][]", "b");
	expect("HTTP/1.1 100 Continue\r\nContent-Type: y\r\n\r\n\r\n<html>", "100 [y][][] bad_http", "\r\n<html>");
	expect("HTTP/1.1 100 Continue\r\nContent-Type: y\r\n\r\nHTML", "100 [y][][] bad_http", "HTML");
	expect("HTTP/1.1 100 Continue\r\n\r\n", "100 [][][]", "");
	expect("HTTP/1.1 101 Switching\r\n\r\nHTTP/", "101 [][][]", "HTTP/");
	expect("Content-Type: x\r\nA: b\r\n\r\nbody", "0 [x][][] bad_http", "body");
	expect("Server:\r\nContent-Type: x\r\n\r\nbody", "0 [x][][] bad_http", "body");
	for (const char *const *text = TEXTS("<html>\r\n\r\nbody", "http://example.org/\r\n\r\nbody", "HTTX body",
					     "HTT", "two words: x\r\n\r\nbody", "", "\r\n\r\n<p>");
	     *text; text++)
		expect(*text, "0 [][][] bad_http", *text);
	/* The extra line end of Common Crawl's archive 2018-34. */
	expect(OK "Content-Length: 4\r\n\r\n\r\nbody", "200 [][][] 4", "\r\nbody");
}

/* Status lines of other programs, and blanks before them. */
TEST_WITH(setup, NULL, test_odd_status_lines)
{
	static const char *const lines[] = { "HTTPS/1.1 200 OK",  "https/1.1 200", "hTtP/1.1 200 OK",
					     "HTTP/1.1\t200\tOK", "HTTP\t200",     "HTTP/1.1  \t 200 OK",
					     "ICY 200 OK",        "icy\t200",      "\r\nHTTP/2 200" };
	AUTO_BUF message = { 0 };
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		for (int blank = 0; blank < 2; blank++) {
			buf_clear(&message);
			buf_printf(&message, "%s%s\r\nContent-Type: x\r\n\r\nbody", blank ? " \t" : "", lines[i]);
			expect_bytes(buf_slice(&message), blank ? "200 [x][][] bad_http" : "200 [x][][]",
				     slice_from_text("body"));
		}
	}
	for (const char *const *text =
		     TEXTS("https://example.org/\r\n\r\nbody", "HTTPS 200 OK\r\n\r\nbody",
			   "  Content-Type: x\r\n\r\nbody", " ", "\tHTTPX", "                 HTTP/1.1 200");
	     *text; text++)
		expect(*text, "0 [][][] bad_http", *text);
	expect("HTTP/1.1 100 Continue\r\n\r\n HTTPS/1.1 200 OK\r\n\r\nbody", "200 [][][] bad_http", "body");
}

TEST_WITH(setup, NULL, test_bare)
{
	subject.block = BLOCK_BODY;
	expect(OK "\r\nb", "0 [][][]", OK "\r\nb");
	expect("", "0 [][][]", "");
	subject.bare_type = "text/x";
	expect("b", "0 [text/x][][]", "b");
	subject.block = BLOCK_EITHER;
	expect(OK "Content-Type: a\r\n\r\nb", "200 [a][][]", "b");
	expect(OK "\r\nb", "200 [][][]", "b");
	expect(" https/1.1 200\r\n\r\nb", "200 [][][] bad_http", "b");
	expect("ICY 200 OK\r\n\r\nb", "200 [][][]", "b");
	expect("HTTP/1.1 100 Continue\r\n\r\n" OK "\r\nb", "200 [][][]", "b");
	for (const char *const *text =
		     TEXTS("", "b", "HTT", "HTTPS", "HTTP 200 OK\r\n\r\nb", "HTTP1 is old", "ICY roads", "ICY ",
			   "Content-Type: y\r\n\r\nb", "\r\n \r\nbody", "  body", "<html>");
	     *text; text++)
		expect(*text, "0 [text/x][][]", *text);
	subject.block = BLOCK_MESSAGE;
	subject.bare_type = NULL;
}

TEST_WITH(setup, NULL, test_lengths)
{
	expect(OK "Content-Length: 5\r\n\r\nbody", "200 [][][] 5 body_length", "body");
	expect(OK "Content-Length: 3\r\n\r\nbody", "200 [][][] 3 body_length", "body");
	expect("HTTP/1.1 304 Not Modified\r\nContent-Length: 3\r\n\r\n", "304 [][][] 3", "");
	expect(OK "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n",
	       "200 [][][chunked] 3", "body");
}

#define CHUNKED OK "Transfer-Encoding: chunked\r\n\r\n"

/* Bodies that are decoded to `body`; NULL: that stay as they are. */
static void expect_chunked(bool bad, const char *body, const char *const *coded)
{
	for (; *coded; coded++) {
		AUTO_BUF message = { 0 };
		assert_ok(buf_printf(&message, CHUNKED "%s", *coded));
		expect_bytes(buf_slice(&message), bad ? "200 [][][chunked] bad_chunked" : "200 [][][chunked]",
			     slice_from_text(body ? body : *coded));
	}
}

TEST_WITH(setup, NULL, test_chunked)
{
	expect_chunked(false, "body", TEXTS("4\r\nbody\r\n0\r\n\r\n", "4\nbody\n0\n\n"));
	expect_chunked(false, "body0123456789",
		       TEXTS("0000000000000000000000000004\r\nbody\r\nA;x=\"y\"\r\n0123456789\r\n00\r\nTrailer: "
			     "x\r\n\r\njunk"));
	expect_chunked(false, "body!", TEXTS("4 \t \r\nbody\r\n1  ;x\r\n!\r\n0\r\n"));
	expect_chunked(false, "", TEXTS("0\r\n\r\n", ""));
	/* Not chunked at all, and not quite. */
	expect_chunked(false, NULL, TEXTS("<html>", "face <b>", "\r\n4\r\nbody", "- item"));
	expect_chunked(true, NULL, TEXTS("fffffffffffffffff\r\nbody", "-5\r\nbody", "1f", "4<b>4"));
	/* Damage. */
	expect_chunked(true, "", TEXTS("aB;x\r\n"));
	expect_chunked(true, "body",
		       TEXTS("4\r\nbody\r\n", "4\r\nbody", "8\r\nbody", "4\r\nbodyx\r\n", "4\r\nbody\r\nzz\r\nmore",
			     "4\r\nbody\r\n4 4\r\nmore", "4\r\nbody\r\n-4\r\nmore",
			     "4\r\nbody\r\nffffffffffffffffff\r\nmore", "7fffffffffffffff\r\nbody"));
	expect_chunked(true, "bodymore",
		       TEXTS("4\r\nbody4\r\nmore0\r\n\r\n", "4\r\nbody\r\n\r\n4\r\nmore\r\n0\r\n\r\n"));
}

TEST_WITH(setup, NULL, test_chunked_bounds)
{
	AUTO_BUF message = { 0 };
	buf_append_text(&message, CHUNKED "4;");
	for (int i = 0; i < 100000; i++)
		buf_append_byte(&message, 'x');
	buf_append_text(&message, "\r\nbody\r\n0\r\n\r\n");
	expect_bytes(buf_slice(&message), "200 [][][chunked]", slice_from_text("body"));
	buf_clear(&message);
	buf_append_text(&message, CHUNKED);
	for (int i = 0; i < 3000; i++)
		buf_append_text(&message, "1\r\nx\r\n");
	buf_append_text(&message, "0\r\n\r\n");
	char *body = malloc(3001);
	memset(body, 'x', 3000);
	expect_bytes(buf_slice(&message), "200 [][][chunked]", slice_of(body, 3000));
	free(body);
}

TEST_WITH(setup, NULL, test_limits)
{
	struct limits limits = LIMITS_DEFAULT;
	limits.http_head = 64;
	limits.http_lines = 5;
	limits.body = 10;
	make_subject(&limits);
	expect(OK "\r\n0123456789", "200 [][][]", "0123456789");
	expect(OK "\r\n0123456789a", "200 [][][] truncated_limit", "0123456789");
	expect(OK "Content-Type: a\r\nX: "
		  "0123456789012345678901234567890123456789012345\r\nContent-Length: 9\r\n\r\nbody",
	       "200 [a][][] bad_http", "body");
	expect(OK "Content-Type: 0123456789012345678901234567890123456789012345\r\n\r\nbody",
	       "200 [0123456789012345678901234567890123][][] bad_http", "body");
	expect(OK "1:\r\n2:\r\n3:\r\nContent-Type: a\r\nContent-Length: 1\r\n\r\nbody", "200 [a][][] bad_http", "body");
}

static void append_brotli(struct buf *to, struct slice data)
{
	/* One uncompressed metablock and an empty last one (RFC 7932, section 9.2). */
	const uint32_t head = (uint32_t)(data.len - 1) << 4 | 1U << 20;
	const uint8_t bytes[3] = { (uint8_t)head, (uint8_t)(head >> 8), (uint8_t)(head >> 16) };
	buf_append(to, bytes, 3);
	buf_append(to, data.data, data.len);
	buf_append_byte(to, 3);
}

static void append_coded(struct buf *to, const char *coding, struct slice data)
{
	if (strcmp(coding, "br") == 0) {
		append_brotli(to, data);
	} else if (strcmp(coding, "zlib") == 0) {
		append_deflated(to, data, 6, DEFLATED_ZLIB);
	} else if (strcmp(coding, "raw") == 0) {
		append_deflated(to, data, 6, DEFLATED_RAW);
	} else {
		const struct encoder_ops *ops = encoder_find(slice_from_text(coding));
		struct encoder_codec *encoder = ops->open(ops->level_default);
		assert_int_equal(ops->unit(encoder, data, to), 0);
		ops->close(encoder);
	}
}

static const char page[] = "<!doctype html><html><head><title>A page</title></head><body><p>Some text of a page, some "
			   "text of a page, and more text of the same page, so that it packs.</p></body></html>\n";

static void begin_message(struct buf *message, const char *coding)
{
	buf_clear(message);
	buf_printf(message, OK "Content-Encoding: %s\r\n\r\n", coding);
}

static void expect_coded(struct buf *message, const char *coding, const char *problems, const char *body)
{
	char head[200];
	(void)snprintf(head, sizeof(head), "200 [][%s][]%s", coding, problems);
	expect_bytes(buf_slice(message), head, slice_from_text(body));
}

TEST_WITH(setup, NULL, test_codings)
{
	static const char *const rows[][2] = {
		{ "gzip", "gzip" },   { "x-gzip", "gzip" }, { "GZip", "gzip" },     { "deflate", "zlib" },
		{ "deflate", "raw" }, { "zstd", "zstd" },   { "\"gzip\"", "gzip" }, { "identity", "" },
		{ "br", "br" },       { "'br'", "br" },
	};
	AUTO_BUF message = { 0 };
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		bool plain = rows[i][1][0] == 0, quoted = rows[i][0][0] == '"' || rows[i][0][0] == '\'';
		for (int body = 0; body < 3; body++) { /* coded; plain, and empty, where the head lies */
			begin_message(&message, rows[i][0]);
			if (body == 0 && !plain)
				append_coded(&message, rows[i][1], slice_from_text(page));
			else
				buf_append_text(&message, body < 2 ? page : "");
			expect_coded(&message, rows[i][0], quoted ? " bad_coding" : "", body < 2 ? page : "");
		}
	}
}

TEST_WITH(setup, NULL, test_stacked_codings)
{
	AUTO_BUF message = { 0 }, once = { 0 }, twice = { 0 };
	append_coded(&once, "zstd", slice_from_text(page));
	append_coded(&twice, "gzip", buf_slice(&once));
	begin_message(&message, "zstd, , identity,gzip;q=1 ,");
	buf_append(&message, twice.data, twice.len);
	expect_coded(&message, "zstd, , identity,gzip;q=1 ,", "", page);
	/* As a transfer coding, inside chunks, and in two fields. */
	buf_clear(&message);
	buf_append_text(&message, OK "Content-Encoding: zstd\r\nTransfer-Encoding: "
				     "gzip\r\nTransfer-Encoding: chunked\r\n\r\n");
	buf_printf(&message, "%zx\r\n", twice.len);
	buf_append(&message, twice.data, twice.len);
	buf_append_text(&message, "\r\n0\r\n\r\n");
	expect_bytes(buf_slice(&message), "200 [][zstd][gzip, chunked]", slice_from_text(page));
	/* More than the limit: passed as it is. */
	begin_message(&message, "gzip,gzip,gzip,gzip,gzip");
	buf_append_text(&message, page);
	expect_coded(&message, "gzip,gzip,gzip,gzip,gzip", " bad_coding", page);
	begin_message(&message, "sdch, gzip");
	append_coded(&message, "gzip", slice_from_text(page));
	expect_coded(&message, "sdch, gzip", " bad_coding", page);
}

TEST_WITH(setup, NULL, test_damaged_codings)
{
	AUTO_BUF message = { 0 }, coded = { 0 }, stored = { 0 };
	append_coded(&coded, "gzip", slice_from_text(page));
	/* Several members, then junk. */
	begin_message(&message, "gzip");
	append_coded(&message, "gzip", slice_from_text("one "));
	append_coded(&message, "gzip", slice_from_text("two"));
	buf_append_text(&message, "\x1f junk");
	expect_coded(&message, "gzip", "", "one two");
	for (int cut = 0; cut < 2; cut++) { /* a wrong checksum; a cut trailer */
		begin_message(&message, "gzip");
		buf_append(&message, coded.data, coded.len - (cut ? 3 : 0));
		message.data[message.len - 6] ^= !cut;
		expect_coded(&message, "gzip", " bad_coding", page);
	}
	/* Cut inside the data: what decodes is used, the same for every split (see split_check). */
	append_deflated(&stored, slice_from_text(page), 6, DEFLATED_RAW);
	begin_message(&message, "deflate");
	buf_append(&message, stored.data, stored.len / 2);
	struct split_subject split = { begin, piece, end, &subject };
	AUTO_BUF outcome = { 0 };
	split_check(&split, buf_slice(&message), &outcome);
	assert_int_equal(http_response_problems(subject.response), PROBLEM_BAD_CODING);
	assert_in_range(subject.to.body.len, 10, strlen(page) - 1);
	assert_memory_equal(subject.to.body.data, page, subject.to.body.len);
	/* Noise. */
	static const char *const codings[] = { "deflate", "br", "zstd", "gzip" };
	uint32_t random = 5;
	for (size_t i = 0; i < 4; i++) {
		begin_message(&message, codings[i]);
		if (i >= 2)
			buf_append(&message, i == 2 ? "\x28\xB5\x2F\xFD" : "\x1f\x8b\x08\0\0\0\0\0\0\3",
				   i == 2 ? 4 : 10);
		for (int k = 0; k < 5000; k++)
			buf_append_byte(&message, (uint8_t)split_random(&random));
		split_check(&split, buf_slice(&message), &outcome);
		assert_int_equal(http_response_problems(subject.response), PROBLEM_BAD_CODING);
	}
}

/* What a proxy answers to CONNECT before the server's response is passed over; what only looks like it is a body. */
TEST_WITH(setup, NULL, test_reply_of_proxy_before_response)
{
	static const char *const replies[] = {
		"HTTP/1.0 200 Connection established\r\n\r\n",
		"HTTP/1.1 200 Connection Established\r\n\r\n",
		"HTTP/1.0 200 Connection established\r\nProxy-Agent: squid/4.1\r\nVia: 1.1 p\r\n\r\n",
		"HTTP/1.1 200 connection established\r\nContent-Type: text/html\r\nContent-Length: 7\r\n\r\n",
		"HTTP/1.0 200 Connection established\n\n",
		"HTTP/1.1 200 OK\r\n\r\n",
		"HTTP/1.1 200 Tunnel established\r\nContent-Length: 0\r\n\r\n",
		"HTTP/1.1 200\r\nDate: Mon, 02 Jan 2023 00:00:00 GMT\r\n\r\n",
		"HTTP/1.0 200 Connection established\r\n\r\n\r\n",
		"HTTP/1.0 200 Connection established\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n",
		"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n",
		"HTTP/1.0 200 Connection established\r\n\r\nHTTP/1.1 200 OK\r\n\r\n",
	};
	AUTO_BUF message = { 0 };
	for (size_t i = 0; i < sizeof(replies) / sizeof(*replies); i++) {
		buf_clear(&message);
		buf_printf(&message,
			   "%sHTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\nContent-Length: 4\r\n\r\nbody",
			   replies[i]);
		expect_bytes(buf_slice(&message), "404 [text/html][][] 4", slice_from_text("body"));
	}
	static const char established[] = "HTTP/1.0 200 Connection established\r\n\r\n";
	static const char *const bodies[] = { "",       "HTTP",         "HTTP/1.1",        "HTTP/1.1 is old",
					      "<html>", "HTTP/1.1 20",  "\r\n\r\n",        "HTTP/11 200",
					      "HTTP",   "HTTP 200 OK!", "HTTP/1.1  200 OK" };
	for (size_t i = 0; i < sizeof(bodies) / sizeof(*bodies); i++) {
		buf_clear(&message);
		buf_printf(&message, "%s%s", established, bodies[i]);
		expect_bytes(buf_slice(&message), "200 [][][]", slice_from_text(bodies[i]));
	}
	expect("HTTP/2 200 Connection established\r\n\r\nHTTP/2 301\r\n\r\n", "301 [][][]", "");
	/* a message that a page holds */
	expect(OK "Content-Type: text/plain\r\n\r\nHTTP/1.1 200 OK\r\n\r\nb", "200 [text/plain][][]",
	       "HTTP/1.1 200 OK\r\n\r\nb");
	expect(OK "Content-Length: 23\r\n\r\nHTTP/1.1 302 No\r\n\r\nbody", "200 [][][] 23",
	       "HTTP/1.1 302 No\r\n\r\nbody");
	expect("HTTP/1.1 404 No\r\n\r\nHTTP/1.1 200 OK\r\n\r\nb", "404 [][][]", "HTTP/1.1 200 OK\r\n\r\nb");
}

/* A text that is gzip without a label is decoded, with a problem; other types are what they are. */
TEST_WITH(setup, NULL, test_gzip_without_label)
{
	static const struct {
		const char *fields, *head;
		int times; /* it is gzip of gzip, and so forth */
	} rows[] = {
		{ "Content-Type: text/html\r\n", "200 [text/html][][] bad_coding", 1 },
		{ "Content-Type: TEXT/HTML; charset=utf-8\r\n", "200 [TEXT/HTML; charset=utf-8][][] bad_coding", 1 },
		{ "Content-Type: application/xhtml+xml\r\n", "200 [application/xhtml+xml][][] bad_coding", 1 },
		{ "Content-Type: text/plain\r\n", "200 [text/plain][][] bad_coding", 1 },
		{ "Content-Type: text/markdown\r\n", "200 [text/markdown][][] bad_coding", 1 },
		{ "Content-Type: gzip\r\n", "200 [gzip][][] bad_coding", 1 },
		{ "", "200 [][][] bad_coding", 1 },
		{ "Content-Encoding: identity\r\n", "200 [][identity][] bad_coding", 1 },
		{ "Content-Encoding: utf-8\r\n", "200 [][utf-8][] bad_coding", 1 },
		{ "Content-Encoding: gzip\r\n", "200 [][gzip][] bad_coding", 2 },
		{ "Content-Type: text/html\r\nContent-Encoding: gzip, gzip, gzip, gzip\r\n",
		  "200 [text/html][gzip, gzip, gzip, gzip][] bad_coding", 5 },
		{ "Content-Type: text/html\r\nContent-Encoding: gzip\r\n", "200 [text/html][gzip][]", 1 },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		AUTO_BUF message = { 0 }, body = { 0 }, coded = { 0 };
		buf_append_text(&body, page);
		for (int n = 0; n < rows[i].times; n++) {
			buf_clear(&coded);
			append_coded(&coded, "gzip", buf_slice(&body));
			buf_clear(&body);
			buf_append(&body, coded.data, coded.len);
		}
		buf_printf(&message, OK "%s\r\n", rows[i].fields);
		buf_append(&message, body.data, body.len);
		expect_bytes(buf_slice(&message), rows[i].head, slice_from_text(page));
	}
	static const char *const others[] = { "application/gzip", "application/x-gzip", "application/octet-stream",
					      "image/svg+xml",    "application/x-tar",  "application/json" };
	AUTO_BUF coded = { 0 }, message = { 0 };
	append_coded(&coded, "gzip", slice_from_text(page));
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		char head[64];
		(void)snprintf(head, sizeof(head), "200 [%s][][]", others[i]);
		buf_clear(&message);
		buf_printf(&message, OK "Content-Type: %s\r\n\r\n", others[i]);
		buf_append(&message, coded.data, coded.len);
		expect_bytes(buf_slice(&message), head, buf_slice(&coded));
	}
	/* a beginning that is not all of gzip's, and one that nothing follows */
	expect(OK "\r\n\x1f\x8b<p>", "200 [][][]", "\x1f\x8b<p>");
	expect(OK "\r\n\x1f", "200 [][][]", "\x1f");
	expect(OK "\r\n\x1f\x1f\x8b\x08", "200 [][][]", "\x1f\x1f\x8b\x08");
	expect(OK "\r\n\x1f\x8b\x08", "200 [][][] bad_coding", "");
	expect(OK "Transfer-Encoding: chunked\r\n\r\n1\r\n\x1f\r\n3\r\n\x8b<p\r\n0\r\n\r\n", "200 [][][chunked]",
	       "\x1f\x8b<p");
}

/* The bytes decide where a label is wrong: each format under each label, in chunks, and again inside gzip. */
TEST_WITH(setup, NULL, test_wrong_labels)
{
	static const char *const formats[] = { "gzip", "zstd", "zlib", "raw", "br" };
	static const char *const labels[] = { "gzip",  "x-gzip", "zstd",   "deflate",  "br",
					      "utf-8", "brotli", "binary", "\"gzip\"", "" };
	enum { FORMATS = sizeof(formats) / sizeof(*formats), LABELS = sizeof(labels) / sizeof(*labels) };
	AUTO_BUF large = { 0 };
	uint32_t random = 7;
	buf_append_text(&large, page);
	for (size_t i = 0; i < 2000; i++)
		buf_printf(&large, "<p>%u %u</p>\n", split_random(&random), (unsigned)i);
	const struct slice bodies[] = { slice_from_text(page), buf_slice(&large) };
	for (size_t i = 0; i < FORMATS * LABELS * 4; i++) {
		const char *format = formats[i / 4 % FORMATS], *label = labels[i / 4 / FORMATS];
		const struct slice body = bodies[i & 1];
		const bool twice = i & 2;
		const bool is_deflate = strcmp(format, "zlib") == 0 || strcmp(format, "raw") == 0;
		const bool right = strcmp(label, format) == 0 || (is_deflate && strcmp(label, "deflate") == 0) ||
				   (strcmp(label, "x-gzip") == 0 && strcmp(format, "gzip") == 0);
		AUTO_BUF message = { 0 }, coded = { 0 };
		char head[80];
		append_coded(&coded, format, body);
		if (*label)
			buf_printf(&message, OK "Content-Encoding: %s\r\n\r\n", label);
		else
			buf_append_text(&message, OK "Content-Type: text/html\r\n\r\n");
		if (twice)
			append_coded(&message, "gzip", buf_slice(&coded));
		else
			buf_append(&message, coded.data, coded.len);
		const bool one = right && !twice;
		(void)snprintf(head, sizeof(head), *label ? "200 [][%s][]%s" : "200 [text/html%s][][]%s", label,
			       one ? "" : " bad_coding");
		expect_bytes(buf_slice(&message), head, body);
	}
}

/* What is not text, and what is damaged, stays with its label. */
TEST_WITH(setup, NULL, test_labels_of_other_bodies)
{
	static const char *const labels[] = { "gzip", "zstd" };
	static const uint8_t picture[] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\1\0\0\0\1\0\x08\6";
	static const uint8_t wide[] = "<\0h\0t\0m\0l\0>\0<\0p\0>\0w\0o\0r\0d\0s\0";
	AUTO_BUF message = { 0 }, coded = { 0 };
	for (size_t i = 0; i < 2; i++) {
		char head[40];
		(void)snprintf(head, sizeof(head), "200 [][%s][]", labels[i]);
		for (size_t k = 0; k < 2; k++) {
			const struct slice body =
				k ? slice_of(wide, sizeof(wide) - 1) : slice_of(picture, sizeof(picture) - 1);
			begin_message(&message, labels[i]);
			buf_append(&message, body.data, body.len);
			expect_bytes(buf_slice(&message), head, body);
		}
	}
	/* Japanese in ISO-2022, whose escapes are no sign of a compression */
	begin_message(&message, "br");
	for (int i = 0; i < 100; i++)
		buf_append_text(&coded, "<p>\x1b$B$3$s\x1b(B</p>");
	buf_append(&message, coded.data, coded.len);
	expect_bytes(buf_slice(&message), "200 [][br][]", buf_slice(&coded));
	/* a page with a control character */
	begin_message(&message, "deflate");
	buf_append(&message, "<p>\x01</p>", 8);
	expect_bytes(buf_slice(&message), "200 [][deflate][]", slice_of("<p>\x01</p>", 8));
	/* a file that is meant to be one */
	buf_clear(&coded);
	append_coded(&coded, "br", slice_from_text(page));
	buf_clear(&message);
	buf_append_text(&message, OK "Content-Type: binary/octet-stream\r\n\r\n");
	buf_append(&message, coded.data, coded.len);
	expect_bytes(buf_slice(&message), "200 [binary/octet-stream][][]", buf_slice(&coded));
}

/* A body that is chunked twice, of a page, of one that is coded, and what only looks so. */
TEST_WITH(setup, NULL, test_chunked_twice)
{
	static const char *const fields[] = { "", "Content-Encoding: gzip\r\n", "Content-Encoding: br\r\n" };
	static const char *const formats[] = { NULL, "gzip", "br" };
	for (size_t i = 0; i < 3 * 2 * 2; i++) {
		AUTO_BUF message = { 0 }, coded = { 0 }, inner = { 0 };
		const size_t kind = i / 4, step = i & 1 ? 50 : 5000;
		char head[120];
		if (formats[kind])
			append_coded(&coded, formats[kind], slice_from_text(page));
		else
			buf_append_text(&coded, page);
		for (struct slice rest = buf_slice(&coded); rest.len; rest = slice_skip(rest, step)) {
			const struct slice part = slice_first(rest, step);
			if (i & 2)
				buf_printf(&inner, "%zx\r\n", part.len);
			else
				buf_printf(&inner, "%04zX  \r\n", part.len);
			buf_append(&inner, part.data, part.len);
			buf_append_text(&inner, "\r\n");
		}
		buf_append_text(&inner, "0\r\n\r\n");
		buf_printf(&message, OK "Transfer-Encoding: chunked\r\n%s\r\n%zx\r\n", fields[kind], inner.len);
		buf_append(&message, inner.data, inner.len);
		buf_append_text(&message, "\r\n0\r\n\r\n");
		(void)snprintf(head, sizeof(head), "200 [][%s][chunked] bad_chunked bad_coding",
			       formats[kind] ? formats[kind] : "");
		expect_bytes(buf_slice(&message), head, slice_from_text(page));
	}
	for (const char *const *text = TEXTS("abc\r\nwords", "abc\n<p>", "0\r\n<p>", "\r\n<p>", "12 34\r\n<p>", "abc",
					     "abc\r", "abc\r\n", "123456789\r\n<p>", "1;x\r\n<p>");
	     *text; text++) {
		AUTO_BUF message = { 0 };
		buf_printf(&message, CHUNKED "%zx\r\n%s\r\n0\r\n\r\n", strlen(*text), *text);
		expect_bytes(buf_slice(&message), "200 [][][chunked]", slice_from_text(*text));
	}
	/* a page whose first line happens to be such a number loses that line and nothing else */
	expect(CHUNKED "12\r\n5\r\n<p>first second\r\n0\r\n\r\n", "200 [][][chunked] bad_chunked bad_coding",
	       "<p>first second");
}

/* A dictionary that one message brings must not reach the next. */
TEST_WITH(setup, NULL, test_skippable_frame)
{
	AUTO_BUF message = { 0 };
	begin_message(&message, "zstd");
	buf_append(&message, "\x50\x2A\x4D\x18\x03\0\0\0abc", 11);
	append_coded(&message, "zstd", slice_from_text(page));
	expect_coded(&message, "zstd", "", page);
}

TEST_WITH(setup, NULL, test_bombs)
{
	struct limits limits = LIMITS_DEFAULT;
	limits.body = 3 << 20;
	make_subject(&limits);
	const size_t len = 8 << 20;
	AUTO_BUF message = { 0 }, once = { 0 };
	uint8_t *zeros = calloc(1, len);
	append_coded(&once, "gzip", slice_of(zeros, len));
	begin_message(&message, "gzip");
	buf_append(&message, once.data, once.len);
	expect_bytes(buf_slice(&message), "200 [][gzip][] truncated_limit", slice_of(zeros, (size_t)limits.body));
	/* The expansion: one piece of 4096 coded bytes may give 4096 * 100 of output, and 1 MiB is free. */
	limits.body = 16 << 20;
	limits.expansion = 100;
	make_subject(&limits);
	expect_bytes(buf_slice(&message), "200 [][gzip][] truncated_limit", slice_of(zeros, 1 << 20));
	free(zeros);
}

/* Bodies on both sides of what is collected for one call, and of the output that is always allowed. */
TEST_WITH(setup, NULL, test_bodies_at_once)
{
	enum { FREE = 1 << 20, COLLECTED = 256 << 10, FRAME = 18 + 5 * 5 };
	static const size_t noise[] = { COLLECTED - FRAME - 9, COLLECTED - FRAME, COLLECTED, COLLECTED + FRAME };
	static const size_t zeros[] = { FREE - 1, FREE, FREE + 1 };
	struct limits limits = LIMITS_DEFAULT;
	AUTO_BUF message = { 0 }, data = { 0 };
	uint32_t random = 5;
	make_subject(&limits);
	for (size_t i = 0; i < 7; i++) {
		const size_t len = i < 4 ? noise[i] : zeros[i - 4];
		for (buf_clear(&data); data.len < len;)
			buf_append_byte(&data, i < 4 ? (uint8_t)split_random(&random) : 0);
		begin_message(&message, "gzip");
		const size_t head = message.len;
		append_deflated(&message, buf_slice(&data), i < 4 ? 0 : 9, DEFLATED_GZIP);
		expect_bytes(buf_slice(&message), "200 [][gzip][]", buf_slice(&data));
		/* an optional part of the header, a wrong checksum */
		message.data[head + 3] = 0x80;
		expect_bytes(buf_slice(&message), "200 [][gzip][] bad_coding", slice_of(NULL, 0));
		message.data[head + 3] = 0;
		message.data[message.len - 5] ^= 1;
		expect_bytes(buf_slice(&message), "200 [][gzip][] bad_coding", buf_slice(&data));
	}
}

/* Bytes in use; 0 where nothing can tell. */
static size_t memory_in_use(void)
{
#ifdef __GLIBC__
	const struct mallinfo2 info = mallinfo2();
	return info.uordblks + info.hblkhd;
#else
	return 0;
#endif
}

static int answer_of_sink;

static int answers(struct byte_sink *self, struct slice bytes)
{
	(void)self;
	(void)bytes;
	return answer_of_sink;
}

static const struct byte_sink_ops answers_ops = { "answers", answers, NULL };

/* After a large body no window stays, and the next body is read as well. */
TEST_WITH(setup, NULL, test_windows_go)
{
	struct byte_sink sink = { &answers_ops };
	struct http_response *r = http_response_new(&usual, &sink);
	answer_of_sink = 0;
	AUTO_BUF message = { 0 }, coded = { 0 }, body = { 0 };
	uint32_t random = 1;
	while (body.len < 6 << 20)
		buf_append_byte(&body, (uint8_t)split_random(&random));
	append_coded(&coded, "zstd", buf_slice(&body));
	buf_clear(&message);
	append_coded(&message, "zstd", buf_slice(&coded));
	buf_clear(&coded);
	buf_printf(&coded, OK "Content-Encoding: zstd, zstd\r\n\r\n");
	buf_append(&coded, message.data, message.len);
	const size_t before = memory_in_use();
	for (int i = 0; i < 3; i++) {
		http_response_reset(r, BLOCK_MESSAGE, slice_of(NULL, 0));
		assert_ok(http_response_write(r, buf_slice(&coded)));
		assert_ok(http_response_finish(r));
		assert_int_equal(http_response_problems(r), 0);
		assert_int_equal(http_response_body_bytes(r), body.len);
		assert_in_range(memory_in_use(), 0, before + (1 << 20));
	}
	http_response_free(r);
}

static int pass_over(void *arg, const struct http_head *head)
{
	*(int *)arg = head->status;
	return 1;
}

TEST_WITH(setup, NULL, test_answers)
{
	struct byte_sink sink = { &answers_ops };
	struct http_response *r = http_response_new(&usual, &sink);
	answer_of_sink = RECORD_UNWANTED;
	assert_ok(http_response_write(r, slice_from_text(OK "Content-Type: a/b\r\n\r\n")));
	assert_int_equal(http_response_write(r, slice_from_text("b")), 1);
	assert_int_equal(http_response_write(r, slice_from_text("b")), 1);
	assert_ok(http_response_finish(r));
	int status = 0;
	http_response_on_head(r, pass_over, &status);
	http_response_reset(r, BLOCK_MESSAGE, slice_of(NULL, 0));
	assert_int_equal(http_response_write(r, slice_from_text("HTTP/1.1 404 No\r\nContent-Type: a/b\r\n\r\nb")), 1);
	assert_int_equal(status, 404);
	assert_int_equal(http_response_body_bytes(r), 0);
	assert_ok(http_response_finish(r));
	answer_of_sink = DANA_EIO;
	http_response_on_head(r, NULL, NULL);
	http_response_reset(r, BLOCK_MESSAGE, slice_of(NULL, 0));
	assert_int_equal(http_response_write(r, slice_from_text("HTTP/1.1 404 No\r\nContent-Type: a/b\r\n\r\nb")),
			 DANA_EIO);
	http_response_free(r);
	http_response_free(NULL);
}

GROUP(NULL, free_subject)
