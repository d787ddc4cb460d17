/* SPDX-License-Identifier: MIT */
#include "archive/http/response.h"

#include <stdlib.h>

#include "archive/http/chunked.h"
#include "archive/http/coding.h"
#include "archive/http/head.h"
#include "archive/stream/document.h"
#include "archive/stream/record_sink.h"
#include "base/ascii.h"
#include "base/status.h"

enum response_state {
	RESPONSE_HEAD,
	RESPONSE_BODY,
	RESPONSE_OVER, /* the rest is unwanted */
};

struct http_response {
	struct byte_sink deliver; /* the last stage: limits and counts the decoded body */
	struct byte_sink *body;   /* the caller's */
	struct byte_sink *first;  /* the stage that takes the body without transfer coding */
	struct limits limits;
	enum response_state state;
	unsigned problems;
	int (*on_head)(void *arg, const struct http_head *head);
	void *on_head_arg;
	struct head_reader head;
	bool is_chunked;
	struct chunked chunked;
	struct coding **levels; /* limits.codings of them, made on first use */
	size_t n_levels;        /* in use for this message */
	uint64_t raw_bytes, body_bytes;
	uint8_t begin[2]; /* of the raw body */
};

static int deliver_write(struct byte_sink *self, struct slice bytes)
{
	struct http_response *r = (struct http_response *)self;
	uint64_t room = r->limits.body - r->body_bytes;
	bool too_much = bytes.len > room;
	if (too_much)
		bytes.len = (size_t)room;
	r->body_bytes += bytes.len;
	int status = bytes.len ? byte_sink_write(r->body, bytes) : 0;
	if (status || !too_much)
		return status;
	r->problems |= PROBLEM_TRUNCATED_LIMIT;
	return RECORD_UNWANTED;
}

/* The caller finishes its own sink. */
static int deliver_finish(struct byte_sink *self)
{
	(void)self;
	return 0;
}

static const struct byte_sink_ops deliver_ops = { "http body", deliver_write, deliver_finish };

struct http_response *http_response_new(const struct limits *limits, struct byte_sink *body)
{
	struct http_response *r = malloc(sizeof(*r));
	if (!r)
		return NULL;
	*r = (struct http_response){ .deliver = { &deliver_ops }, .body = body, .limits = *limits };
	r->levels = calloc(limits->codings + 1U, sizeof(struct coding *));
	if (!r->levels) {
		free(r);
		return NULL;
	}
	head_reader_init(&r->head, limits->http_head, limits->http_lines);
	http_response_reset(r, false);
	return r;
}

void http_response_free(struct http_response *r)
{
	if (!r)
		return;
	for (unsigned i = 0; i < r->limits.codings; i++)
		coding_free(r->levels[i]);
	free(r->levels);
	head_reader_free(&r->head);
	free(r);
}

static bool is_separator(uint8_t c)
{
	return c == ',' || ascii_is_space(c);
}

/* Takes the last name off a list such as "gzip, br;q=1". Returns an empty slice if the list is empty. */
static struct slice last_name(struct slice *list)
{
	while (list->len && is_separator(list->data[list->len - 1]))
		list->len--;
	size_t start = list->len;
	while (start && list->data[start - 1] != ',')
		start--;
	struct slice name = slice_skip(*list, start);
	list->len = start;
	const uint8_t *parameters = name.len ? memchr(name.data, ';', name.len) : NULL;
	if (parameters)
		name.len = (size_t)(parameters - name.data);
	return slice_trim(name);
}

/* Returns whether the name means that there is no content coding. */
static bool is_nothing(struct slice name)
{
	return name.len == 0 || slice_is(name, "identity") || slice_is(name, "chunked");
}

static int put_level(struct http_response *r, const struct codec_ops *ops, struct byte_sink *next)
{
	struct coding **level = &r->levels[r->n_levels];
	if (!*level)
		*level = coding_new(&r->limits);
	if (!*level)
		return DANA_ENOMEM;
	/* The output of an inner coding is coded itself: it may be as large as a block. */
	int status = coding_reset(*level, ops, next, next == &r->deliver ? UINT64_MAX : r->limits.block);
	if (status == 0)
		r->n_levels++;
	return status;
}

static size_t count_names(struct slice list)
{
	size_t n = 0;
	while (list.len) {
		n += !is_nothing(last_name(&list));
	}
	return n;
}

/*
 * Builds the stages from the body's end to its source: the coding named first was applied first and is undone last. A
 * list is read from its front here, so each new stage goes before the existing ones.
 */
static int stack_codings(struct http_response *r, struct slice list)
{
	while (list.len) {
		const uint8_t *comma = memchr(list.data, ',', list.len);
		size_t n = comma ? (size_t)(comma - list.data) : list.len;
		struct slice head = slice_of(list.data, n);
		struct slice name = last_name(&head);
		list = slice_skip(list, n + 1);
		if (is_nothing(name))
			continue;
		const struct codec_ops *ops = codec_for_coding(name);
		if (!ops) {
			r->problems |= PROBLEM_BAD_CODING;
			continue;
		}
		int status = put_level(r, ops, r->first);
		if (status)
			return status;
		r->first = &r->levels[r->n_levels - 1]->sink;
	}
	return 0;
}

static bool names_chunked(struct slice list)
{
	while (list.len) {
		if (slice_is(last_name(&list), "chunked"))
			return true;
	}
	return false;
}

static int build_stages(struct http_response *r)
{
	const struct http_head *head = &r->head.head;
	r->first = &r->deliver;
	r->is_chunked = names_chunked(head->transfer_encoding);
	if (count_names(head->content_encoding) + count_names(head->transfer_encoding) > r->limits.codings) {
		r->problems |= PROBLEM_BAD_CODING;
		return 0;
	}
	int status = stack_codings(r, head->content_encoding);
	return status ? status : stack_codings(r, head->transfer_encoding);
}

static int write_body(struct http_response *r, struct slice bytes)
{
	for (size_t i = 0; i < bytes.len && r->raw_bytes + i < sizeof(r->begin); i++)
		r->begin[r->raw_bytes + i] = bytes.data[i];
	r->raw_bytes += bytes.len;
	if (bytes.len == 0)
		return 0;
	return r->is_chunked ? chunked_write(&r->chunked, bytes, r->first) : byte_sink_write(r->first, bytes);
}

static int begin_body(struct http_response *r)
{
	r->state = RESPONSE_BODY;
	int status = build_stages(r);
	if (status == 0 && r->on_head)
		status = r->on_head(r->on_head_arg, &r->head.head);
	return status ? status : write_body(r, head_reader_rest(&r->head));
}

static int settle(struct http_response *r, int status)
{
	if (status > 0)
		r->state = RESPONSE_OVER;
	return status > 0 ? RECORD_UNWANTED : status;
}

/* Frees large windows: four codings may hold 16 MiB each, which the text, its output and the next message need. */
static void release_codings(struct http_response *r)
{
	for (size_t i = 0; i < r->n_levels; i++)
		coding_release(r->levels[i]);
}

void http_response_reset(struct http_response *r, bool bare)
{
	release_codings(r);
	head_reader_reset(&r->head);
	if (bare)
		r->head.state = HEAD_OVER;
	chunked_reset(&r->chunked);
	r->state = RESPONSE_HEAD;
	r->first = &r->deliver;
	r->problems = 0;
	r->is_chunked = false;
	r->n_levels = 0;
	r->raw_bytes = r->body_bytes = 0;
}

void http_response_on_head(struct http_response *r, int (*head)(void *arg, const struct http_head *head), void *arg)
{
	r->on_head = head;
	r->on_head_arg = arg;
}

int http_response_write(struct http_response *r, struct slice bytes)
{
	int status = 0;
	if (r->state == RESPONSE_HEAD) {
		int result = head_reader_feed(&r->head, &bytes);
		if (result < 0 || result == HEAD_MORE)
			return result;
		status = begin_body(r);
	}
	if (status == 0 && r->state == RESPONSE_OVER)
		return RECORD_UNWANTED;
	return settle(r, status ? status : write_body(r, bytes));
}

/*
 * Returns whether Content-Length is wrong. It counts the body before content decoding. Two bytes more are the extra
 * line end of Common Crawl's archive 2018-34; 204 and 304 have no body whatever the head says (RFC 9110, section 8.6).
 */
static bool length_is_wrong(const struct http_response *r)
{
	const struct http_head *head = &r->head.head;
	if (!head->has_length || r->is_chunked || r->raw_bytes == head->length)
		return false;
	if (head->status == 204 || head->status == 304)
		return false;
	bool extra = r->raw_bytes >= 2 && r->begin[0] == '\r' && r->begin[1] == '\n';
	return !extra || r->raw_bytes - 2 != head->length;
}

static int finish_body(struct http_response *r)
{
	int status = 0;
	if (r->state == RESPONSE_HEAD) {
		status = head_reader_finish(&r->head);
		if (status == 0)
			status = begin_body(r);
	}
	if (r->state == RESPONSE_OVER || status)
		return settle(r, status) < 0 ? status : 0;
	if (r->is_chunked)
		status = chunked_finish(&r->chunked, r->first);
	if (status == 0)
		status = byte_sink_finish(r->first);
	if (status == 0 && length_is_wrong(r))
		r->problems |= PROBLEM_BODY_LENGTH;
	return settle(r, status) < 0 ? status : 0;
}

int http_response_finish(struct http_response *r)
{
	int status = finish_body(r);
	release_codings(r);
	return status;
}

const struct http_head *http_response_head(const struct http_response *r)
{
	return &r->head.head;
}

unsigned http_response_problems(const struct http_response *r)
{
	unsigned problems = r->problems | r->head.problems | (r->chunked.bad ? PROBLEM_BAD_CHUNKED : 0);
	for (size_t i = 0; i < r->n_levels; i++)
		problems |= r->levels[i]->problems;
	return problems;
}

uint64_t http_response_body_bytes(const struct http_response *r)
{
	return r->body_bytes;
}
