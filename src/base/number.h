/* SPDX-License-Identifier: MIT */
/* Decimal numbers in bytes: ASCII digits, without sign, white space or fraction; leading zeros are allowed. */
#ifndef DANA_BASE_NUMBER_H
#define DANA_BASE_NUMBER_H

#include <stdint.h>
#include <string.h>

#include "base/slice.h"

/**
 * Reads the digits at the front of `s` and returns how many there are. *number is their value: 0 without digits,
 * UINT64_MAX if the value is larger. Example: "640px" returns 3 and sets *number to 640.
 */
size_t decimal_prefix(struct slice s, uint64_t *number);
/**
 * Returns whether `s` is one or more digits and nothing else, with a value of at most `most`; only then is *number set.
 */
bool decimal_number(struct slice s, uint64_t most, uint64_t *number);
/** Reads digits with K, M or G after them or not: "64K" is 65536; UINT64_MAX where it is larger. False: it is not one.
 */
bool decimal_with_unit(struct slice text, uint64_t *number);

/* Numbers whose first byte is the lowest, read from and written to bytes at any address. */

static inline uint32_t little_endian_32(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	v = __builtin_bswap32(v);
#endif
	return v;
}

static inline uint64_t little_endian_64(const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	v = __builtin_bswap64(v);
#endif
	return v;
}

static inline void little_endian_put_32(uint8_t *p, uint32_t v)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	v = __builtin_bswap32(v);
#endif
	memcpy(p, &v, sizeof(v));
}

static inline void little_endian_put_64(uint8_t *p, uint64_t v)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	v = __builtin_bswap64(v);
#endif
	memcpy(p, &v, sizeof(v));
}

/** Returns the number in the `n` bytes at `p`; `n` is at most 8. */
static inline uint64_t little_endian(const uint8_t *p, size_t n)
{
	uint64_t v = 0;

	while (n--)
		v = v << 8 | p[n];
	return v;
}

#endif
