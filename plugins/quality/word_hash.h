/* SPDX-License-Identifier: MIT */
/* Hashes of words: most words are short, and a hash of all their bytes at once is made by two multiplications. */
#ifndef DANA_QUALITY_WORD_HASH_H
#define DANA_QUALITY_WORD_HASH_H

#include <stddef.h>
#include <stdint.h>

#include "base/little_endian.h"
#define XXH_INLINE_ALL
#include <xxhash.h>

/** Of a word of at most 8 bytes, which are the lowest of `bytes`; the others are zero. Words of one length never collide. */
static inline uint64_t word_hash_8(uint64_t bytes, size_t len)
{
	const uint64_t hash = (bytes ^ len * UINT64_C(0xa0761d6478bd642f)) * UINT64_C(0xe7037ed1a0b428db);

	return (hash ^ hash >> 32) * UINT64_C(0x8ebc6af09c88c6e3);
}

/** Of a word of 9 to 16 bytes. */
static inline uint64_t word_hash_16(const char *word, size_t len)
{
	const uint64_t first = little_endian_64((const uint8_t *)word),
		       last = little_endian_64((const uint8_t *)word + len - 8);

	return word_hash_8(word_hash_8(first, len) ^ last, len);
}

/** Of the bytes of any word. */
static inline uint64_t word_hash(const char *word, size_t len)
{
	const uint8_t *at = (const uint8_t *)word;

	if (len > 16)
		return XXH3_64bits(word, len);
	if (len > 8)
		return word_hash_16(word, len);
	if (len < 4)
		return word_hash_8(little_endian(at, len), len);
	/* The first four bytes and the last four, which may overlap. */
	return word_hash_8(little_endian_32(at) | (uint64_t)little_endian_32(at + len - 4) << 8 * (len - 4), len);
}

#endif
