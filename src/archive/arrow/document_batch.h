/* SPDX-License-Identifier: MIT */
/* Which columns documents have (doc/FORMATS.md, "Arrow"), and how a document becomes a row of them. */
#ifndef DANA_ARROW_DOCUMENT_BATCH_H
#define DANA_ARROW_DOCUMENT_BATCH_H

#include "archive/arrow/row_batch.h"
#include "dana/archive.h"

/** What decides which columns there are. */
struct document_columns {
	bool language_score, markdown, html;
	const char *const *objects; /* the JSON objects that plugins may add; borrowed as long as the batch lives */
	size_t n_objects;
};

/** Begin with zeros. */
struct document_batch {
	struct row_batch batch;
	unsigned char field[BATCH_COLUMNS]; /* of the document, for each column */
};

void document_batch_init(struct document_batch *b, const struct document_columns *columns);
/** Adds a row. Ask row_batch_status whether it is there. */
void document_batch_add(struct document_batch *b, const struct dana_document *doc);

#endif
