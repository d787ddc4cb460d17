/*
 * The trial of a place that may be a gzip member's begin: decodes a few bytes and looks whether a record starts there.
 * Three magic bytes alone appear in any garbage.
 */
#ifndef DANA_CODEC_GZIP_TRIAL_H
#define DANA_CODEC_GZIP_TRIAL_H

#include "codec/inflate.h"

/**
 * 1 = a member with a record's start begins here, 0 = none, -1 = needs more bytes (never with `last`, and never with
 * CODEC_LOOKAHEAD bytes). The same for every split: more bytes never change an answer of 1 or 0.
 * `zlib` is an inflater of inflate_zlib, lent for the call: zlib stops where the output is full and never sees damage behind
 * it, while ISA-L decodes ahead.
 */
int gzip_trial(struct inflater *zlib, struct slice from, bool last);

#endif
