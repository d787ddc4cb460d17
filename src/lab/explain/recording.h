/* SPDX-License-Identifier: MIT */
/*
 * What a method reported to its trace (extract/method/trace.h), kept until the report is drawn. A recording owns its
 * memory; `status` records that memory was exhausted, so that methods need not check.
 */
#ifndef DANA_EXPLAIN_RECORDING_H
#define DANA_EXPLAIN_RECORDING_H

#include "base/buf.h"
#include "extract/method/trace.h"

struct recorded_segment {
	double content, code;
	double smoothed;
	bool has_smoothed, positive;
	size_t text_from, text_to; /* source text, in recording.text */
};

struct recorded_region {
	uint64_t first, last; /* segments, both inclusive */
	double weight;
	uint64_t chain;
	bool chosen; /* its chain was chosen for the text */
};

struct recorded_block {
	size_t text_from, text_to;
	bool kept;
	double score;
	size_t reason_from;              /* in recording.text, with a final NUL, as methods may compose it */
	size_t numbers_from, numbers_to; /* in recording.text */
	bool has_chances;
	uint32_t words;
	double chance[2]; /* after both stages */
	size_t reasons_from, n_reasons;
};

/** Why a block has the probability of a stage. */
struct recorded_reason {
	int stage;         /* 1 or 2 */
	size_t words_from; /* in recording.text, with a final NUL */
	double log_odds;
};

struct recorded_number {
	const char *name; /* static memory of the method */
	double value;
};

struct recording {
	int status;
	struct buf text;
	struct recorded_segment *segments;
	struct recorded_region *regions;
	struct recorded_block *blocks;
	struct recorded_reason *reasons;
	struct recorded_number *numbers;
	size_t n_segments, n_regions, n_blocks, n_reasons, n_numbers;
	size_t segments_cap, regions_cap, blocks_cap, reasons_cap, numbers_cap;
};

/** Returns a trace that writes to `r`, which must be zeroed before its first use and must not move. */
struct trace recording_trace(struct recording *r);
void recording_free(struct recording *r);
/** Returns the number of that name, or `other`. */
double recording_number(const struct recording *r, const char *name, double other);

#endif
