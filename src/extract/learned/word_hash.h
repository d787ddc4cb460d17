/* SPDX-License-Identifier: MIT */
/* Words of source text, hashed. */
#ifndef DANA_LEARNED_WORD_HASH_H
#define DANA_LEARNED_WORD_HASH_H

#include "base/slice.h"

/** Takes the next word from `rest` and hashes it without regard to ASCII case. Returns false at the end. */
bool words_next(struct slice *rest, uint32_t *hash);
/** Returns the hash of the word at p, which ends at `end` at the latest. */
uint32_t words_hash(const uint8_t *p, const uint8_t *end);

/** Bytes after a text that must be readable; their values do not matter. */
enum { WORDS_READ_ON = 33 };

#endif
