/*
 * A gzip member that lies in memory as a whole, decoded at once by libdeflate, which is faster than any decoder that can
 * stop in between. One owner, one thread at a time.
 *
 * Which members go this way depends on their bytes and on the members before only, never on the split: those that libdeflate
 * decodes from at most WHOLE_INPUT bytes to at most WHOLE_OUTPUT bytes, with checksum and length right. libdeflate takes a
 * few codes that no encoder makes and others refuse, and whether it is asked must not be left to chance.
 */
#ifndef DANA_CODEC_GZIP_WHOLE_H
#define DANA_CODEC_GZIP_WHOLE_H

#include "codec/codec.h"

enum {
	WHOLE_INPUT = 1 << 20,
	WHOLE_OUTPUT = 4 << 20,
};

struct gzip_whole;

/** NULL when memory is exhausted, or without libdeflate. */
struct gzip_whole *gzip_whole_new(void);
/**
 * The member that begins at in->pos. CODEC_MEMBER_END: in->pos is just behind it, and *decoded its bytes until the next
 * call. Else nothing is taken. CODEC_MORE_INPUT: ask again with more. CODEC_MORE_OUTPUT: not this way; do not ask again.
 */
int gzip_whole_decode(struct gzip_whole *w, struct codec_in *in, bool last, struct slice *decoded);
void gzip_whole_free(struct gzip_whole *w);

#endif
