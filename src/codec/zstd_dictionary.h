/* The dictionary of a WARC file in zstd frames, and the window limit of a context. */
#ifndef DANA_CODEC_ZSTD_DICTIONARY_H
#define DANA_CODEC_ZSTD_DICTIONARY_H

#include <zstd.h>

#include "codec/codec.h"

/** The context refuses frames with a larger window. */
void zstd_limit_window(ZSTD_DCtx *context, size_t window);

/**
 * Loads what a dictionary frame holds (a dictionary, or one zstd frame with it, at most `limit` bytes decoded) and tells its
 * id, never 0. 0, DANA_ENOMEM or DANA_ECONFIG with a text.
 */
int zstd_dictionary_load(ZSTD_DCtx *context, struct slice content, size_t limit, unsigned *id, const char **fault);

#endif
