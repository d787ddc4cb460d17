/* SPDX-License-Identifier: MIT */
/*
 * Columns of the same length: a batch of rows. Not for concurrent use.
 */
#ifndef DANA_ARCHIVE_ARROW_BATCH_H
#define DANA_ARCHIVE_ARROW_BATCH_H

#include "archive/column.h"
#include "archive/document.h"
#include "dana/archive.h"

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
/** Describes the columns. The schema owns its memory. */
int row_batch_schema(const struct row_batch *b, struct ArrowSchema *out);
void row_batch_free(struct row_batch *b);

/*
 * JSON values as rows of columns, by the type of the column: arrays are lists, objects structs. The JSON is the
 * library's own: it is valid, values have the kinds that the type says, numbers are not negative and have few digits.
 */

/** What the reading needs; begin with zeros. Not for concurrent use. */
struct json_column {
	struct json_reader *reader;
	struct buf characters; /* of a string with escapes */
};

int json_column_init(struct json_column *j);
/**
 * Adds a row. NULL data, and members that an object does not have, are null. Linear in the text. Returns 0 or
 * DANA_ENOMEM; failures of the column latch in it.
 */
int json_column_add(struct json_column *j, struct column *c, struct slice json);
void json_column_free(struct json_column *j);

/* The column `texts`: a struct with the text of each method after the first, under its name. */

/**
 * Fills the type of a column for `n` methods, whose names are borrowed. Returns 0, or DANA_ENOMEM; texts_column_free in
 * both cases.
 */
int texts_column_type(struct column_type *type, const char *const *methods, size_t n);
/** Adds a row; without `texts` null for each method. */
void texts_column_add(struct column *c, const struct dana_method_text *texts);
/** Zeroed allowed. */
void texts_column_free(struct column_type *type);

/* Which columns documents have (doc/FORMATS.md, "Arrow"), and how a document becomes a row of them. */

/** What decides which columns there are. */
struct document_columns {
	bool of_pages; /* of single pages: the texts alone, and why one cannot be read */
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
	struct column_type texts; /* zeroed: there is one method */
	bool of_pages;
	unsigned char field[BATCH_COLUMNS]; /* of the document, for each column */
};

struct document_batch *document_batch_new(const struct document_columns *columns);
/**
 * Adds a row. A page without `doc` cannot be read, for this reason; without both the row is null. Returns 0,
 * DANA_ENOMEM, or DANA_ELIMIT: a column would hold more than 2 GiB. With an error the row is not whole.
 */
int document_batch_add(struct document_batch *b, const struct document *doc, const char *reason);
void document_batch_free(struct document_batch *b);

#endif
