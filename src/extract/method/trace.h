/* SPDX-License-Identifier: MIT */
/*
 * What `explain` hears of a method's decisions. Every call may be NULL. Methods call it only when the trace is there.
 */
#ifndef DANA_METHOD_TRACE_H
#define DANA_METHOD_TRACE_H

#include "base/slice.h"

struct trace {
	void *arg;
	/** A segment (or line): content above and code below the axis. `text` is its source text. */
	void (*segment)(void *arg, uint64_t index, double content, double code, struct slice text);
	/** The smoothed value of a segment, and whether it lies in a region. */
	void (*smoothed)(void *arg, uint64_t index, double value, bool positive);
	/** A region of segments (both ends inclusive), its weight, and the chain it belongs to (0, 1, ...). */
	void (*region)(void *arg, uint64_t first, uint64_t last, double weight, uint64_t chain);
	/** The chain that won. */
	void (*chosen)(void *arg, uint64_t chain);
	/** A block of text with the numbers behind its decision; `numbers` is "name=value name=value". */
	void (*block)(void *arg, struct slice text, bool kept, double score, const char *reason, const char *numbers);
	/** Of the block told last: its words, and the probabilities that two stages gave it; `second` decides. */
	void (*chances)(void *arg, uint32_t words, double first, double second);
	/**
	 * Why the block told last has the probability of that stage (1 or 2): words, and log odds they moved;
	 * strongest first.
	 */
	void (*reason)(void *arg, int stage, const char *words, double log_odds);
	/** A named number of the page (threshold, slope). */
	void (*number)(void *arg, const char *name, double value);
};

#endif
