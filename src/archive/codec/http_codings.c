/* SPDX-License-Identifier: MIT */
/*
 * HTTP's content codings that are no containers. After damage nothing can be searched for: raw deflate and "br" have no
 * magic number, and the one of zlib has 11 bits.
 *
 * "deflate" (RFC 9110, section 8.4.1.2) is zlib's format (RFC 1950), or raw deflate (RFC 1951), which many servers send
 * under this name. The first two bytes decide: 78 9c has zlib's method, window and check bits (0x789c is a multiple of
 * 31), while raw deflate hardly ever begins so.
 *
 * "br" (RFC 7932) has a window of at most 16 MiB, which grows with the data. At damage the library does not output what
 * it has decoded since it last asked for input. That amount would depend on how the input is cut, so the library always
 * gets pieces of 512 bytes, which are collected here.
 *
 * Example: input in chunks of 700 and 400 bytes is given as 512, then 188 + 324, then the last 76. Bytes after the
 * stream in its last piece are skipped.
 */
#include <brotli/decode.h>
#include <stdlib.h>

#include "archive/codec/codecs.h"

static int no_resync(struct codec *c, struct codec_in *in, enum resync_start start, bool last)
{
	(void)c, (void)start, (void)last;
	in->pos = in->len;
	return CODEC_MORE_INPUT;
}

enum deflate_state {
	DEFLATE_START,
	DEFLATE_FIRST, /* the first two bytes are collected */
	DEFLATE_BODY,
};

struct deflate {
	struct codec codec;
	enum deflate_state state;
	z_stream z;
	uint8_t first[2];
	size_t first_len, first_pos;
};

/* RFC 1950, section 2.2: method 8, window of at most 32 KiB, check bits; no dictionary. */
static int deflate_bid(struct slice first)
{
	enum { ZLIB_BITS = 11, HEADER = 2 };
	const uint8_t *p = first.data;
	if (first.len < HEADER)
		return -1;
	return (p[0] & 0x0f) == Z_DEFLATED && p[0] >> 4 <= 7 && (p[0] << 8 | p[1]) % 31 == 0 && !(p[1] & 0x20)
		       ? ZLIB_BITS
		       : 0;
}

static int deflate_step(struct codec *c, struct codec_in *in, struct codec_out *out, bool last)
{
	struct deflate *d = (struct deflate *)c;
	int result = *c->fault ? DANA_ESTATE : 0;
	while (result == 0) {
		switch (d->state) {
		case DEFLATE_START:
			d->first_len = 0;
			d->state = DEFLATE_FIRST;
			break;
		case DEFLATE_FIRST: {
			while (d->first_len < sizeof(d->first) && in->pos < in->len)
				d->first[d->first_len++] = in->data[in->pos++];
			if (d->first_len < sizeof(d->first) && !last)
				return CODEC_MORE_INPUT;
			if (d->first_len == 0)
				return CODEC_END;
			const bool zlib = deflate_bid(slice_of(d->first, d->first_len)) > 0;
			d->first_pos = 0;
			(void)inflateReset2(&d->z, zlib ? MAX_WBITS : -MAX_WBITS);
			d->state = DEFLATE_BODY;

			break;
		}
		case DEFLATE_BODY: {
			struct codec_in first = { d->first, d->first_len, d->first_pos };
			result = inflate_step(&d->z, &first, out);
			d->first_pos = first.pos;
			if (result == CODEC_MORE_INPUT)
				result = inflate_step(&d->z, in, out);
			if (result < 0)
				return codec_fail(&d->codec, result,
						  result == DANA_ENOMEM ? "out of memory" : "deflate data damaged");
			if (result == CODEC_MEMBER_END)
				d->state = DEFLATE_START;
			return result == CODEC_MORE_INPUT
				       ? codec_ends(&d->codec, last, "input ends inside deflate data")
				       : result;
		}
		}
	}
	return result;
}

static void deflate_reset(struct codec *c)
{
	((struct deflate *)c)->state = DEFLATE_START;
	c->fault = "";
	c->cut = false;
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
	.resync = no_resync,
	.reset = deflate_reset,
	.close = deflate_close,
};

static int brotli_bid(struct slice first)
{
	(void)first;
	return 0;
}

enum { PIECE_BYTES = 512 };

struct brotli {
	struct codec codec;
	BrotliDecoderState *state; /* NULL between streams */
	uint8_t piece[PIECE_BYTES];
	size_t len, pos; /* of the piece: bytes collected, bytes decoded */
	bool given;      /* the piece is complete and being decoded */
};

static void drop_state(struct brotli *b)
{
	BrotliDecoderDestroyInstance(b->state);
	b->state = NULL;
}

static int brotli_fail(struct brotli *b, int status, const char *fault)
{
	drop_state(b);
	return codec_fail(&b->codec, status, fault);
}

static int decode(struct brotli *b, struct codec_out *out, bool last)
{
	size_t avail_in = b->len - b->pos, avail_out = out->len - out->pos;
	uint8_t none;
	const uint8_t *next_in = b->piece + b->pos;
	uint8_t *next_out = avail_out ? out->data + out->pos : &none;
	BrotliDecoderResult result =
		BrotliDecoderDecompressStream(b->state, &avail_in, &next_in, &avail_out, &next_out, NULL);
	b->pos = b->len - avail_in;
	out->pos = out->len - avail_out;
	switch (result) {
	case BROTLI_DECODER_RESULT_SUCCESS:
		drop_state(b);
		b->given = false;
		b->len = b->pos = 0;
		return CODEC_MEMBER_END;
	case BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT:
		return CODEC_MORE_OUTPUT;
	case BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT:
		if (BrotliDecoderHasMoreOutput(b->state))
			return CODEC_MORE_OUTPUT;
		b->given = false;
		b->len = b->pos = 0;
		if (!last)
			return 0;
		b->codec.cut = true;
		return brotli_fail(b, DANA_EFORMAT, "input ends inside brotli data");
	case BROTLI_DECODER_RESULT_ERROR:
		break;
	}
	const int code = (int)BrotliDecoderGetErrorCode(b->state);
	if (code <= BROTLI_DECODER_ERROR_ALLOC_CONTEXT_MODES && code >= BROTLI_DECODER_ERROR_ALLOC_BLOCK_TYPE_TREES)
		return brotli_fail(b, DANA_ENOMEM, "out of memory");
	return brotli_fail(b, DANA_EFORMAT, "brotli data damaged");
}

static int brotli_step(struct codec *c, struct codec_in *in, struct codec_out *out, bool last)
{
	struct brotli *b = (struct brotli *)c;
	int result = *c->fault ? DANA_ESTATE : 0;
	while (result == 0) {
		if (!b->given) { /* fill the piece from the input */
			const size_t left = in->len - in->pos, room = PIECE_BYTES - b->len,
				     n = left < room ? left : room;
			if (n)
				memcpy(b->piece + b->len, in->data + in->pos, n);
			in->pos += n;
			b->len += n;
			b->given = b->len == PIECE_BYTES || (last && in->pos == in->len);
			if (!b->given)
				return CODEC_MORE_INPUT;
		}
		if (!b->state && b->len == 0) {
			b->given = false;
			return CODEC_END;
		}
		if (!b->state)
			b->state = BrotliDecoderCreateInstance(NULL, NULL, NULL);
		result = b->state ? decode(b, out, last && in->pos == in->len)
				  : brotli_fail(b, DANA_ENOMEM, "out of memory");
	}
	return result;
}

static void brotli_reset(struct codec *c)
{
	struct brotli *b = (struct brotli *)c;
	drop_state(b);
	b->len = b->pos = 0;
	b->given = false;
	c->fault = "";
	c->cut = false;
}

static void brotli_close(struct codec *c)
{
	if (c)
		drop_state((struct brotli *)c);
	free(c);
}

static struct codec *brotli_open(const struct codec_limits *limits)
{
	(void)limits;
	struct brotli *b = calloc(1, sizeof(*b));
	if (!b)
		return NULL;
	b->codec = (struct codec){ .ops = &codec_brotli, .fault = "" };
	return &b->codec;
}

const struct codec_ops codec_brotli = {
	.name = "br",
	.suffix = ".br",
	.bid = brotli_bid,
	.open = brotli_open,
	.step = brotli_step,
	.resync = no_resync,
	.reset = brotli_reset,
	.close = brotli_close,
};
