/* SPDX-License-Identifier: MIT */
/*
 * Finds the main element of a page by words and leaves (D. Insa, J. Silva, S. Tamarit 2013, as restated by A. Bhardwaj
 * and V. Mangat 2014, equations 4 to 9). Relevance multiplies ratios along a path, so it is computed as log2.
 */
#ifndef DANA_PAPERS_WLR_RELEVANCE_H
#define DANA_PAPERS_WLR_RELEVANCE_H

#include "base/buf.h"
#include "extract/html/element_tree.h"

struct relevance {
	size_t root, best; /* indexes */
	double max_ratio, min_ratio, root_ratio;
	double log_relevance; /* log2 R of the best one */
};

/** `scratch` holds 8 bytes for each element. Returns 0, 1 if the page has no word, or DANA_ENOMEM. */
int relevance_find(const struct element_tree *tree, struct buf *scratch, struct relevance *result);

#endif
