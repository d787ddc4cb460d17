/* SPDX-License-Identifier: MIT */
/*
 * Batch oracle of the DANA family: r2l, dana, dana-slides, danag, addanag, auto, plain. Whole page in memory, one list
 * of what counts, one array of segments, every rule as algorithm 1 of the DANA paper and the papers behind it print
 * it.
 */
#ifndef DANA_TESTS_FAMILY_H
#define DANA_TESTS_FAMILY_H

#include "base/buf.h"

struct family_result {
	struct buf text;
	struct buf title;
	bool no_region, has_title;
	const char *method; /* that made it */
};

/** Keys as of the method's name; `unit_given` 0 = each method's own. */
struct family_keys {
	size_t segment, gap;
	bool gap_fill;
	char unit;                    /* 'b', 'c', or 0: each method's own */
	bool literal;                 /* as the papers count; r2l and dana-slides always do */
	size_t tag_limit, link_limit; /* 0: none */
};

/** Runs the method of that name. The caller frees both buffers. */
void family_run(const char *method, const struct family_keys *keys, struct slice html, struct family_result *result);

/* ---- the choice of regions alone ---- */

struct family_line {
	int64_t value, weight;
	struct slice text;
};
enum family_rank { FAMILY_REGION, FAMILY_LINE, FAMILY_VALUE };
/** Appends the text of the chosen chain to `out`; false = there is no region. */
bool family_choose(const struct family_line *lines, size_t count, bool by_weight, enum family_rank rank, size_t gap,
		   bool gap_fill, struct buf *out);

#endif
