/* SPDX-License-Identifier: MIT */
/* `dana extract --jsonl`: the lines of one input, one line of output for each, in their order. */
#ifndef DANA_RUN_PAGES_LINES_H
#define DANA_RUN_PAGES_LINES_H

#include <stddef.h>

#include "io/output.h"
#include "run/pages/page.h"

struct extract_lines_config {
	struct extract_page_config page; /* `models`, `stop` and `format` are set by extract_lines */
	const char *input;               /* "-": standard input */
	const char *output;              /* NULL: standard output */
	unsigned jobs;                   /* threads beside this one; 0: none */
	size_t line_most;                /* bytes; a longer line is passed over, and its output says so */
	enum output_way way;
};

/**
 * Returns 0; DANA_ESTATE if a signal has ended it; DANA_ECONFIG; or another negative status. What is wrong was reported
 * to `notices`.
 */
int extract_lines(const struct extract_lines_config *config);

#endif
