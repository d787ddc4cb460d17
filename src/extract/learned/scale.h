/* Features are bytes. These bring numbers of any size to 0..255, with integers only: equal on every machine. */
#ifndef DANA_EXTRACT_LEARNED_SCALE_H
#define DANA_EXTRACT_LEARNED_SCALE_H

#include <stdint.h>

extern const uint8_t scale_log_fraction[64];

/** 8 log2(1 + v), rounded down. */
static inline uint8_t scale_log(uint32_t v)
{
	uint64_t x = (uint64_t)v + 1;
	unsigned exponent = 63U - (unsigned)__builtin_clzll(x);
	unsigned fraction = (unsigned)((x << (63 - exponent)) >> 57) & 63;
	unsigned log = exponent * 8 + scale_log_fraction[fraction];
	return (uint8_t)(log > 255 ? 255 : log);
}

/** 255 a / b; 0 when b is 0. a at most 2^24. */
static inline uint8_t scale_share(uint32_t a, uint32_t b)
{
	if (a >= b)
		return b ? 255 : 0;
	return (uint8_t)(a * 255U / b);
}

/** a / b in 64-bit numbers, as scale_share. a at most 2^56. */
static inline uint8_t scale_share64(uint64_t a, uint64_t b)
{
	if (a >= b)
		return b ? 255 : 0;
	return (uint8_t)(a * 255U / b);
}

static inline uint8_t scale_cap(uint32_t v, uint8_t most)
{
	return (uint8_t)(v > most ? most : v);
}

/** 128 = 0. */
static inline uint8_t scale_signed(int32_t v)
{
	return (uint8_t)(v > 127 ? 255 : v < -128 ? 0 : v + 128);
}

#endif
