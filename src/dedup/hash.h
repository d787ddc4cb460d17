/* SPDX-License-Identifier: MIT */
/* XXH3 (Yann Collet, xxHash specification 0.2): the one hash function of this room, compiled in from its header. */
#ifndef DANA_DEDUP_HASH_H
#define DANA_DEDUP_HASH_H

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/slice.h"

/** 128 bits: texts count as equal if these are equal. */
struct hash128 {
	uint64_t high, low;
};

static inline uint64_t hash64(struct slice s)
{
	return XXH3_64bits(s.data, s.len);
}

static inline bool hash128_equal(struct hash128 a, struct hash128 b)
{
	return a.high == b.high && a.low == b.low;
}

#endif
