/* SPDX-License-Identifier: MIT */
/* Gives each event of the tokeniser to the log of the structure and to a method. */
#ifndef DANA_EXTRACT_BOTH_H
#define DANA_EXTRACT_BOTH_H

#include "extract/method/method.h"

struct structure;
struct page_log;

struct both {
	const struct method *method;
	void *state;
	struct structure *structure;
	struct page_log *log; /* the structure's */
};

/**
 * Returns a handler for both. Units come where the method takes them; a method that takes stretches gets runs and tags,
 * of which it makes the same text. `both` must live as long as the handler.
 */
struct html_handler both_handler(struct both *both);
/** Returns a handler for the log alone, beside a method with tokenisers of its own. */
struct html_handler log_handler(struct page_log *log);

#endif
