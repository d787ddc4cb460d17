/* SPDX-License-Identifier: MIT */
/*
 * The set of blocks with the highest expected F1, by Dinkelbach's iteration: take all blocks above a threshold, compute
 * half the expected F1 of that set, and use this as the next threshold, until it no longer rises.
 *
 * Example: 100 words with probability 0.9 and 50 words with 0.2: 90 + 10 = 100 words of main text are expected. Both
 * blocks: 100 / (150 + 100) = 0.4. Only the first is above 0.4: 90 / (100 + 100) = 0.45, and nothing changes any more.
 * The first is kept, and the expected F1 is 0.9.
 */
#include "extract/learned/decode.h"

/* The iteration rises strictly and ends after a few steps; this is a safe bound. */
enum { STEPS_MOST = 32 };

struct decision decode_best(const uint16_t *chance, const uint32_t *weight, uint32_t n, uint32_t balance)
{
	struct decision d = { .threshold = 1 };
	for (uint32_t i = 0; i < n; i++)
		d.mass += (uint64_t)chance[i] * weight[i];

	/* F = (1 + b) hit / (kept + b mass): a block raises it if its chance is above F / (1 + b) */
	uint64_t mass = (d.mass >> 16) * balance / 256 + 1;
	for (int step = 0; step < STEPS_MOST; step++) {
		uint64_t hit = 0, kept = 0;
		for (uint32_t i = 0; i < n; i++) {
			if (chance[i] < d.threshold)
				continue;
			hit += (uint64_t)chance[i] * weight[i];
			kept += weight[i];
		}
		uint64_t share = hit / (kept + mass); /* F / (1 + b), in 1/65536 */
		d.expected = (uint32_t)(share * (256 + balance) / 256);
		if (share <= d.threshold)
			break;
		d.threshold = (uint32_t)share;
	}
	return d;
}

void decode_cut(struct decision *d, uint32_t cut)
{
	const uint64_t one = 65536;
	uint64_t t = d->threshold;
	if (cut <= 256)
		t = t * cut / 256;
	else /* twice t (1 - t) is t where that is 1/2, and nothing at 0 and 1 */
		t += 2 * (cut - 256) * t * (one - t) / 256 / one;
	d->threshold = t < 1 ? 1 : t > UINT16_MAX ? UINT16_MAX : (uint32_t)t;
}
