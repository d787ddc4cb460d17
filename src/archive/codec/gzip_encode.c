/* SPDX-License-Identifier: MIT */
/*
 * One gzip member for each unit, by zlib. So that the same unit gives the same bytes on every machine, the header has
 * no name, time 0 and system "unknown": 1f 8b 08 00 00 00 00 00 00 ff (the byte before ff depends on the level).
 */
#include <limits.h>
#include <stdlib.h>
#include <zlib.h>

#include "archive/codec/codecs.h"
#include "base/buf.h"

enum { LEVEL_MIN = 1, LEVEL_DEFAULT = 6, MEMORY_LEVEL = 8, GZIP_WRAPPER = 16, UNKNOWN_SYSTEM = 255, ROOM = 1 << 16 };

struct encoder_codec {
	z_stream z;
	gz_header header;
};

static struct encoder_codec *gzip_open(int level)
{
	if (level < LEVEL_MIN || level > Z_BEST_COMPRESSION)
		return NULL;
	struct encoder_codec *e = calloc(1, sizeof(*e));
	if (!e)
		return NULL;
	e->header.os = UNKNOWN_SYSTEM;
	if (deflateInit2(&e->z, level, Z_DEFLATED, MAX_WBITS + GZIP_WRAPPER, MEMORY_LEVEL, Z_DEFAULT_STRATEGY) !=
	    Z_OK) {
		free(e);
		return NULL;
	}
	return e;
}

static uInt clamp(size_t n)
{
	return n < INT_MAX ? (uInt)n : INT_MAX;
}

static int gzip_unit(struct encoder_codec *e, struct slice unit, struct buf *out)
{
	(void)deflateReset(&e->z);
	(void)deflateSetHeader(&e->z, &e->header);
	Bytef none;
	const size_t bound = deflateBound(&e->z, unit.len);
	int status = buf_reserve(out, bound);
	while (status == 0) {
		const uInt avail_in = clamp(unit.len), avail_out = clamp(out->cap - out->len);
		e->z.next_in = unit.len ? (z_const Bytef *)(uintptr_t)unit.data : &none;
		e->z.avail_in = avail_in;
		e->z.next_out = out->data + out->len;
		e->z.avail_out = avail_out;
		int result = deflate(&e->z, avail_in == unit.len ? Z_FINISH : Z_NO_FLUSH);
		out->len += avail_out - e->z.avail_out;
		unit = slice_skip(unit, avail_in - e->z.avail_in);
		if (result == Z_STREAM_END)
			return 0;
		status = buf_reserve(out, ROOM);
	}
	return status;
}

static void gzip_close(struct encoder_codec *e)
{
	if (e)
		(void)deflateEnd(&e->z);
	free(e);
}

const struct encoder_ops encoder_gzip = {
	.name = CODEC_GZIP_NAME,
	.suffix = CODEC_GZIP_SUFFIX,
	.level_min = LEVEL_MIN,
	.level_max = Z_BEST_COMPRESSION,
	.level_default = LEVEL_DEFAULT,
	.open = gzip_open,
	.unit = gzip_unit,
	.close = gzip_close,
};
