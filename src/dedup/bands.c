/* SPDX-License-Identifier: MIT */
/* The mean chances are sums over STEPS similarities. */
#include "dedup/bands.h"

#include <math.h>

#include "base/little_endian.h"
#include "dedup/hash.h"

enum { STEPS = 200 };

double bands_chance(struct bands b, double similarity)
{
	return 1 - pow(1 - pow(similarity, b.rows), b.bands);
}

static double error_of(struct bands b, double threshold)
{
	double found = 0, missed = 0;

	for (unsigned i = 0; i < STEPS; i++) {
		double similarity = (i + 0.5) / STEPS, chance = bands_chance(b, similarity);
		if (similarity < threshold)
			found += chance;
		else
			missed += 1 - chance;
	}
	return found / threshold + missed / (1 - threshold);
}

struct bands bands_for(double threshold)
{
	struct bands best = { BANDS_USUAL, BANDS_ROWS_USUAL };
	double least = INFINITY;

	for (unsigned bands = 1; bands <= BANDS_NUMBERS_MOST; bands++) {
		for (unsigned rows = 1; bands * rows <= BANDS_NUMBERS_MOST; rows++) {
			double error = error_of((struct bands){ bands, rows }, threshold);
			if (error < least) {
				least = error;
				best = (struct bands){ bands, rows };
			}
		}
	}
	return best;
}

void bands_buckets(struct bands b, const uint32_t *signature, uint64_t *buckets)
{
	for (unsigned band = 0; band < b.bands; band++) {
		uint32_t rows[BANDS_NUMBERS_MOST];
		for (unsigned i = 0; i < b.rows; i++)
			rows[i] = little_endian_32((const uint8_t *)&signature[band * b.rows + i]);
		buckets[band] = XXH3_64bits_withSeed(rows, b.rows * sizeof(*rows), band);
	}
}

int bands_curve(struct bands b, struct buf *out)
{
	for (unsigned percent = 50; percent <= 100; percent += 5)
		buf_printf(out, "  %.2f  %.4f\n", percent / 100.0, bands_chance(b, percent / 100.0));
	return buf_status(out);
}
