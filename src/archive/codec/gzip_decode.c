/* SPDX-License-Identifier: MIT */
/*
 * gzip members (RFC 1952), one after another: header, deflate data by an inflater (inflate.h), trailer with CRC-32 and
 * length. NULs between or after members are padding, which is skipped.
 *
 * After damage, resync searches for the next member by its magic number and verifies it by a trial (gzip_trial.h).
 * Example: in "[member 1][member 2, a byte wrong][member 3]" step returns CODEC_MEMBER_END for 1 and DANA_EFORMAT in 2.
 * The caller moves to one byte after the start of 2; resync stops at the start of 3, where step continues.
 */
#include <stdlib.h>

#include "archive/codec/codecs.h"
#include "archive/codec/gzip_header.h"
#include "archive/codec/gzip_trial.h"
#include "archive/codec/gzip_whole.h"
#include "archive/codec/inflate.h"
#include "archive/codec/trial_budget.h"
#include "base/little_endian.h"

enum gzip_state {
	GZIP_START,   /* between members */
	GZIP_PADDING, /* inside a run of NUL between or after members */
	GZIP_HEADER,
	GZIP_BODY,
	GZIP_TRAILER, /* CRC-32 and length */
	GZIP_FAILED,
};

enum { TRAILER_BYTES = 8 };

struct gzip {
	struct codec codec;
	enum gzip_state state;
	const struct inflate_ops *inflate;
	struct inflater *inflater; /* this, trial and whole are made on first use */
	struct inflater *trial;    /* of zlib, for resync */
	struct codec_memory budget;
	struct gzip_whole *whole;
	struct gzip_header header;
	uint32_t crc, size; /* of the member's decoded bytes; size modulo 2^32 */
	uint8_t trailer[TRAILER_BYTES];
	size_t trailer_len;
	const char *fault;
	bool cut;
};

static int fail(struct gzip *g, int status, const char *fault)
{
	g->state = GZIP_FAILED;
	g->fault = fault;
	return status;
}

static int fail_cut(struct gzip *g, const char *fault)
{
	g->cut = true;
	return fail(g, DANA_EFORMAT, fault);
}

static int pass_padding(struct gzip *g, struct codec_in *in, bool last)
{
	while (in->pos < in->len && in->data[in->pos] == 0)
		in->pos++;
	if (in->pos == in->len && !last)
		return CODEC_MORE_INPUT;
	g->state = GZIP_START;
	return CODEC_SKIPPED;
}

static int read_header(struct gzip *g, struct codec_in *in, bool last)
{
	int result = gzip_header_parse(&g->header, in);
	if (result < 0)
		return fail(g, result, g->header.fault);
	if (result == CODEC_MORE_INPUT)
		return last ? fail_cut(g, "input ends inside a gzip header") : CODEC_MORE_INPUT;
	if (!g->inflater)
		g->inflater = g->inflate->open();
	if (!g->inflater)
		return fail(g, DANA_ENOMEM, "out of memory");
	g->inflate->reset(g->inflater);
	g->crc = g->size = 0;
	g->trailer_len = 0;
	g->state = GZIP_BODY;
	return 0;
}

static int read_body(struct gzip *g, struct codec_in *in, struct codec_out *out, bool last)
{
	const size_t before = out->pos;
	int result = g->inflate->run(g->inflater, in, out, last);
	if (out->pos > before) {
		g->crc = g->inflate->crc(g->crc, out->data + before, out->pos - before);
		g->size += (uint32_t)(out->pos - before);
	}
	switch (result) {
	case INFLATE_MORE_INPUT:
		return CODEC_MORE_INPUT;
	case INFLATE_MORE_OUTPUT:
		return CODEC_MORE_OUTPUT;
	case INFLATE_END:
		g->trailer_len = g->inflate->surplus(g->inflater, g->trailer);
		g->state = GZIP_TRAILER;
		return 0;
	case INFLATE_CUT:
		return fail_cut(g, "input ends inside a gzip member");
	default:
		return fail(g, result, result == DANA_ENOMEM ? "out of memory" : "deflate data damaged");
	}
}

static int read_trailer(struct gzip *g, struct codec_in *in, bool last)
{
	size_t n = TRAILER_BYTES - g->trailer_len;
	if (n > in->len - in->pos)
		n = in->len - in->pos;
	if (n)
		memcpy(g->trailer + g->trailer_len, in->data + in->pos, n);
	in->pos += n;
	g->trailer_len += n;
	if (g->trailer_len < TRAILER_BYTES)
		return last ? fail_cut(g, "input ends inside a gzip trailer") : CODEC_MORE_INPUT;
	if (little_endian_32(g->trailer) != g->crc)
		return fail(g, DANA_EFORMAT, "CRC-32 of a gzip member is wrong");
	if (little_endian_32(g->trailer + 4) != g->size)
		return fail(g, DANA_EFORMAT, "length of a gzip member is wrong");
	g->state = GZIP_START;
	return CODEC_MEMBER_END;
}

static int start(struct gzip *g, const struct codec_in *in, bool last)
{
	if (in->pos == in->len)
		return last ? CODEC_END : CODEC_MORE_INPUT;
	g->state = in->data[in->pos] == 0 ? GZIP_PADDING : GZIP_HEADER;
	gzip_header_begin(&g->header);
	return 0;
}

static int gzip_step(struct codec *c, struct codec_in *in, struct codec_out *out, bool last)
{
	struct gzip *g = (struct gzip *)c;
	int result = 0;
	while (result == 0) {
		switch (g->state) {
		case GZIP_START:
			result = start(g, in, last);
			break;
		case GZIP_PADDING:
			result = pass_padding(g, in, last);
			break;
		case GZIP_HEADER:
			result = read_header(g, in, last);
			break;
		case GZIP_BODY:
			result = read_body(g, in, out, last);
			break;
		case GZIP_TRAILER:
			result = read_trailer(g, in, last);
			break;
		case GZIP_FAILED:
			result = DANA_ESTATE;
			break;
		}
	}
	return result;
}

static int gzip_member_whole(struct codec *c, struct codec_in *in, bool last, struct slice *decoded)
{
	struct gzip *g = (struct gzip *)c;
	if (!g->whole)
		g->whole = gzip_whole_new();
	return g->whole ? gzip_whole_decode(g->whole, in, last, decoded) : CODEC_MORE_OUTPUT;
}

static void gzip_reset(struct codec *c)
{
	struct gzip *g = (struct gzip *)c;
	g->state = GZIP_START;
	g->fault = "";
	g->cut = false;
}

static int gzip_bid(struct slice first)
{
	static const uint8_t magic[3] = { 0x1f, 0x8b, 8 };
	size_t n = first.len < sizeof(magic) ? first.len : sizeof(magic);
	if (n && memcmp(first.data, magic, n) != 0)
		return 0;
	return n == sizeof(magic) ? 24 : -1;
}

/* Searches from in->pos on; in->pos is where a member is found, or where the search needs more input. */
static int find_member(struct gzip *g, struct codec_in *in, enum resync_start start, bool last)
{
	const size_t from = in->pos;

	for (; in->pos < in->len; in->pos++) {
		const uint8_t *magic = memchr(in->data + in->pos, 0x1f, in->len - in->pos);

		if (!magic)
			break;
		in->pos = (size_t)(magic - in->data);
		struct slice rest = slice_of(magic, in->len - in->pos);

		if (gzip_bid(rest) == 0 || !trial_allowed(&g->budget, in->pos - from))
			continue;
		if (!g->trial)
			g->trial = inflate_zlib.open();
		if (!g->trial)
			return DANA_ENOMEM;
		int verdict = gzip_trial(g->trial, rest, start, last);

		if (verdict < 0)
			return CODEC_MORE_INPUT;
		g->budget.tried++;
		if (verdict > 0)
			return 0;
	}
	in->pos = in->len;
	return CODEC_MORE_INPUT;
}

static int gzip_resync(struct codec *c, struct codec_in *in, enum resync_start start, bool last)
{
	struct gzip *g = (struct gzip *)c;
	const size_t from = in->pos;

	int result = find_member(g, in, start, last);

	g->budget.passed += in->pos - from;
	if (result == 0)
		gzip_reset(c);
	return result;
}

static struct codec_memory gzip_memory(const struct codec *c)
{
	return ((const struct gzip *)c)->budget;
}

static void gzip_remember(struct codec *c, struct codec_memory memory)
{
	((struct gzip *)c)->budget = memory;
}

static const char *gzip_fault(const struct codec *c)
{
	return ((const struct gzip *)c)->fault;
}

static bool gzip_cut(const struct codec *c)
{
	return ((const struct gzip *)c)->cut;
}

static void gzip_close(struct codec *c)
{
	struct gzip *g = (struct gzip *)c;
	if (!g)
		return;
	inflate_zlib.close(g->trial);
	gzip_whole_free(g->whole);
	g->inflate->close(g->inflater);
	free(g);
}

struct codec *gzip_decoder_open(const struct inflate_ops *inflate)
{
	struct gzip *g = calloc(1, sizeof(*g));
	if (!g)
		return NULL;
	g->codec.ops = &codec_gzip;
	g->inflate = inflate;
	gzip_reset(&g->codec);
	return &g->codec;
}

static struct codec *gzip_open(const struct codec_limits *limits)
{
	(void)limits; /* deflate's window is 32 KiB, always */
	return gzip_decoder_open(inflate_built_in[0]);
}

const struct codec_ops codec_gzip = {
	.name = CODEC_GZIP_NAME,
	.suffix = CODEC_GZIP_SUFFIX,
	.bid = gzip_bid,
	.open = gzip_open,
	.step = gzip_step,
	.whole = gzip_member_whole,
	.resync = gzip_resync,
	.fault = gzip_fault,
	.cut = gzip_cut,
	.memory = gzip_memory,
	.remember = gzip_remember,
	.reset = gzip_reset,
	.close = gzip_close,
};
