/* SPDX-License-Identifier: MIT */
/*
 * HTTP's content coding "deflate" (RFC 9110, section 8.4.1.2): zlib's format (RFC 1950), or raw deflate (RFC 1951),
 * which many servers send under this name. The first two bytes decide: 78 9c has zlib's method, window and check bits
 * (0x789c is a multiple of 31), while raw deflate hardly ever begins so.
 */
#include <limits.h>
#include <stdlib.h>
#include <zlib.h>

#include "archive/codec/codecs.h"

enum deflate_state {
	DEFLATE_START,
	DEFLATE_FIRST, /* the first two bytes are collected */
	DEFLATE_BODY,
	DEFLATE_FAILED,
};

struct deflate {
	struct codec codec;
	enum deflate_state state;
	z_stream z;
	uint8_t first[2];
	size_t first_len, first_pos;
	const char *fault;
	bool cut;
};

static int fail(struct deflate *d, int status, const char *fault)
{
	d->state = DEFLATE_FAILED;
	d->fault = fault;
	return status;
}

/* RFC 1950, section 2.2: method 8, window of at most 32 KiB, check bits; no preset dictionary. */
static bool is_zlib(const uint8_t first[2])
{
	return (first[0] & 0x0f) == Z_DEFLATED && first[0] >> 4 <= 7 && (first[0] << 8 | first[1]) % 31 == 0 &&
	       !(first[1] & 0x20);
}

static int read_first(struct deflate *d, struct codec_in *in, bool last)
{
	while (d->first_len < sizeof(d->first) && in->pos < in->len)
		d->first[d->first_len++] = in->data[in->pos++];
	if (d->first_len < sizeof(d->first) && !last)
		return CODEC_MORE_INPUT;
	if (d->first_len == 0)
		return CODEC_END;
	const bool zlib = d->first_len == sizeof(d->first) && is_zlib(d->first);
	d->first_pos = 0;
	(void)inflateReset2(&d->z, zlib ? MAX_WBITS : -MAX_WBITS);
	d->state = DEFLATE_BODY;
	return 0;
}

static uInt clamp(size_t n)
{
	return n < INT_MAX ? (uInt)n : INT_MAX;
}

/* Calls zlib once. Returns its status; *moved: a byte was taken or written. */
static int run(struct deflate *d, struct codec_in *in, struct codec_out *out, bool *moved)
{
	Bytef none;
	const uInt avail_in = clamp(in->len - in->pos), avail_out = clamp(out->len - out->pos);
	d->z.next_in = avail_in ? (z_const Bytef *)(uintptr_t)(in->data + in->pos) : &none;
	d->z.avail_in = avail_in;
	d->z.next_out = avail_out ? out->data + out->pos : &none;
	d->z.avail_out = avail_out;
	int status = inflate(&d->z, Z_NO_FLUSH);
	*moved = d->z.avail_in != avail_in || d->z.avail_out != avail_out;
	in->pos += avail_in - d->z.avail_in;
	out->pos += avail_out - d->z.avail_out;
	return status;
}

static int read_body(struct deflate *d, struct codec_in *in, struct codec_out *out, bool last)
{
	for (;;) {
		struct codec_in first = { d->first, d->first_len, d->first_pos };
		struct codec_in *from = d->first_pos < d->first_len ? &first : in;
		bool moved;
		int status = run(d, from, out, &moved);
		d->first_pos = from == &first ? first.pos : d->first_pos;
		if (status == Z_STREAM_END) {
			d->state = DEFLATE_START;
			return CODEC_MEMBER_END;
		}
		if (status == Z_MEM_ERROR)
			return fail(d, DANA_ENOMEM, "out of memory");
		if (status != Z_OK && status != Z_BUF_ERROR)
			return fail(d, DANA_EFORMAT, "deflate data damaged");
		if (out->pos == out->len)
			return CODEC_MORE_OUTPUT;
		if (from == in && (!moved || in->pos == in->len)) {
			if (!last)
				return CODEC_MORE_INPUT;
			d->cut = true;
			return fail(d, DANA_EFORMAT, "input ends inside deflate data");
		}
	}
}

static int deflate_step(struct codec *c, struct codec_in *in, struct codec_out *out, bool last)
{
	struct deflate *d = (struct deflate *)c;
	int result = 0;
	while (result == 0) {
		switch (d->state) {
		case DEFLATE_START:
			d->first_len = 0;
			d->state = DEFLATE_FIRST;
			break;
		case DEFLATE_FIRST:
			result = read_first(d, in, last);
			break;
		case DEFLATE_BODY:
			result = read_body(d, in, out, last);
			break;
		case DEFLATE_FAILED:
			result = DANA_ESTATE;
			break;
		}
	}
	return result;
}

/* The format has no magic number to search for. */
static int deflate_resync(struct codec *c, struct codec_in *in, enum resync_start start, bool last)
{
	(void)c, (void)start, (void)last;
	in->pos = in->len;
	return CODEC_MORE_INPUT;
}

static int deflate_bid(struct slice first)
{
	(void)first;
	return 0;
}

static const char *deflate_fault(const struct codec *c)
{
	return ((const struct deflate *)c)->fault;
}

static bool deflate_cut(const struct codec *c)
{
	return ((const struct deflate *)c)->cut;
}

static void deflate_reset(struct codec *c)
{
	struct deflate *d = (struct deflate *)c;
	d->state = DEFLATE_START;
	d->fault = "";
	d->cut = false;
}

static void deflate_close(struct codec *c)
{
	struct deflate *d = (struct deflate *)c;
	if (d)
		(void)inflateEnd(&d->z);
	free(d);
}

static struct codec *deflate_open(const struct codec_limits *limits)
{
	(void)limits;
	struct deflate *d = calloc(1, sizeof(*d));
	if (!d)
		return NULL;
	d->codec.ops = &codec_deflate;
	if (inflateInit2(&d->z, -MAX_WBITS) != Z_OK) {
		free(d);
		return NULL;
	}
	deflate_reset(&d->codec);
	return &d->codec;
}

const struct codec_ops codec_deflate = {
	.name = "deflate",
	.suffix = "",
	.bid = deflate_bid,
	.open = deflate_open,
	.step = deflate_step,
	.resync = deflate_resync,
	.fault = deflate_fault,
	.cut = deflate_cut,
	.reset = deflate_reset,
	.close = deflate_close,
};
