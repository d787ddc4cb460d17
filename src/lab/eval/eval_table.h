/* SPDX-License-Identifier: MIT */
/* The figures of `dana eval`: means over pages, and their tables. */
#ifndef DANA_LAB_EVAL_EVAL_TABLE_H
#define DANA_LAB_EVAL_EVAL_TABLE_H

#include "lab/eval/eval_pages.h"

/** What pages of one group add up to for one method. */
struct eval_sums {
	size_t pages;
	struct score sum;
	size_t good, located, complete; /* pages: F1 > 0.9, F1 > 0.8, recall > 0.95 (Mountain Model paper) */
	size_t output, gold, common;
	uint64_t bytes, nanoseconds;
	double site_f1; /* mean over sites of their mean F1 */
};

enum eval_group { EVAL_GROUP_NONE, EVAL_GROUP_CORPUS, EVAL_GROUP_SCRIPT };

struct eval_table {
	const struct eval_job *job;
	enum eval_group by;
	const char **groups; /* names in order; the last, "all", is that of all pages */
	size_t n_groups;
	bool sites;             /* the index gives the sites of pages */
	struct eval_sums *sums; /* method after method, n_groups each */
};

/** Adds up. 0 or DANA_ENOMEM; eval_table_free in both cases. */
int eval_table_make(struct eval_table *t, const struct eval_job *job, enum eval_group by);
void eval_table_free(struct eval_table *t);
/** Sums of a method in a group. */
const struct eval_sums *eval_table_at(const struct eval_table *t, size_t method, size_t group);

/* All append: 0 or DANA_ENOMEM. */
int eval_print_table(const struct eval_table *t, struct buf *out);
int eval_print_tsv(const struct eval_table *t, struct buf *out);
int eval_print_json(const struct eval_table *t, struct buf *out);
/**
 * Rows and columns of the papers: F1 of methods by groups, best in bold there and with a star here; then MB/s. `tsv`:
 * fields between tabs, without stars.
 */
int eval_print_paper(const struct eval_table *t, bool tsv, struct buf *out);

#endif
