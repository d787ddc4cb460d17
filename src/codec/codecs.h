/* The formats that the tables of this room are made of. */
#ifndef DANA_CODEC_CODECS_H
#define DANA_CODEC_CODECS_H

#include "codec/codec.h"

extern const struct codec_ops codec_gzip, codec_zstd, codec_deflate, codec_brotli;
extern const struct encoder_ops encoder_none, encoder_gzip, encoder_zstd;

#endif
