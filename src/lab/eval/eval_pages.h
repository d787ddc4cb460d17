/* SPDX-License-Identifier: MIT */
/*
 * The work of `dana eval`: every method over every gold page, on a few threads. Each thread has its own extractors; a
 * page is read and decoded once and stays in memory for all methods. Only the extraction is timed, by the processor
 * clock of its thread.
 */
#ifndef DANA_LAB_EVAL_EVAL_PAGES_H
#define DANA_LAB_EVAL_EVAL_PAGES_H

#include "base/notice.h"
#include "lab/measure/gold.h"
#include "lab/measure/lcs.h"

enum eval_measure { EVAL_LCS, EVAL_SENTENCE, EVAL_BLOCK };

/** What one method reached on one page. */
struct eval_cell {
	struct score score;
	size_t output, gold, common; /* tokens or blocks that were scored; 0 for sentences */
	uint64_t nanoseconds;
};

struct eval_page {
	bool read;
	uint64_t bytes; /* of UTF-8 HTML */
};

struct eval_job {
	const struct gold_folder *gold;
	const char *const *methods; /* with their keys */
	size_t n_methods;
	enum eval_measure measure;
	unsigned threads;
	struct notices notices; /* of pages that cannot be read */
	/* Results, zeroed by the caller: */
	struct eval_cell *cells; /* page after page, n_methods each */
	struct eval_page *pages;
};

/**
 * Runs all. Pages that cannot be read are reported to `notices` and counted in *unreadable. DANA_OK, DANA_ECONFIG
 * (a method that does not exist: the message is in err), or DANA_ENOMEM.
 */
int eval_pages(struct eval_job *job, size_t *unreadable, struct error *err);

#endif
