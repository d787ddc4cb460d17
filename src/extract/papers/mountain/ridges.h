/* SPDX-License-Identifier: MIT */
/*
 * Ridges of the Mountain Model (L. Bing et al. 2008, sections 3.2, 3.3 and 4): cell scores smoothed over their
 * neighbours (equations 2 and 3), runs of high cells, and four features of each (equations 4 to 7). Means are over
 * cells, not over blank ones; blank cells take part in the smoothing and in the length of low runs. A score equal to a
 * threshold counts as below. Time and memory: linear in cells and blank cells (12 bytes each). Errors: DANA_ENOMEM.
 */
#ifndef DANA_PAPERS_MOUNTAIN_RIDGES_H
#define DANA_PAPERS_MOUNTAIN_RIDGES_H

#include "extract/papers/mountain/cells.h"

enum { MOUNTAIN_SMOOTHING = 5, MOUNTAIN_SPAN = 5, MOUNTAIN_PEAK = 3, RIDGE_FEATURES = 4 };

/** What makes a ridge on the pages of a site, instead of the paper's numbers. All zero: the paper's. */
struct ridge_rule {
	uint32_t threshold; /* millionths of the mean score, at most MOUNTAIN_PEAK times that; 0: the mean itself */
	uint32_t span; /* low slopes in a row that a ridge may have, at most MOUNTAIN_SPAN_MOST; 0: MOUNTAIN_SPAN */
};

struct mountain_ridge {
	size_t first, last;              /* first and last cell */
	size_t first_place, last_place;  /* the same among cells and blank cells, as the trace counts them */
	double mean;                     /* of its cells' smoothed scores */
	double features[RIDGE_FEATURES]; /* height, width, ridge position, cell position */
	double decision;                 /* of the classifier, once it has run */
};

struct trace;

struct mountain_ridges {
	struct buf ridges; /* of struct mountain_ridge */
	struct buf slopes; /* cells and blank cells in one row */
	double primary;    /* threshold */
	double peak;       /* threshold that the highest cell of a ridge exceeds */
	uint32_t span;     /* of the rule */
};

/** `trace` may be NULL. */
int mountain_ridges_find(struct mountain_ridges *r, const struct mountain_cells *cells, const struct ridge_rule *rule,
			 const struct trace *trace);
void mountain_ridges_free(struct mountain_ridges *r);

static inline size_t mountain_ridges_count(const struct mountain_ridges *r)
{
	return r->ridges.len / sizeof(struct mountain_ridge);
}

static inline struct mountain_ridge *mountain_ridge_at(const struct mountain_ridges *r, size_t index)
{
	return (struct mountain_ridge *)(void *)r->ridges.data + index;
}

#endif
