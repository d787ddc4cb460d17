/* SPDX-License-Identifier: MIT */
/*
 * Chooses the chain of regions that holds the largest one, while lines arrive (doc/METHODS.md; DANA paper, algorithm
 * 1). A line is a segment of the page with a signed value and its text. Keeps the best closed chain, the open chain
 * and two lines.
 *
 * Lines are cut at a length, not where words end. So a region's text takes the rest of the words that its ends cut, as
 * far as the neighbouring lines hold it: a run without white space stays whole. What counts is left as it is.
 */
#ifndef DANA_FAMILY_CHAIN_SELECTOR_H
#define DANA_FAMILY_CHAIN_SELECTOR_H

#include "base/buf.h"

struct trace;

/** What makes a line part of a region. */
enum chain_hit {
	CHAIN_HIT_SMOOTHED, /* the value, summed over the line and its two neighbours, is above 0 (DANA eq. 1) */
	CHAIN_HIT_WEIGHT,   /* the line's weight is above 0 */
};

/** What is compared between chains. */
enum chain_rank {
	CHAIN_RANK_REGION, /* their largest region: sum of the weights of its lines (DANA) */
	CHAIN_RANK_LINE,   /* their largest single line, by weight (R2L) */
	CHAIN_RANK_VALUE,  /* their largest single line, by smoothed value (the slides' variant) */
};

struct chain_config {
	enum chain_hit hit;
	enum chain_rank rank;
	uint64_t gap;        /* lines from one region's end to the next one's start that still link them */
	bool gap_fill;       /* lines between linked regions belong to the text too */
	size_t max_text;     /* bytes of one chain; more = as if a gap had been found, and `cut` is set */
	struct trace *trace; /* NULL: nobody listens */
};

struct chain_selector;

struct chain_selector *chain_selector_new(const struct chain_config *config);
void chain_selector_configure(struct chain_selector *cs, const struct chain_config *config);
/** Text of the line under way: the caller appends to it. Blocks end with LF. */
struct buf *chain_selector_text(struct chain_selector *cs);
/** The line under way is complete. 0 or DANA_ENOMEM. */
int chain_selector_line(struct chain_selector *cs, int64_t value, uint64_t weight);
/** Text that is not in a line's buffer yet: appends what from..to of a source hold. 0 or DANA_ENOMEM. */
struct chain_source {
	int (*write)(void *arg, struct buf *text, size_t from, size_t to);
	void *arg;
};
/** A line that ends before `end` of the source. */
struct chain_line {
	int64_t value;
	uint64_t weight;
	size_t end;
};
/**
 * What follows of the line under way, and the lines after it, stand in a source, from `from` on. Few lines become part
 * of a region: the others are never written. The source stays until chain_selector_settle.
 */
void chain_selector_source(struct chain_selector *cs, const struct chain_source *source, size_t from);
/** The line under way and those after it, as chain_selector_line. */
int chain_selector_lines(struct chain_selector *cs, const struct chain_line *lines, size_t count);
/**
 * The source ends before `end`: writes what may still be asked for. No line's value is above `most`, that of the line
 * under way not above `under_way`.
 */
int chain_selector_settle(struct chain_selector *cs, size_t end, int64_t most, int64_t under_way);
/** `count` lines of that value without weight or text, after an empty line under way: the same as so many calls. */
int chain_selector_blank(struct chain_selector *cs, uint64_t count, int64_t value);
/** No more lines. 0, METHOD_NO_REGION, or DANA_ENOMEM. */
int chain_selector_finish(struct chain_selector *cs);
/** The chosen text, after finish. */
struct slice chain_selector_result(const struct chain_selector *cs);
/** A chain was cut at max_text. */
bool chain_selector_cut(const struct chain_selector *cs);
void chain_selector_reset(struct chain_selector *cs);
void chain_selector_free(struct chain_selector *cs);

#endif
