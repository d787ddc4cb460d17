/* SPDX-License-Identifier: MIT */
/* What a reader of JSON gets of bytes that were written: each that is no character is U+FFFD. One code point at a time.
 */
#ifndef DANA_TESTS_REPAIRED_H
#define DANA_TESTS_REPAIRED_H

#include <stdlib.h>

#include "base/buf.h"
#include "base/utf8.h"

/** Appends. */
static inline void append_repaired(struct buf *to, struct slice s)
{
	while (s.len) {
		uint32_t c;
		uint8_t bytes[4];
		const size_t n = utf8_decode(s, &c);
		if (buf_append(to, bytes, utf8_put(c, bytes)) < 0)
			abort();
		s = slice_skip(s, n);
	}
}

#endif
