/* SPDX-License-Identifier: MIT */
/*
 * Decides which blocks to keep, given each block's chance. Of all sets, the one with the highest expected F1 is a
 * prefix of the blocks sorted by chance, and its threshold is half of that F1 (Dinkelbach's iteration finds both
 * without sorting).
 */
#ifndef DANA_LEARNED_DECODE_H
#define DANA_LEARNED_DECODE_H

#include <stdint.h>

struct decision {
	uint32_t threshold; /* a block is kept if its chance is at least this, in 1/65536 */
	uint32_t expected;  /* expected F1, in 1/65536 */
	uint64_t mass;      /* expected words of the main text, in 1/65536 */
};

/** `weight[i]`: words of block i. `balance`: the square of F-beta's beta, in 1/256; 256 = F1, more favours recall. */
struct decision decode_best(const uint16_t *chance, const uint32_t *weight, uint32_t n, uint32_t balance);

/**
 * Moves the threshold for a kind of page: multiplies it by `cut` (1/256) up to 256; above, raises a threshold of one
 * half as much as that would, and those nearer to 1 less, so that they stay below it.
 */
void decode_cut(struct decision *d, uint32_t cut);

#endif
