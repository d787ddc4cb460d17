/* SPDX-License-Identifier: MIT */
/*
 * Columns of the same length: a batch of rows. Not for concurrent use.
 */
#ifndef DANA_ARROW_ROW_BATCH_H
#define DANA_ARROW_ROW_BATCH_H

#include "archive/arrow/column.h"

enum { BATCH_COLUMNS = 64 };

/** Zeroed: a batch without columns. Not to be moved once it has one. */
struct row_batch {
	size_t n;
	struct column_type type[BATCH_COLUMNS];
	struct column column[BATCH_COLUMNS];
};

/**
 * Adds a column, to a batch without rows that has fewer than BATCH_COLUMNS. Name and children of the type are borrowed
 * as long as the batch lives. Returns 0 or DANA_ENOMEM.
 */
int row_batch_add_column(struct row_batch *b, struct column_type type);
int64_t row_batch_rows(const struct row_batch *b);
size_t row_batch_bytes(const struct row_batch *b);
/** Returns 0, DANA_ENOMEM, or DANA_ELIMIT: a column would hold more than 2 GiB. */
int row_batch_status(const struct row_batch *b);
/**
 * Passes the rows on as an array of structs, which owns their memory. Each of its columns can be moved out of it and
 * released by itself; any thread may release. The batch is empty then. Returns 0 or DANA_ENOMEM, with the rows lost.
 */
int row_batch_export(struct row_batch *b, struct ArrowArray *out);
/** Drops the rows; the batch can be used again. */
void row_batch_clear(struct row_batch *b);
/** Describes the columns. The schema owns its memory. Returns 0 or DANA_ENOMEM. */
int row_batch_schema(const struct row_batch *b, struct ArrowSchema *out);
void row_batch_free(struct row_batch *b);

#endif
