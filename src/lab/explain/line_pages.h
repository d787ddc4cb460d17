/* SPDX-License-Identifier: MIT */
/* On how many pages of its site a line occurs, for a report. */
#ifndef DANA_EXPLAIN_LINE_PAGES_H
#define DANA_EXPLAIN_LINE_PAGES_H

#include "base/slice.h"

struct line_pages {
	const char *file; /* that has the counts */
	uint64_t pages;   /* of the site */
	/** Returns the number of pages with a line of text; 0 if few or unknown. */
	uint64_t (*count)(void *arg, struct slice line);
	void *arg;
};

#endif
