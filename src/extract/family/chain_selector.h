/* SPDX-License-Identifier: MIT */
/*
 * Chooses the chain that contains the largest region, while lines arrive (doc/METHODS.md; DANA paper, algorithm 1). A
 * line is a segment of the page with a signed value and its text. Keeps the best closed chain, the open chain and two
 * lines.
 *
 * Lines are cut at a length, not where words end. So a region's text includes the rest of the words that its ends cut,
 * as far as the neighbouring lines contain it: a run without white space stays whole. The counts do not change.
 */
#ifndef DANA_EXTRACT_FAMILY_CHAIN_SELECTOR_H
#define DANA_EXTRACT_FAMILY_CHAIN_SELECTOR_H

#include "base/buf.h"

struct trace;

/** What makes a line part of a region. */
enum chain_hit {
	CHAIN_HIT_SMOOTHED, /* the value, summed over the line and its two neighbours, is above 0 (DANA eq. 1) */
	CHAIN_HIT_WEIGHT,   /* the line's weight is above 0 */
};

/** What chains are compared by. */
enum chain_rank {
	CHAIN_RANK_REGION,  /* their largest region: sum of the weights of its lines (DANA) */
	CHAIN_RANK_SURPLUS, /* their largest region: sum of the values of its lines */
	CHAIN_RANK_LINE,    /* their largest single line, by weight (R2L) */
	CHAIN_RANK_VALUE,   /* their largest single line, by smoothed value (the slides' variant) */
};

struct chain_config {
	enum chain_hit hit;
	enum chain_rank rank;
	uint64_t gap;        /* most lines from one region's end to the next one's start that still link them */
	bool gap_fill;       /* lines between linked regions also belong to the text */
	size_t max_text;     /* most bytes of one chain; beyond, it ends as at a gap, and `cut` is set */
	struct trace *trace; /* may be NULL */
};

struct chain_selector;

struct chain_selector *chain_selector_new(const struct chain_config *config);
void chain_selector_configure(struct chain_selector *cs, const struct chain_config *config);
/** Returns the text of the current line, to which the caller appends. Blocks end with LF. */
struct buf *chain_selector_text(struct chain_selector *cs);
/** Notes that text of the current line is from..to of the page; such calls come in the order of the page. */
void chain_selector_place(struct chain_selector *cs, uint64_t from, uint64_t to);
/** Completes the current line. Returns 0 or DANA_ENOMEM. */
int chain_selector_line(struct chain_selector *cs, int64_t value, uint64_t weight);
/** Text that is not yet in a line's buffer: `write` appends from..to of a source. It returns 0 or DANA_ENOMEM. */
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
 * The rest of the current line, and the lines after it, are in a source, from `from` on. Few lines become part of a
 * region; the others are never written. The source stays until chain_selector_settle.
 */
void chain_selector_source(struct chain_selector *cs, const struct chain_source *source, size_t from);
/** Completes the current line and those after it, like chain_selector_line. */
int chain_selector_lines(struct chain_selector *cs, const struct chain_line *lines, size_t count);
/**
 * Ends the source before `end`: writes the text that may still be needed. No line's value is above `most`, and that of
 * the current line not above `under_way`.
 */
int chain_selector_settle(struct chain_selector *cs, size_t end, int64_t most, int64_t under_way);
/** Takes `count` lines of that value without weight or text, when the current line is empty. */
int chain_selector_blank(struct chain_selector *cs, uint64_t count, int64_t value);
/** Ends the lines. Returns 0, METHOD_NO_REGION or DANA_ENOMEM. */
int chain_selector_finish(struct chain_selector *cs);
/** Returns the chosen text, after finish. */
struct slice chain_selector_result(const struct chain_selector *cs);
/** Lists the parts of the page that the chosen text comes from (method.h). */
int chain_selector_spans(const struct chain_selector *cs, struct buf *spans);
/** Returns whether a chain was cut at max_text. */
bool chain_selector_cut(const struct chain_selector *cs);
void chain_selector_reset(struct chain_selector *cs);
void chain_selector_free(struct chain_selector *cs);

#endif
