/* SPDX-License-Identifier: MIT */
/* The dictionary of a WARC file in zstd frames, and the window limit of a context. */
#ifndef DANA_CODEC_ZSTD_DICTIONARY_H
#define DANA_CODEC_ZSTD_DICTIONARY_H

#include <zstd.h>

#include "archive/codec/codec.h"

/** Makes the context refuse frames with a larger window (rounded up to a power of 2). */
void zstd_limit_window(ZSTD_DCtx *context, size_t window);

/**
 * Loads the content of a dictionary frame: a dictionary, or one zstd frame with a dictionary of at most `limit` bytes.
 * *id is its id, never 0. Returns 0, or DANA_ENOMEM or DANA_ECONFIG with a static text in *fault.
 */
int zstd_dictionary_load(ZSTD_DCtx *context, struct slice content, size_t limit, unsigned *id, const char **fault);

#endif
