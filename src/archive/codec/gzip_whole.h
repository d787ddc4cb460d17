/* SPDX-License-Identifier: MIT */
/*
 * Decodes a gzip member that is completely in memory in one call of libdeflate, which is faster than any decoder that
 * works in steps. One owner, one thread at a time.
 *
 * Which members are decoded this way depends only on their bytes and on the members before, never on how the input is
 * cut: those that libdeflate decodes from at most WHOLE_INPUT bytes to at most WHOLE_OUTPUT bytes, with the right
 * checksum and length. This matters because libdeflate accepts a few codes that no encoder makes and other decoders
 * refuse: if the split decided which decoder gets a member, it would also decide whether the member is damaged.
 */
#ifndef DANA_CODEC_GZIP_WHOLE_H
#define DANA_CODEC_GZIP_WHOLE_H

#include "archive/codec/codec.h"

enum {
	WHOLE_INPUT = 1 << 20,
	WHOLE_OUTPUT = 4 << 20,
};

struct gzip_whole;

/** Returns NULL if memory is exhausted, or without libdeflate. */
struct gzip_whole *gzip_whole_new(void);
/**
 * Decodes the member that begins at in->pos. Returns CODEC_MEMBER_END with in->pos directly after it and its bytes in
 * *decoded until the next call. Otherwise no input is taken: on CODEC_MORE_INPUT call again with more, on
 * CODEC_MORE_OUTPUT decode this member by steps instead.
 */
int gzip_whole_decode(struct gzip_whole *w, struct codec_in *in, bool last, struct slice *decoded);
void gzip_whole_free(struct gzip_whole *w);

#endif
