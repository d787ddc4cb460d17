/* SPDX-License-Identifier: MIT */
/* The figures of `dana eval`: means over pages, and their tables. */
#ifndef DANA_LAB_EVAL_H
#define DANA_LAB_EVAL_H

#include "base/diagnostics.h"
#include "lab/gold.h"
#include "lab/measure.h"

struct eval_sums {
	size_t pages;
	struct score sum;
	size_t good, located, complete; /* pages: F1 > 0.9, F1 > 0.8, recall > 0.95 (Mountain Model paper) */
	size_t output, gold, common;
	uint64_t bytes, nanoseconds;
	double site_f1; /* mean over sites of their mean F1 */
	size_t sites;   /* a page whose site is not known is one of its own */
};

enum eval_group { EVAL_GROUP_NONE, EVAL_GROUP_CORPUS, EVAL_GROUP_SCRIPT, EVAL_GROUP_SITE };

struct eval_table {
	const struct eval_job *job;
	enum eval_group by;
	const char **groups; /* names in order; the last, "all", has all pages */
	size_t n_groups;
	bool sites;             /* the index gives the sites of pages */
	struct eval_sums *sums; /* method after method, n_groups each */
};

int eval_table_make(struct eval_table *t, const struct eval_job *job, enum eval_group by);
void eval_table_free(struct eval_table *t);
const struct eval_sums *eval_table_at(const struct eval_table *t, size_t method, size_t group);

/*
 * The work of `dana eval`: every method over every gold page, on a few threads. Each thread has its own extractors; a
 * page is read and decoded once and stays in memory for all methods. Only the extraction is timed, by the processor
 * clock of its thread.
 */

enum eval_measure { EVAL_LCS, EVAL_SENTENCE, EVAL_BLOCK };

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
	const struct site_sources *sites; /* what the extractors learn of other pages; NULL: nothing */
	struct notices notices;           /* of pages that cannot be read */
	/* Results, zeroed by the caller: */
	struct eval_cell *cells; /* page after page, n_methods each */
	struct eval_page *pages;
};

/**
 * Runs all. Pages that cannot be read are reported to `notices` and counted in *unreadable. DANA_OK, DANA_ECONFIG
 * (a method that does not exist: the message is in err), or DANA_ENOMEM.
 */
int eval_pages(struct eval_job *job, size_t *unreadable, struct error *err);

/**
 * Makes a table for dedup/site_table.h of all pages whose site is known, with a method `learned`. Returns DANA_OK or an
 * error with a message; overwrites the file.
 */
int gold_learn_sites(const struct gold_folder *folder, const char *method, const char *path, struct error *err);

#endif
