/* SPDX-License-Identifier: MIT */
/*
 * HTTP's content coding "br" (RFC 7932). Its window is at most 16 MiB and grows with the data.
 *
 * At damage the library does not output what it has decoded since it last asked for input. That amount would depend on
 * how the input is cut, so the library always gets pieces of 512 bytes, which are collected here. Example: input in
 * chunks of 700 and 400 bytes is given as 512, then 188 + 324, then the last 76. Bytes after the stream in its last
 * piece are skipped.
 */
#include "config.h"

#ifdef HAVE_BROTLI

#include <brotli/decode.h>
#include <stdlib.h>

#include "archive/codec/codecs.h"

enum { PIECE_BYTES = 512 };

struct brotli {
	struct codec codec;
	BrotliDecoderState *state; /* NULL between streams */
	uint8_t piece[PIECE_BYTES];
	size_t len, pos;   /* of the piece: bytes collected, bytes decoded */
	bool given;        /* the piece is complete and being decoded */
	const char *fault; /* NULL: no fault */
	bool cut;
};

static void drop_state(struct brotli *b)
{
	BrotliDecoderDestroyInstance(b->state);
	b->state = NULL;
}

static int fail(struct brotli *b, int status, const char *fault)
{
	drop_state(b);
	b->fault = fault;
	return status;
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
		b->cut = true;
		return fail(b, DANA_EFORMAT, "input ends inside brotli data");
	case BROTLI_DECODER_RESULT_ERROR:
		break;
	}
	const int code = (int)BrotliDecoderGetErrorCode(b->state);
	if (code <= BROTLI_DECODER_ERROR_ALLOC_CONTEXT_MODES && code >= BROTLI_DECODER_ERROR_ALLOC_BLOCK_TYPE_TREES)
		return fail(b, DANA_ENOMEM, "out of memory");
	return fail(b, DANA_EFORMAT, "brotli data damaged");
}

/* Fills the piece from the input. Returns true when it is complete. */
static bool collect(struct brotli *b, struct codec_in *in, bool last)
{
	size_t n = PIECE_BYTES - b->len;
	if (n > in->len - in->pos)
		n = in->len - in->pos;
	if (n)
		memcpy(b->piece + b->len, in->data + in->pos, n);
	in->pos += n;
	b->len += n;
	b->given = b->len == PIECE_BYTES || (last && in->pos == in->len);
	return b->given;
}

static int brotli_step(struct codec *c, struct codec_in *in, struct codec_out *out, bool last)
{
	struct brotli *b = (struct brotli *)c;
	int result = b->fault ? DANA_ESTATE : 0;
	while (result == 0) {
		if (!b->given && !collect(b, in, last))
			return CODEC_MORE_INPUT;
		if (!b->state && b->len == 0) {
			b->given = false;
			return CODEC_END;
		}
		if (!b->state)
			b->state = BrotliDecoderCreateInstance(NULL, NULL, NULL);
		result = b->state ? decode(b, out, last && in->pos == in->len) : fail(b, DANA_ENOMEM, "out of memory");
	}
	return result;
}

/* The format has no magic number to search for. */
static int brotli_resync(struct codec *c, struct codec_in *in, enum resync_start start, bool last)
{
	(void)c, (void)start, (void)last;
	in->pos = in->len;
	return CODEC_MORE_INPUT;
}

static int brotli_bid(struct slice first)
{
	(void)first;
	return 0;
}

static const char *brotli_fault(const struct codec *c)
{
	const struct brotli *b = (const struct brotli *)c;
	return b->fault ? b->fault : "";
}

static bool brotli_cut(const struct codec *c)
{
	return ((const struct brotli *)c)->cut;
}

static void brotli_reset(struct codec *c)
{
	struct brotli *b = (struct brotli *)c;
	drop_state(b);
	b->len = b->pos = 0;
	b->given = false;
	b->fault = NULL;
	b->cut = false;
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
	b->codec.ops = &codec_brotli;
	return &b->codec;
}

const struct codec_ops codec_brotli = {
	.name = "br",
	.suffix = ".br",
	.bid = brotli_bid,
	.open = brotli_open,
	.step = brotli_step,
	.resync = brotli_resync,
	.fault = brotli_fault,
	.cut = brotli_cut,
	.reset = brotli_reset,
	.close = brotli_close,
};

#else

/* A translation unit holds at least one declaration (C17, section 6.9). */
typedef int brotli_not_built_in;

#endif
