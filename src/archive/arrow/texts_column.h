/* SPDX-License-Identifier: MIT */
/* The column `texts`: a struct with the text of each method after the first, under its name. */
#ifndef DANA_ARROW_TEXTS_COLUMN_H
#define DANA_ARROW_TEXTS_COLUMN_H

#include "archive/arrow/column.h"
#include "dana/archive.h"

/**
 * Fills the type of a column for `n` methods, whose names are borrowed. Returns 0, or DANA_ENOMEM; texts_column_free in
 * both cases.
 */
int texts_column_type(struct column_type *type, const char *const *methods, size_t n);
/** Adds a row. `texts` NULL: null for each method. */
void texts_column_add(struct column *c, const struct dana_method_text *texts);
/** Zeroed allowed. */
void texts_column_free(struct column_type *type);

#endif
