/* SPDX-License-Identifier: MIT */
/*
 * Lloyd's algorithm: each point belongs to the nearest centre, then each centre moves to the mean of its points, until
 * no centre moves or the rounds are used up. A function returns the points in each round, so that methods need no array
 * of doubles.
 */
#include "extract/papers/kmeans.h"

unsigned kmeans_nearest(const struct kmeans *k, const double at[KMEANS_DIMENSIONS])
{
	unsigned nearest = 0;
	double least = 0;
	for (unsigned c = 0; c < KMEANS_CLUSTERS; c++) {
		double distance = 0;
		for (unsigned d = 0; d < k->dimensions; d++)
			distance += (at[d] - k->centre[c][d]) * (at[d] - k->centre[c][d]);
		if (c == 0 || distance < least) {
			least = distance;
			nearest = c;
		}
	}
	return nearest;
}

/* Runs one round; returns true if a centre moved. */
static bool move_centres(struct kmeans *k, size_t points, kmeans_point point, const void *arg)
{
	double sum[KMEANS_CLUSTERS][KMEANS_DIMENSIONS] = { { 0 } };
	size_t count[KMEANS_CLUSTERS] = { 0 };
	bool moved = false;
	for (size_t i = 0; i < points; i++) {
		double at[KMEANS_DIMENSIONS] = { 0 };
		point(arg, i, at);
		unsigned c = kmeans_nearest(k, at);
		count[c]++;
		for (unsigned d = 0; d < k->dimensions; d++)
			sum[c][d] += at[d];
	}

	for (unsigned c = k->first_is_fixed ? 1 : 0; c < KMEANS_CLUSTERS; c++) {
		for (unsigned d = 0; d < k->dimensions && count[c]; d++) {
			double mean = sum[c][d] / (double)count[c];
			/*
			 * Exact comparison is safe: a centre whose points did not change has the same sum and count
			 * again.
			 */
			moved |= mean < k->centre[c][d] || mean > k->centre[c][d];
			k->centre[c][d] = mean;
		}
	}
	return moved;
}

int kmeans_run(struct kmeans *k, size_t points, kmeans_point point, const void *arg, struct work *work)
{
	int status = DANA_OK;
	bool moved = true;
	for (unsigned round = 0; round < k->rounds && moved && status == DANA_OK; round++) {
		status = work_add(work, points, work->bytes);
		moved = status == DANA_OK && move_centres(k, points, point, arg);
	}
	return status;
}
