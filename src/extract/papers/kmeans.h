/* SPDX-License-Identifier: MIT */
/*
 * k-means with given first centres, in two or three dimensions: Lloyd's rounds, ties to the lower cluster, an empty
 * cluster keeps its centre. Sums run in the order of the points, so results repeat. Time: points * clusters * rounds.
 */
#ifndef DANA_PAPERS_KMEANS_H
#define DANA_PAPERS_KMEANS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/work.h"

enum { KMEANS_CLUSTERS = 3, KMEANS_DIMENSIONS = 3 };

struct kmeans {
	double centre[KMEANS_CLUSTERS][KMEANS_DIMENSIONS];
	unsigned dimensions, rounds;
	bool first_is_fixed; /* the centre of cluster 0 does not move */
};

/** Writes the coordinates of point `index`. */
typedef void (*kmeans_point)(const void *arg, size_t index, double at[KMEANS_DIMENSIONS]);

/**
 * Moves the centres until they rest or the rounds are used up. Each point in each round is a step. Returns 0 or
 * DANA_ELIMIT.
 */
int kmeans_run(struct kmeans *k, size_t points, kmeans_point point, const void *arg, struct work *work);
/** Returns the cluster nearest to a point. */
unsigned kmeans_nearest(const struct kmeans *k, const double at[KMEANS_DIMENSIONS]);

#endif
