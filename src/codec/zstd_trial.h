/* The trial of a place that may be a zstd frame's begin: header, then the first decoded bytes where they are at hand. */
#ifndef DANA_CODEC_ZSTD_TRIAL_H
#define DANA_CODEC_ZSTD_TRIAL_H

#include <zstd.h>

#include "codec/codec.h"

struct zstd_needs {
	size_t window;          /* the limit */
	unsigned dictionary_id; /* what is loaded; 0 = none */
};

/**
 * 1 = a frame that can be decoded seems to begin here, 0 = none, -1 = needs more bytes (never with `last`, and never with
 * CODEC_LOOKAHEAD bytes). The same for every split: more bytes never change an answer of 1 or 0. A first block that reaches
 * beyond CODEC_LOOKAHEAD cannot be decoded here: then the header has to do. The context is lent; its session is lost.
 */
int zstd_trial(ZSTD_DCtx *context, const struct zstd_needs *needs, struct slice from, bool last);

#endif
