/* Small non-cryptographic hash for tables of our own making (FNV-1a). */
#ifndef DANA_BASE_HASH_H
#define DANA_BASE_HASH_H

#include "base/slice.h"

enum { HASH_FNV32_START = 0x811c9dc5 };

static inline uint32_t hash_fnv32(struct slice s, uint32_t h)
{
	for (size_t i = 0; i < s.len; i++)
		h = (h ^ s.data[i]) * 16777619U;
	return h;
}

#endif
