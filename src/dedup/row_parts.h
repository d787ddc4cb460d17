/* SPDX-License-Identifier: MIT */
/*
 * Finds the inputs of a sequence of documents in a list of rows by their ids alone: WARC output does not name the
 * input.
 */
#ifndef DANA_DEDUP_ROW_PARTS_H
#define DANA_DEDUP_ROW_PARTS_H

#include "dedup/rows.h"

/**
 * Finds the adjacent parts of the list that consist of these `n` documents; hashes[i] is the row_id_hash of document i.
 * *first is the first of these parts. Returns 0; DANA_ECONFIG if no parts match, or several with different rows to
 * drop; or another negative status with `err` set.
 */
int row_parts_find(const struct rows_file *rows, const uint32_t *hashes, size_t n, size_t *first, struct error *err);

#endif
