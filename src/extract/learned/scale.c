/* SPDX-License-Identifier: MIT */
/*
 * The fractional part of the logarithm, for the six bits after the highest one.
 *
 * Example: scale_log(100): 101 is 2^6 * (1 + 37 / 64), so 8 * 6 + scale_log_fraction[37] = 48 + 5 = 53, which is 8
 * log2(101) rounded down.
 */
#include "extract/learned/scale.h"

/* 8 log2(1 + i / 64), rounded down. */
const uint8_t scale_log_fraction[64] = {
	0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4,
	4, 4, 4, 5, 5, 5, 5, 5, 5, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
};
