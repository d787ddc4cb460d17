/* SPDX-License-Identifier: MIT */
/*
 * The ratio of an element is its words divided by its leaves (texts). Relevance of an element is its ratio, times the
 * larger of its weight and the sum of the relevances of its children; on deep pages this product leaves the range of a
 * double, so logarithms are added instead of numbers multiplied. Example: 2^a + 2^b with a = 1000 and b = 990 is
 * computed as 1000 + log2(1 + 2^-10).
 */
#include "extract/papers/wlr/relevance.h"

#include <math.h>

/* Bounds over all nodes with words, and over the initial set of equation 5. */
struct bounds {
	double max_ratio, min_ratio, root_ratio;
	uint32_t kept;           /* nodes with words */
	uint32_t min_id, max_id; /* of the initial set */
};

static double ratio(const struct element *e)
{
	return (double)e->words / (double)e->leaves;
}

static bool is_initial(const struct bounds *b, double r)
{
	/* Equation 5, squared. */
	return r * r >= b->max_ratio * b->root_ratio;
}

static struct bounds find_bounds(const struct element_tree *tree, size_t root)
{
	const struct element *all = tree->elements;
	struct bounds b = { .root_ratio = ratio(&all[root]), .min_ratio = HUGE_VAL };
	for (size_t i = root; i < all[root].end; i++) {
		if (all[i].words == 0)
			continue;
		b.max_ratio = fmax(b.max_ratio, ratio(&all[i]));
		b.min_ratio = fmin(b.min_ratio, ratio(&all[i]));
	}
	b.min_id = UINT32_MAX;
	for (size_t i = root; i < all[root].end; i++) {
		if (all[i].words == 0)
			continue;
		if (is_initial(&b, ratio(&all[i]))) {
			b.min_id = b.kept < b.min_id ? b.kept : b.min_id;
			b.max_id = b.kept;
		}
		b.kept++;
	}
	return b;
}

/* log2 of w(n), equations 7 to 9; minus infinity for 0. A quotient whose range is empty is 1. */
static double log_weight(const struct bounds *b, double r, uint32_t id)
{
	if (!is_initial(b, r))
		return -HUGE_VAL;
	double position = b->max_id > b->min_id ? 1 - (double)(id - b->min_id) / (double)(b->max_id - b->min_id) : 1;
	double share = b->max_ratio > b->min_ratio ? (r - b->min_ratio) / (b->max_ratio - b->min_ratio) : 1;
	return log2(position * share);
}

/* log2(2^a + 2^b) */
static double log_add(double a, double b)
{
	double high = fmax(a, b), low = fmin(a, b);
	return isinf(low) ? high : high + log1p(exp2(low - high)) / 0.69314718055994530942;
}

/* Returns the body if it has words, otherwise the page. */
static size_t find_root(const struct element_tree *tree)
{
	for (size_t i = 0; i < tree->count; i++) {
		if (tree->elements[i].tag == HTML_TAG_BODY)
			return tree->elements[i].words ? i : 0;
	}
	return 0;
}

int relevance_find(const struct element_tree *tree, struct buf *scratch, struct relevance *result)
{
	const struct element *all = tree->elements;
	size_t root = find_root(tree), end = all[root].end;
	if (all[root].words == 0)
		return 1;
	buf_clear(scratch);
	int status = buf_reserve(scratch, end * sizeof(double));
	if (status < 0)
		return status;
	double *sums = (double *)(void *)scratch->data; /* log2 of the sum over the children */
	for (size_t i = root; i < end; i++)
		sums[i] = -HUGE_VAL;
	struct bounds b = find_bounds(tree, root);
	*result = (struct relevance){ .root = root,
				      .best = root,
				      .max_ratio = b.max_ratio,
				      .min_ratio = b.min_ratio,
				      .root_ratio = b.root_ratio,
				      .log_relevance = -HUGE_VAL };
	uint32_t id = b.kept;
	/*
	 * Children have higher indexes than their parent, so in descending order all sums are ready; of equals the
	 * lowest wins.
	 */
	for (size_t i = end; i-- > root;) {
		if (all[i].words == 0)
			continue;
		double r = ratio(&all[i]);
		double relevance = log2(r) + fmax(log_weight(&b, r, --id), sums[i]);
		if (relevance >= result->log_relevance) {
			result->log_relevance = relevance;
			result->best = i;
		}
		if (i > root)
			sums[all[i].parent] = log_add(sums[all[i].parent], relevance);
	}
	return 0;
}
