/* SPDX-License-Identifier: MIT */
/* Small non-cryptographic hash (FNV-1a) for tables whose keys an attacker cannot choose. */
#ifndef DANA_BASE_HASH_H
#define DANA_BASE_HASH_H

#include "base/ascii.h"

#define HASH_FNV32_START UINT32_C(0x811c9dc5)

/** Returns `h` with one more byte. */
static inline uint32_t hash_fnv32_byte(uint8_t byte, uint32_t h)
{
	return (h ^ byte) * 16777619U;
}

static inline uint32_t hash_fnv32(struct slice s, uint32_t h)
{
	for (size_t i = 0; i < s.len; i++)
		h = hash_fnv32_byte(s.data[i], h);
	return h;
}

/** Gives the same hash for all spellings that differ only in ASCII case. */
static inline uint32_t hash_fnv32_nocase(struct slice s, uint32_t h)
{
	for (size_t i = 0; i < s.len; i++)
		h = hash_fnv32_byte(ascii_lower(s.data[i]), h);
	return h;
}

#endif
