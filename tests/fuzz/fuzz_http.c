/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: HTTP messages. First byte: what the block is, small limits or not, and which head stands before what
 * follows (none: it has its own); second: how many of the following bytes are sizes of the pieces; the rest is the
 * block, or its body. Oracle: head, problems and body of the pieces are those of the whole.
 */
#include "archive/document.h"
#include "archive/http/response.h"
#include "support/split_feed.h"

struct subject {
	struct byte_sink sink;
	struct buf body;
	struct http_response *response;
	enum http_block block;
	unsigned heads; /* of which was told */
	unsigned runs;
};

static int collect(struct byte_sink *self, struct slice bytes)
{
	struct subject *s = (struct subject *)self;
	must(bytes.len > 0);
	return buf_append(&s->body, bytes.data, bytes.len);
}

/* Is told of each head once, before its body. */
static int take_head(void *arg, const struct http_head *head)
{
	struct subject *s = arg;
	must(s->heads++ == 0 && s->body.len == 0);
	must(head->status == 0 || head->status >= 100);
	return 0;
}

static void begin(void *arg)
{
	struct subject *s = arg;
	buf_clear(&s->body);
	s->heads = 0;
	http_response_reset(s->response, s->block, slice_from_text("text/html"));
}

static void piece(void *arg, struct slice bytes)
{
	struct subject *s = arg;
	must(http_response_write(s->response, bytes) >= 0);
}

static void end(void *arg, struct buf *outcome)
{
	struct subject *s = arg;
	must(http_response_finish(s->response) == 0);
	const struct http_head *head = http_response_head(s->response);
	must(head->status == 0 || (head->status >= 100 && head->status <= 999));
	must(http_response_body_bytes(s->response) == s->body.len);
	buf_printf(outcome, "%d %d %llu %u\n", head->status, head->has_length, (unsigned long long)head->length,
		   http_response_problems(s->response));
	buf_append(outcome, head->content_type.data, head->content_type.len);
	buf_append(outcome, head->content_encoding.data, head->content_encoding.len);
	buf_append(outcome, head->transfer_encoding.data, head->transfer_encoding.len);
	buf_append(outcome, s->body.data, s->body.len);
}

/* So that the bytes of the input are chunks, or what a content coding makes of a body. */
static const char *const heads[] = { "",
				     "Transfer-Encoding: chunked\r\n",
				     "Content-Encoding: gzip\r\n",
				     "Content-Encoding: deflate\r\n",
				     "Content-Encoding: br\r\n",
				     "Content-Encoding: zstd\r\n",
				     "Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n",
				     "Content-Encoding: deflate, gzip\r\n" };
enum {
	HEADS = sizeof(heads) / sizeof(*heads),
	BARE = 1,
	SMALL_LIMITS = 2,
	FIRST_HEAD_BIT = 2,
	EITHER = 32,
	RUNS_OF_ONE = 1000
};

static struct http_response *response(bool small, struct byte_sink *sink)
{
	struct limits limits = LIMITS_DEFAULT;
	limits.window = 1 << 20;
	limits.body = 256 << 10;
	if (small) {
		limits.http_head = 100;
		limits.http_lines = 4;
		limits.body = 700;
		limits.codings = 1;
		limits.expansion = 10;
	}
	static struct limits kept[2];
	kept[small] = limits;
	return http_response_new(&kept[small], sink);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct byte_sink_ops ops = { "collector", collect, NULL };
	static struct subject subjects[2] = { { .sink = { &ops } }, { .sink = { &ops } } };
	static struct buf input;
	if (size < 2)
		return 0;
	const bool small = data[0] & SMALL_LIMITS;
	const char *fields = heads[data[0] >> FIRST_HEAD_BIT & (HEADS - 1)];
	struct subject *subject = &subjects[small];
	if (subject->runs++ % RUNS_OF_ONE == 0) { /* seldom, since making one takes long */
		http_response_free(subject->response);
		subject->response = response(small, &subject->sink);
		must(subject->response != NULL);
		http_response_on_head(subject->response, take_head, subject);
	}
	subject->block = data[0] & BARE ? BLOCK_BODY : data[0] & EITHER ? BLOCK_EITHER : BLOCK_MESSAGE;
	const struct split_subject split = { begin, piece, end, subject };
	const struct slice block = slice_of(data + 2, size - 2), sizes = slice_first(block, data[1] % 16);
	buf_clear(&input);
	if (*fields)
		buf_printf(&input, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n%s\r\n", fields);
	must(buf_append(&input, block.data, block.len) == 0);
	split_check_sizes(&split, buf_slice(&input), sizes);
	return 0;
}
