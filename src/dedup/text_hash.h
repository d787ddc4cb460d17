/* SPDX-License-Identifier: MIT */
/* Hashes of a text's normal form: of a document, and of a line. One object for each thread. */
#ifndef DANA_DEDUP_TEXT_HASH_H
#define DANA_DEDUP_TEXT_HASH_H

#include "base/slice.h"
#include "dedup/hash.h"

struct text_hasher;

/** `flags`: enum normal_flags. NULL when memory is exhausted. */
struct text_hasher *text_hasher_new(unsigned flags);
/** NULL allowed. */
void text_hasher_free(struct text_hasher *h);

/** XXH3-128 of the normal form of the text. *empty: it holds nothing. 0 or DANA_ENOMEM. */
int text_hash(struct text_hasher *h, struct slice text, struct hash128 *hash, bool *empty);

/**
 * XXH3-64 of the normal form of a line, with a seed, and the number of its characters (code points); with none, the hash
 * is that of no bytes. 0 or DANA_ENOMEM.
 */
int line_hash(struct text_hasher *h, struct slice line, uint64_t seed, uint64_t *hash, size_t *chars);

#endif
