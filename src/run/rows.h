/* SPDX-License-Identifier: MIT */
/* `dana dedup apply` and `dana dedup rows`: documents that are passed on, and which. */
#ifndef DANA_RUN_ROWS_H
#define DANA_RUN_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* The work of `dana dedup apply`. */

struct apply_settings {
	const char *const *inputs;
	size_t n;
	const char *output, *rows;
	bool force, rejects;
};

struct apply_counts {
	uint64_t documents, dropped;
};

/**
 * Writes the documents of the inputs without the rows of the list. Returns 0, or a negative status with its text in
 * `err`.
 */
int apply_run(const struct apply_settings *s, struct apply_counts *counts, struct error *err);

/*
 * Lines of JSON to a list of rows to drop (dedup/rows.h): for those who have joined signatures by a program of their
 * own. doc/DEDUP.md, "On many machines", describes the lines.
 */

/**
 * Reads the lines of `input` ("-": standard input; may be gzip or zstd) one by one, and writes the list. *dropped is
 * the number of its rows. 0; DANA_EFORMAT with the number of the line that is wrong; DANA_ECONFIG: `output` exists and
 * `force` is not set; DANA_EIO or DANA_ENOMEM.
 */
int row_list_make(const char *input, const char *output, bool force, uint64_t *dropped, struct error *err);

#endif
