/* SPDX-License-Identifier: MIT */
/* The columns of the texts of single pages (doc/FORMATS.md, "Arrow"). */
#ifndef DANA_ARROW_PAGE_BATCH_H
#define DANA_ARROW_PAGE_BATCH_H

#include "archive/arrow/json_column.h"
#include "archive/arrow/row_batch.h"
#include "dana/archive.h"

struct page_batch {
	struct row_batch batch;
	struct json_column blocks;
	unsigned structure;       /* as dana_options.structure */
	struct column_type texts; /* zeroed: there is one method */
};

/** `methods`: those after the first, borrowed as long as the batch lives. Returns NULL if memory is exhausted. */
struct page_batch *page_batch_new(unsigned structure, const char *const *methods, size_t n_methods);
/**
 * Adds a row. `page` NULL: it cannot be read, for this reason; both NULL: a null. Returns 0, DANA_ENOMEM, or
 * DANA_ELIMIT: a column would hold more than 2 GiB. With an error the row is not whole.
 */
int page_batch_add(struct page_batch *b, const struct dana_document *page, const char *reason);
/** NULL allowed. */
void page_batch_free(struct page_batch *b);

#endif
