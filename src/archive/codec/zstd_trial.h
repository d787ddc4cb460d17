/* SPDX-License-Identifier: MIT */
/*
 * Decides after damage whether a zstd frame begins here. Header and first block header must be plausible, and the first
 * decoded bytes, if there are any, must be those of a record if `start` asks for that. Example: 28 b5 2f fd with a
 * window of 2 GiB is refused by its header alone; a frame that decodes to "WARC/1.1" is accepted.
 */
#ifndef DANA_CODEC_ZSTD_TRIAL_H
#define DANA_CODEC_ZSTD_TRIAL_H

#include <zstd.h>

#include "archive/codec/codec.h"
#include "base/buf.h"

struct zstd_needs {
	size_t window;          /* the limit, in bytes */
	unsigned dictionary_id; /* of the loaded dictionary; 0: no dictionary is loaded */
};

/**
 * Returns 1 if a frame seems to begin here, 0 if not, -1 if more bytes are needed (never with `last`, and never with
 * CODEC_LOOKAHEAD bytes). More bytes never change a result of 1 or 0. A first block longer than CODEC_LOOKAHEAD cannot
 * be decoded here: then plausible headers are enough. The context and `spare` are borrowed; a frame that they were
 * decoding is lost.
 */
int zstd_trial(ZSTD_DCtx *context, const struct zstd_needs *needs, struct slice from, enum resync_start start,
	       bool last, struct buf *spare);

#endif
