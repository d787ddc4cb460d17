/* SPDX-License-Identifier: MIT */
/* Features are bytes. These scale numbers of any size to 0..255, with integers only: equal on every machine. */
#ifndef DANA_LEARNED_SCALE_H
#define DANA_LEARNED_SCALE_H

#include <stdint.h>

extern const uint8_t scale_log_fraction[64];

/** Returns 8 log2(1 + v), rounded down. */
static inline uint8_t scale_log(uint32_t v)
{
	uint64_t x = (uint64_t)v + 1;
	unsigned exponent = 63U - (unsigned)__builtin_clzll(x);
	unsigned fraction = (unsigned)((x << (63 - exponent)) >> 57) & 63;
	unsigned log = exponent * 8 + scale_log_fraction[fraction];
	return (uint8_t)(log > 255 ? 255 : log);
}

/** Returns 255 a / b, rounded down, at most 255; 0 if b is 0. */
static inline uint8_t scale_share(uint32_t a, uint32_t b)
{
	if (a >= b)
		return b ? 255 : 0;
	if (a <= UINT32_MAX / 255) /* short divisions are faster */
		return (uint8_t)(a * 255U / b);
	return (uint8_t)(a * (uint64_t)255 / b);
}

/** Like scale_share, in 64-bit numbers. a is at most 2^56. */
static inline uint8_t scale_share64(uint64_t a, uint64_t b)
{
	if (a >= b)
		return b ? 255 : 0;
	if (b < 1U << 24) /* short divisions are faster */
		return (uint8_t)((uint32_t)a * 255U / (uint32_t)b);
	return (uint8_t)(a * 255U / b);
}

/** A number by which many others are divided. */
struct scale_whole {
	uint64_t whole;
	uint64_t inverse; /* 2^64 / whole, rounded up; 0 if unknown */
};

static inline struct scale_whole scale_whole_of(uint64_t whole)
{
	return (struct scale_whole){ whole, whole > 1 && whole < 1U << 24 ? UINT64_MAX / whole + 1 : 0 };
}

/**
 * Returns a / whole, rounded down; a is below 2^32. The inverse is too large by less than 2^-40 of it: too little to
 * reach the next number.
 */
static inline uint64_t scale_divide(uint32_t a, const struct scale_whole *w)
{
#ifdef __SIZEOF_INT128__
	__extension__ typedef unsigned __int128 wide;
	if (w->inverse)
		return (uint64_t)((wide)a * w->inverse >> 64);
#endif
	return a / w->whole;
}

/** Like scale_share64, for a and a whole. */
static inline uint8_t scale_part(uint64_t a, const struct scale_whole *w)
{
	if (a >= w->whole || !w->inverse)
		return scale_share64(a, w->whole);
	return (uint8_t)scale_divide((uint32_t)a * 255U, w);
}

static inline uint8_t scale_cap(uint32_t v, uint8_t most)
{
	return (uint8_t)(v > most ? most : v);
}

/** Returns v + 128, limited to a byte. */
static inline uint8_t scale_signed(int32_t v)
{
	return (uint8_t)(v > 127 ? 255 : v < -128 ? 0 : v + 128);
}

#endif
