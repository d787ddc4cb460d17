/* SPDX-License-Identifier: MIT */
/* Reports a method's decisions to `explain`. Any member may be NULL, and so may the trace. */
#ifndef DANA_METHOD_TRACE_H
#define DANA_METHOD_TRACE_H

#include "base/slice.h"

struct trace {
	void *arg;
	/** A segment (or line): content is drawn above, code below the axis. `text` is its source text. */
	void (*segment)(void *arg, uint64_t index, double content, double code, struct slice text);
	/** The smoothed value of a segment, and whether it lies in a region. */
	void (*smoothed)(void *arg, uint64_t index, double value, bool positive);
	/** A region of segments (both ends inclusive), its weight, and the chain it belongs to (0, 1, ...). */
	void (*region)(void *arg, uint64_t first, uint64_t last, double weight, uint64_t chain);
	/** The chain that won. */
	void (*chosen)(void *arg, uint64_t chain);
	/** A block of text with the numbers that decided about it; `numbers` is "name=value name=value". */
	void (*block)(void *arg, struct slice text, bool kept, double score, const char *reason, const char *numbers);
	/** About the last block: its number of words, and its probability after the first stage and in the end. */
	void (*chances)(void *arg, uint32_t words, double first, double last);
	/**
	 * Why the last block has its probability from that stage (1 or 2): a reason in words, and its log odds;
	 * strongest first.
	 */
	void (*reason)(void *arg, int stage, const char *words, double log_odds);
	/** A named number of the page (threshold, slope). */
	void (*number)(void *arg, const char *name, double value);
};

#endif
