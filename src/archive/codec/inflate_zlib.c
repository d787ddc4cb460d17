/* SPDX-License-Identifier: MIT */
/*
 * Raw deflate by zlib: for machines without ISA-L, and for tests that compare with ISA-L. zlib itself gives the same
 * output however the input is cut. Example: data with a fault after 5 good bytes gives these 5 bytes and then the
 * fault, in one piece or byte by byte.
 */
#include <limits.h>
#include <stdlib.h>
#include <zlib.h>

#include "archive/codec/inflate.h"

struct inflater {
	z_stream z;
	bool broken;
};

static struct inflater *zlib_open(void)
{
	struct inflater *x = calloc(1, sizeof(*x));
	if (x && inflateInit2(&x->z, -MAX_WBITS) != Z_OK) {
		free(x);
		return NULL;
	}
	return x;
}

static uInt clamp(size_t n)
{
	return n < INT_MAX ? (uInt)n : INT_MAX;
}

/* Calls zlib once. Returns its status; *moved: a byte was taken or written. */
static int zlib_step(z_stream *z, struct codec_in *in, struct codec_out *out, bool *moved)
{
	Bytef none;
	const uInt avail_in = clamp(in->len - in->pos), avail_out = clamp(out->len - out->pos);
	z->next_in = avail_in ? (z_const Bytef *)(uintptr_t)(in->data + in->pos) : &none;
	z->avail_in = avail_in;
	z->next_out = avail_out ? out->data + out->pos : &none;
	z->avail_out = avail_out;
	int status = inflate(z, Z_NO_FLUSH);
	*moved = z->avail_in != avail_in || z->avail_out != avail_out;
	in->pos += avail_in - z->avail_in;
	out->pos += avail_out - z->avail_out;
	return status;
}

static int zlib_run(struct inflater *x, struct codec_in *in, struct codec_out *out, bool last)
{
	while (!x->broken) {
		bool moved;
		int status = zlib_step(&x->z, in, out, &moved);
		if (status == Z_STREAM_END)
			return INFLATE_END;
		if (status == Z_MEM_ERROR)
			return DANA_ENOMEM;
		if (status != Z_OK && status != Z_BUF_ERROR)
			x->broken = true;
		else if (out->pos == out->len)
			return INFLATE_MORE_OUTPUT;
		else if (!moved || in->pos == in->len)
			return last ? INFLATE_CUT : INFLATE_MORE_INPUT;
	}
	return DANA_EFORMAT;
}

static size_t zlib_surplus(const struct inflater *x, uint8_t bytes[INFLATE_SURPLUS_MAX])
{
	(void)x, (void)bytes;
	return 0;
}

static uint32_t zlib_crc(uint32_t crc, const uint8_t *data, size_t len)
{
	return len ? (uint32_t)crc32_z(crc, data, len) : crc;
}

static void zlib_reset(struct inflater *x)
{
	x->broken = false;
	(void)inflateReset(&x->z);
}

static void zlib_close(struct inflater *x)
{
	if (x)
		(void)inflateEnd(&x->z);
	free(x);
}

const struct inflate_ops inflate_zlib = {
	.name = "zlib",
	.open = zlib_open,
	.run = zlib_run,
	.surplus = zlib_surplus,
	.crc = zlib_crc,
	.reset = zlib_reset,
	.close = zlib_close,
};
