/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: HTTP messages. First byte: bare or not, and small limits or not; second: how many of the following
 * bytes are sizes of the pieces; the rest is the block. Oracle: head, problems and body of the pieces are those of the
 * whole.
 */
#include "http/response.h"
#include "stream/document.h"
#include "support/split_feed.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct subject {
	struct byte_sink sink;
	struct buf body;
	struct http_response *response;
	bool bare;
};

static void must(bool truth)
{
	if (!truth)
		abort();
}

static int collect(struct byte_sink *self, struct slice bytes)
{
	struct subject *s = (struct subject *)self;
	must(bytes.len > 0);
	return buf_append(&s->body, bytes.data, bytes.len);
}

static void begin(void *arg)
{
	struct subject *s = arg;
	buf_clear(&s->body);
	http_response_reset(s->response, s->bare);
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 2)
		return 0;
	static const struct byte_sink_ops ops = { "collector", collect, NULL };
	struct limits limits = LIMITS_DEFAULT;
	limits.window = 1 << 20;
	limits.body = 4 << 20;
	if (data[0] & 2) {
		limits.http_head = 100;
		limits.http_lines = 4;
		limits.body = 700;
		limits.codings = 1;
		limits.expansion = 10;
	}
	struct subject subject = { .sink = { &ops }, .bare = data[0] & 1 };
	subject.response = http_response_new(&limits, &subject.sink);
	if (!subject.response)
		return 0;
	const struct split_subject split = { begin, piece, end, &subject };
	struct slice input = slice_of(data + 2, size - 2), sizes = input;
	sizes.len = data[1] % 16 < input.len ? data[1] % 16 : input.len;
	split_check_sizes(&split, input, sizes);
	http_response_free(subject.response);
	buf_free(&subject.body);
	return 0;
}
