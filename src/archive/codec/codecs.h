/* SPDX-License-Identifier: MIT */
/* The formats in the tables of this folder. */
#ifndef DANA_CODEC_CODECS_H
#define DANA_CODEC_CODECS_H

#include "archive/codec/codec.h"

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

#endif
