/* SPDX-License-Identifier: MIT */
/* The pages of a run of `dana extract`, by several threads, to their output or outputs, in order. */
#ifndef DANA_RUN_PAGES_FILES_H
#define DANA_RUN_PAGES_FILES_H

#include "io/output.h"
#include "run/pages/inputs.h"
#include "run/pages/page.h"

struct extract_run_config {
	struct extract_page_config page; /* `stop` and `models` are set by the run */
	const struct extract_inputs *inputs;
	const char *output; /* FILE; NULL = standard output, or the outputs of the inputs */
	unsigned jobs;
	enum output_way way;
};

/**
 * Returns 0; DANA_ESTATE if a signal has ended it; DANA_ECONFIG; or another negative status, also if only a page
 * failed. What is wrong was reported to `notices`.
 */
int extract_run_pages(const struct extract_run_config *config);

#endif
