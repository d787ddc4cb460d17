/* SPDX-License-Identifier: MIT */
/* Terms that `explain` uses for a method: segments and regions, or the Mountain Model's cells and ridges. */
#ifndef DANA_METHOD_WORDS_H
#define DANA_METHOD_WORDS_H

struct method_words {
	const char *segment, *segments;
	const char *region, *regions;
	const char *group;                   /* what regions are grouped by: "chain" */
	const char *above, *below;           /* what a plot shows: "content", "code" */
	const char *above_name, *below_name; /* the same as names of numbers */
	const char *smoothed;                /* "smoothed score" */
	const char *chosen;                  /* "the chosen chain" */
	const char *kept, *other;            /* reasons: in a chosen region, in another one, */
	const char *none, *gap;              /* in no region, between two regions of the chosen chain */
};

/** The terms for segments, regions and chains, for methods that differ in what they count. */
/* clang-format off */
#define METHOD_WORDS_OF_CHAINS \
	.segment = "segment", .segments = "segments", .region = "region", .regions = "regions", .group = "chain", \
	.chosen = "the chosen chain", .kept = "region of the chosen chain", \
	.other = "region of a chain that was not chosen", .gap = "gap of the chosen chain"
/* clang-format on */

/** Segments of content and code. */
extern const struct method_words method_words_default;

#endif
