/* What the parts of a method's picture are called: segments and regions, or the Mountain Model's cells and ridges. */
#ifndef DANA_EXPLAIN_WORDS_H
#define DANA_EXPLAIN_WORDS_H

struct method_words {
	const char *segment, *segments;
	const char *region, *regions;
	const char *group;                   /* what regions are numbered by: "chain" */
	const char *above, *below;           /* what a plot shows: "content", "code" */
	const char *above_name, *below_name; /* the same as names of numbers */
	const char *smoothed;                /* "smoothed score" */
	const char *chosen;                  /* "the chosen chain" */
	const char *kept, *other;            /* reasons: in a chosen region, in another one, */
	const char *none, *gap;              /* in no region, between two regions of the chosen chain */
};

/** By name, without keys. */
const struct method_words *method_words(const char *method);

#endif
