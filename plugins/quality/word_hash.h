/* SPDX-License-Identifier: MIT */
/* Hashes of words. Most words are short: two multiplications hash all their bytes at once. */
#ifndef DANA_QUALITY_WORD_HASH_H
#define DANA_QUALITY_WORD_HASH_H

#include <stddef.h>
#include <stdint.h>

#include "base/little_endian.h"
#define XXH_INLINE_ALL
#include <xxhash.h>

/**
 * Hashes a word of at most 16 bytes, given as its first eight and its other bytes, each with the first byte lowest and
 * zeros after the last.
 */
static inline uint64_t word_hash_of_two(uint64_t first, uint64_t rest, size_t len)
{
	const uint64_t hash = (first ^ len * UINT64_C(0xa0761d6478bd642f)) * UINT64_C(0xe7037ed1a0b428db);

	return (hash ^ hash >> 32 ^ rest * UINT64_C(0xd6e8feb86659fd93)) * UINT64_C(0x8ebc6af09c88c6e3);
}

/** Hashes a word of 1 to 16 bytes; 16 bytes must be readable. */
static inline uint64_t word_hash_of_16(const char *word, size_t len)
{
	/* Read from 16 - len on, 0xff for each byte of the word, then zeros. */
	static const uint8_t mask[32] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
					  0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };
	const uint64_t first = little_endian_64((const uint8_t *)word) & little_endian_64(mask + 16 - len);
	const uint64_t rest = little_endian_64((const uint8_t *)word + 8) & little_endian_64(mask + 24 - len);

	return word_hash_of_two(first, rest, len);
}

/** Hashes a word of any length. */
static inline uint64_t word_hash(const char *word, size_t len)
{
	const uint8_t *at = (const uint8_t *)word;

	if (len > 16)
		return XXH3_64bits(word, len);
	if (len > 8) /* those of the last eight bytes that are not among the first eight */
		return word_hash_of_two(little_endian_64(at), little_endian_64(at + len - 8) >> 8 * (16 - len), len);
	if (len < 4)
		return word_hash_of_two(little_endian(at, len), 0, len);
	/* The first four bytes and the last four, which may overlap. */
	return word_hash_of_two(little_endian_32(at) | (uint64_t)little_endian_32(at + len - 4) << 8 * (len - 4), 0,
				len);
}

#endif
