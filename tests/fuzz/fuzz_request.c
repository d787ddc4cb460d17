/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: requests to the service. First byte: a head, a chunked body, a form or a query follows; second: how many
 * of the following bytes are sizes of the pieces; the rest is the input. Oracles: the outcome of the pieces is the
 * outcome of the whole; the slices of a head lie in it and have no byte that could end a line; a chunked body that is
 * taken is decoded to the same bytes by the decoder of responses; the values of a form are no longer than its body.
 */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "archive/http/response.h"
#include "serve/parameters.h"
#include "support/split_feed.h"

struct subject {
	struct byte_sink lenient; /* into `decoded` */
	struct buf bytes;
	struct request_scan scan;
	int result; /* of request_head_scan, the first that is not 0 */
	struct chunk_frames frames;
	struct buf data, piece, decoded;
	bool wrong; /* the frames are */
};

static void begin(void *arg)
{
	struct subject *s = arg;
	buf_clear(&s->bytes);
	buf_clear(&s->data);
	s->scan = (struct request_scan){ .seen = 0 };
	s->result = 0;
	s->frames = (struct chunk_frames){ .state = CHUNK_SIZE };
	s->wrong = false;
}

/* ---- heads ---- */

static void head_piece(void *arg, struct slice bytes)
{
	struct subject *s = arg;
	must(buf_append(&s->bytes, bytes.data, bytes.len) == 0);
	if (s->result == 0)
		s->result = request_head_scan(&s->scan, buf_slice(&s->bytes));
}

static void put(struct buf *out, struct slice value, struct slice whole)
{
	must(value.len == 0 || (value.data >= whole.data && value.data + value.len <= whole.data + whole.len));
	for (size_t i = 0; i < value.len; i++)
		must(value.data[i] > ' ' && value.data[i] < 0x7f);
	buf_append(out, value.data, value.len);
	buf_append_byte(out, '\n');
}

static void head_end(void *arg, struct buf *outcome)
{
	struct subject *s = arg;
	struct request_head head;
	buf_printf(outcome, "%d %s\n", s->result, request_reason(-s->result));
	must(s->result <= REQUEST_HEAD_MOST && s->result >= -REQUEST_VERSION);
	if (s->result <= 0)
		return;
	const struct slice whole = slice_first(buf_slice(&s->bytes), (size_t)s->result);
	const enum request_refusal refusal = request_head_read(whole, &head);
	must(memcmp(whole.data + whole.len - 4, "\r\n\r\n", 4) == 0);
	must(refusal == 0 || (refusal >= REQUEST_BAD && refusal <= REQUEST_VERSION));
	buf_printf(outcome, "%d\n", refusal);
	if (refusal)
		return;
	put(outcome, head.method, whole);
	put(outcome, head.target, whole);
	put(outcome, head.authority, head.target);
	put(outcome, head.path, head.target);
	put(outcome, head.host, whole);
	must(head.has_host || (head.old && head.host.len == 0));
	must(!(head.has_length && head.chunked) && !(head.old && (head.chunked || head.expects)));
	buf_printf(outcome, "%d %d %d %d %d %" PRIu64, head.has_length, head.chunked, head.old, head.closes,
		   head.expects, head.length);
}

/* ---- chunked bodies ---- */

static void chunks_piece(void *arg, struct slice bytes)
{
	struct subject *s = arg;
	size_t taken = 0, kept = 0;
	if (s->wrong || s->frames.state == CHUNK_END)
		return;
	buf_clear(&s->piece);
	must(buf_append(&s->piece, bytes.data, bytes.len) == 0);
	s->wrong = !chunk_frames_take(&s->frames, s->piece.data, bytes.len, &taken, &kept);
	if (s->wrong)
		return;
	must(kept <= taken && (taken == bytes.len || (taken < bytes.len && s->frames.state == CHUNK_END)));
	must(buf_append(&s->bytes, bytes.data, taken) == 0 && buf_append(&s->data, s->piece.data, kept) == 0);
}

static int keep(struct byte_sink *self, struct slice bytes)
{
	return buf_append(&((struct subject *)self)->decoded, bytes.data, bytes.len);
}

static void chunks_end(void *arg, struct buf *outcome)
{
	static const struct byte_sink_ops ops = { "keep", keep, NULL };
	struct subject *s = arg;
	struct chunked lenient;
	buf_printf(outcome, "%d\n", s->wrong);
	if (s->wrong)
		return;
	buf_printf(outcome, "%d %zu %zu\n", (int)s->frames.state, s->data.len, s->bytes.len);
	if (s->frames.state != CHUNK_END)
		return;
	buf_clear(&s->decoded);
	s->lenient.ops = &ops;
	chunked_reset(&lenient);
	must(chunked_write(&lenient, buf_slice(&s->bytes), &s->lenient) == 0);
	must(chunked_finish(&lenient, &s->lenient) == 0);
	must(slice_equal(buf_slice(&s->decoded), buf_slice(&s->data)) && !lenient.bad);
}

/* ---- forms ---- */

/* The first line is the Content-Type. */
static void read_form(struct slice input)
{
	struct form_field fields[] = { { .name = "a", .any_file = true }, { .name = "b" } };
	const struct slice type = slice_first(input, slice_until(input, "\n")), body = slice_skip(input, type.len + 1);
	bool readable, good = form_is(type, &readable) && readable && form_read(type, body, fields, 2);
	must(!good || fields[0].value.len + fields[1].value.len <= body.len);
	buf_free(&fields[0].value);
	buf_free(&fields[1].value);
}

/* ---- queries, and fields that ask for a format ---- */

static void read_query(struct slice input)
{
	struct parameters p = { .given = { false } };
	struct buf options = { 0 };
	struct error err = { 0 };
	const int format = request_accepts(input);
	must(format >= -1 && format < FORMATS);
	if (parameters_read_query(&p, input, &err) == 0 && parameters_options(&p, FORMAT_HTML, &options, &err) == 0)
		must(options.len && options.data[options.len - 1] == 0);
	else
		must(err.text[0]);
	buf_free(&options);
	parameters_free(&p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct subject subject;
	if (size < 2)
		return 0;
	const struct slice input = slice_of(data + 2, size - 2), sizes = slice_first(input, data[1] % 16);
	const struct split_subject head = { begin, head_piece, head_end, &subject },
				   chunks = { begin, chunks_piece, chunks_end, &subject };
	if (data[0] % 4 == 2)
		read_form(slice_skip(input, sizes.len));
	else if (data[0] % 8 == 7)
		read_query(slice_skip(input, sizes.len));
	else
		split_check_sizes(data[0] % 2 ? &chunks : &head, slice_skip(input, sizes.len), sizes);
	return 0;
}
