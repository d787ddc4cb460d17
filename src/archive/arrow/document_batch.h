/* SPDX-License-Identifier: MIT */
/* Which columns documents have (doc/FORMATS.md, "Arrow"), and how a document becomes a row of them. */
#ifndef DANA_ARROW_DOCUMENT_BATCH_H
#define DANA_ARROW_DOCUMENT_BATCH_H

#include "archive/arrow/json_column.h"
#include "archive/arrow/row_batch.h"
#include "dana/archive.h"

/** What decides which columns there are. */
struct document_columns {
	bool language_score, html;
	unsigned structure;         /* as dana_options.structure */
	const char *const *methods; /* those after the first; borrowed, as is the next */
	size_t n_methods;
	const char *const *objects; /* the JSON objects that plugins may add; borrowed as long as the batch lives */
	size_t n_objects;
};

struct document_batch {
	struct row_batch batch;
	struct json_column blocks;
	struct column_type texts;           /* zeroed: there is one method */
	unsigned char field[BATCH_COLUMNS]; /* of the document, for each column */
};

/** Returns NULL if memory is exhausted. */
struct document_batch *document_batch_new(const struct document_columns *columns);
/**
 * Adds a row. Returns 0, DANA_ENOMEM, or DANA_ELIMIT: a column would hold more than 2 GiB. With an error the row is not
 * whole.
 */
int document_batch_add(struct document_batch *b, const struct dana_document *doc);
/** NULL allowed. */
void document_batch_free(struct document_batch *b);

#endif
