/* SPDX-License-Identifier: MIT */
/* What the files of the formats share: names, the table of encoders, deflate by zlib, and how to judge what a search
 * finds. */
#ifndef DANA_ARCHIVE_CODEC_CODECS_H
#define DANA_ARCHIVE_CODEC_CODECS_H

#include <zlib.h>

#include "archive/codec/codec.h"
#include "base/slice.h"

/* Names and suffixes of the formats that have a decoder and an encoder. */
#define CODEC_GZIP_NAME "gzip"
#define CODEC_GZIP_SUFFIX ".gz"
#define CODEC_ZSTD_NAME "zstd"
#define CODEC_ZSTD_SUFFIX ".zst"

extern const struct codec_ops codec_gzip, codec_zstd, codec_deflate, codec_brotli;

/** The encoders in the order of help and messages, the one without a suffix first. X(NAME) means encoder_NAME. */
#define ENCODERS(X) X(none) X(gzip) X(zstd)

#define DECLARE_ENCODER(name) extern const struct encoder_ops encoder_##name;

ENCODERS(DECLARE_ENCODER)
#undef DECLARE_ENCODER

/** Returns the length of the skippable zstd frame that begins with these bytes; 0 if none does, or fewer than 8 are
 * there. */
uint64_t zstd_skippable_length(struct slice first);

/** Notes why a decoder fails, which it does from now on, until it is reset. Returns `status`. */
static inline int codec_fail(struct codec *c, int status, const char *fault)
{
	c->fault = fault;
	return status;
}

/** The input is at its end where `fault` has it: with `last` that is damage, else more is needed. */
static inline int codec_ends(struct codec *c, bool last, const char *fault)
{
	c->cut = last;
	return last ? codec_fail(c, DANA_EFORMAT, fault) : CODEC_MORE_INPUT;
}

/* The largest gzip members that are decoded at once. */
enum { WHOLE_INPUT = 1 << 20, WHOLE_OUTPUT = 4 << 20 };

/**
 * Inflates as much as possible. Returns CODEC_MORE_INPUT, CODEC_MORE_OUTPUT, CODEC_MEMBER_END when the data has ended
 * and all of it is in the output, or DANA_EFORMAT.
 */
int inflate_step(z_stream *z, struct codec_in *in, struct codec_out *out);

/*
 * Decides whether decoded bytes begin like a record of a web archive, and so whether a member found after damage is
 * real.
 */

enum { RECORD_START_BYTES = 48 }; /* more bytes are never needed */

/** Returns 1 for yes, 0 for no, -1 if more bytes are needed. More bytes never change a result of 1 or 0. */
int record_start(struct slice decoded);

/*
 * Limits the places that a search for the next member may try. A trial, and the attempt to decode a member after a
 * successful one, cost as much as skipping thousands of bytes; malicious input has a magic number every 20 bytes. So
 * trials are limited by the bytes that searches have passed. Real archives stay far below: a search passes a damaged
 * member, which is longer than PER_TRIAL, and tries one place or two.
 */

/** Returns whether a place may be tried, `here` bytes after the start of this part of the search. */
static inline bool trial_allowed(const struct codec_memory *b, uint64_t here)
{
	enum { FREE = 4096, PER_TRIAL = 512 };
	return b->tried < FREE + (b->passed + here) / PER_TRIAL;
}

#endif
