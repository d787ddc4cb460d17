/* SPDX-License-Identifier: MIT */
/* Merges lists of rows of different inputs into one, in the order of the lists. */
#ifndef DANA_DEDUP_ROWS_MERGE_H
#define DANA_DEDUP_ROWS_MERGE_H

#include "dedup/rows.h"

/** Returns 0; DANA_ECONFIG, DANA_EFORMAT, DANA_EIO or DANA_ENOMEM with the text in `err`. */
int rows_files_merge(const char *const *paths, size_t n, const char *output, bool force, struct error *err);

#endif
