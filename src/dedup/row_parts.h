/* SPDX-License-Identifier: MIT */
/* Which inputs of a list of rows a sequence of documents is, where only their ids are known: WARC does not name the input. */
#ifndef DANA_DEDUP_ROW_PARTS_H
#define DANA_DEDUP_ROW_PARTS_H

#include "dedup/rows.h"

/**
 * Finds the parts that `n` documents are, one after the other as in the list; hashes[i] is the row_id_hash of document i. *first
 * is the first of them. 0; DANA_ECONFIG when there are none, or several with different rows to drop; or another negative status
 * with `err`.
 */
int row_parts_find(const struct rows_file *rows, const uint32_t *hashes, size_t n, size_t *first, struct error *err);

#endif
