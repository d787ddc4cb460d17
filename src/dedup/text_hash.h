/* SPDX-License-Identifier: MIT */
/* Hashes of a text's normal form: of a document, and of a line. One object for each thread. */
#ifndef DANA_DEDUP_TEXT_HASH_H
#define DANA_DEDUP_TEXT_HASH_H

#include "base/slice.h"
#include "dedup/hash.h"

struct text_hasher;

/** `flags`: enum normal_flags. Returns NULL if memory is exhausted. */
struct text_hasher *text_hasher_new(unsigned flags);
/** NULL allowed. */
void text_hasher_free(struct text_hasher *h);

/** Computes the XXH3-128 of the text's normal form. *empty: that form is empty. Returns 0 or DANA_ENOMEM. */
int text_hash(struct text_hasher *h, struct slice text, struct hash128 *hash, bool *empty);

/**
 * Computes the XXH3-64 of a line's normal form, with a seed, and its number of characters (code points); if that is 0,
 * the hash is that of the empty string. Returns 0 or DANA_ENOMEM.
 */
int line_hash(struct text_hasher *h, struct slice line, uint64_t seed, uint64_t *hash, size_t *chars);

#endif
