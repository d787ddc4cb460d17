/* SPDX-License-Identifier: MIT */
/* On how many pages of its site a line stands, as a report shows it. */
#ifndef DANA_EXPLAIN_LINE_PAGES_H
#define DANA_EXPLAIN_LINE_PAGES_H

#include "base/slice.h"

struct line_pages {
	const char *file; /* of the counts */
	uint64_t pages;   /* of the site */
	/** Pages that a line of text stands on; 0: few, or not known. */
	uint64_t (*count)(void *arg, struct slice line);
	void *arg;
};

#endif
