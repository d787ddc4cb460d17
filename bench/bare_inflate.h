/* SPDX-License-Identifier: MIT */
/*
 * What every reader of a .warc.gz must do at least: inflate its members, check them, look at nothing. The measure of
 * all others, by zlib. One owner, one thread; a damaged file is an error.
 */
#ifndef DANA_BENCH_BARE_INFLATE_H
#define DANA_BENCH_BARE_INFLATE_H

#include "base/slice.h"

enum { BARE_WINDOW = 256 << 10 };

struct bare_inflate;

/** `take` may be NULL. NULL when memory is exhausted. */
struct bare_inflate *bare_inflate_new(void (*take)(void *arg, struct slice bytes), void *arg);
/** The next piece of the file. False: it is damaged. */
bool bare_inflate_feed(struct bare_inflate *b, struct slice chunk);
/** Bytes that came out. */
uint64_t bare_inflate_bytes(const struct bare_inflate *b);
void bare_inflate_free(struct bare_inflate *b);

#endif
