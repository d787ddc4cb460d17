/* SPDX-License-Identifier: MIT */
/* The columns of the texts of single pages (doc/FORMATS.md, "Arrow"). */
#ifndef DANA_ARROW_PAGE_BATCH_H
#define DANA_ARROW_PAGE_BATCH_H

#include "archive/arrow/row_batch.h"
#include "dana/archive.h"

/** Fills a zeroed batch with the columns. */
void page_batch_init(struct row_batch *b, bool markdown);
/**
 * Adds a row. `page` NULL: it cannot be read, for this reason; both NULL: a null. Ask row_batch_status whether it is
 * there.
 */
void page_batch_add(struct row_batch *b, const struct dana_document *page, const char *reason);

#endif
