/* SPDX-License-Identifier: MIT */
/*
 * Lines of JSON to a list of rows to drop (dedup/rows.h): for those who have joined signatures by a program of their
 * own. doc/DEDUP.md, "On many machines", says what the lines are.
 */
#ifndef DANA_RUN_ROWS_ROW_LIST_H
#define DANA_RUN_ROWS_ROW_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

/**
 * Reads the lines of `input` ("-": standard input; may be gzip or zstd) one by one, and writes the list. *dropped is
 * the number of its rows. 0; DANA_EFORMAT with the number of the line that is wrong; DANA_ECONFIG: `output` exists and
 * `force` is not set; DANA_EIO or DANA_ENOMEM.
 */
int row_list_make(const char *input, const char *output, bool force, uint64_t *dropped, struct error *err);

#endif
