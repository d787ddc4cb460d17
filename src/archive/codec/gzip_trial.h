/* SPDX-License-Identifier: MIT */
/*
 * Decides after damage whether a gzip member begins here. The three magic bytes alone occur once in 16 MiB of any
 * garbage, so a few bytes are decoded to see whether they start a record. Example: 1f 8b 08 ... that decodes to
 * "WARC/1.0" is a member; one that decodes to "xyz" is a member only with RESYNC_ANYWHERE, and only if its first KiB,
 * or what it decodes to up to 2 KiB, has no fault. Of 20 million magics before random bytes, 86 passed that.
 */
#ifndef DANA_CODEC_GZIP_TRIAL_H
#define DANA_CODEC_GZIP_TRIAL_H

#include "archive/codec/inflate.h"

/**
 * Returns 1 if a member begins here, as `start` says, 0 if not, -1 if more bytes are needed (never with `last`, and
 * never with CODEC_LOOKAHEAD bytes). More bytes never change a result of 1 or 0. `zlib` is an inflater of inflate_zlib,
 * borrowed for the call: zlib stops when the output is full and does not see damage after that, while ISA-L decodes
 * ahead.
 */
int gzip_trial(struct inflater *zlib, struct slice from, enum resync_start start, bool last);

#endif
