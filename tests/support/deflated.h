/* SPDX-License-Identifier: MIT */
/* Data in the formats of zlib, for cmocka tests. */
#ifndef DANA_TESTS_SUPPORT_DEFLATED_H
#define DANA_TESTS_SUPPORT_DEFLATED_H

#include <zlib.h>

#include "base/buf.h"
#include "support/unit.h"

/* What zlib's deflateInit2 takes as `window_bits`. */
enum { DEFLATED_RAW = -MAX_WBITS, DEFLATED_ZLIB = MAX_WBITS, DEFLATED_GZIP = MAX_WBITS + 16 };

static inline void append_deflated(struct buf *to, struct slice data, int level, int window_bits)
{
	z_stream z = { 0 };
	assert_int_equal(deflateInit2(&z, level, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY), Z_OK);
	assert_ok(buf_reserve(to, deflateBound(&z, (uLong)data.len)));
	z.next_in = (z_const Bytef *)(uintptr_t)data.data;
	z.avail_in = (uInt)data.len;
	z.next_out = to->data + to->len;
	z.avail_out = (uInt)(to->cap - to->len);
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	to->len += z.total_out;
	deflateEnd(&z);
}

#endif
