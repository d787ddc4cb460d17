/* SPDX-License-Identifier: MIT */
/* Shared by counting lines and merging tables: sums of pairs with the same key, and which of them fit into a file. */
#ifndef DANA_DEDUP_LINE_SUMS_H
#define DANA_DEDUP_LINE_SUMS_H

#include "dedup/line_table.h"

enum { LINE_COUNTS = 1 << 16 }; /* larger counts are one class */

/** The number of lines for each count. */
struct line_histogram {
	uint64_t lines[LINE_COUNTS];
};

/**
 * Adds up the values of equal keys, and writes sums of `least` (1 or more) and above. `next` gives pairs in the order
 * of their keys, as pair_merge_next.
 */
int line_sums(int (*next)(void *from, struct pair *p, struct error *err), void *from, struct index_writer *w,
	      uint64_t least, struct line_histogram *h, struct error *err);

/** Returns the least count, at least `least`, from which on all lines fit into `bytes`. */
uint64_t line_histogram_fit(const struct line_histogram *h, uint64_t bytes, uint64_t least);

/** Writes section 0 and begins the next one. */
void line_table_write_text(struct index_writer *w, bool by_site, uint64_t least, uint64_t pages);

#endif
