/* SPDX-License-Identifier: MIT */
/* What a reader of JSON gets of bytes that were written: each that is no character is U+FFFD. One code point at a time.
 */
#ifndef DANA_TESTS_SUPPORT_REPAIRED_H
#define DANA_TESTS_SUPPORT_REPAIRED_H

#include "base/utf8.h"
#include "support/split_feed.h"

/** Appends. */
static inline void append_repaired(struct buf *to, struct slice s)
{
	while (s.len) {
		uint32_t c;
		uint8_t bytes[4];
		const size_t n = utf8_decode(s, &c);
		must(buf_append(to, bytes, utf8_put(c, bytes)) >= 0);
		s = slice_skip(s, n);
	}
}

#endif
