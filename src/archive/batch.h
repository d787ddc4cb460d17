/* SPDX-License-Identifier: MIT */
/*
 * A column of a table, in the layout of Arrow: values one after the other, where variable ones end, which rows are
 * null. A column grows by one value for each row, and is emptied when its memory is passed on. The values of lists and
 * structs are in columns of their own, its children. Offsets have 32 bits: a column holds less than 2 GiB. Failures
 * latch, as in a struct buf: add whole rows, then ask column_status. Not for concurrent use.
 *
 * A row of a list with two items, and a row of a struct:
 *
 *	column_add_text(&list->children[0], a), column_add_text(&list->children[0], b), column_end(list);
 *	column_add_text(&pair->children[0], a), column_add_integer(&pair->children[1], 5, true), column_end(pair);
 */
#ifndef DANA_ARCHIVE_ARROW_BATCH_H
#define DANA_ARCHIVE_ARROW_BATCH_H

#include "archive/document.h"
#include "base/buf.h"
#include "base/slice.h"
#include "base/status.h"
#include "dana/archive.h"
#include "dana/arrow_abi.h"

enum column_kind {
	COLUMN_TEXT,    /* utf8 */
	COLUMN_INTEGER, /* int64: engines on the JVM have no unsigned numbers */
	COLUMN_REAL,    /* float64 */
	COLUMN_BOOLEAN,
	COLUMN_LIST,   /* of any number of values of its one child */
	COLUMN_STRUCT, /* a value of each child */
};

/** What a column holds, what it is called, and whether its rows can be null; those of a struct cannot. */
struct column_type {
	const char *name;
	enum column_kind kind;
	bool nullable;
	const struct column_type *children;
	size_t n_children;
};

struct column {
	const struct column_type *type; /* borrowed */
	bool full;                      /* a value was refused because 2 GiB would be exceeded */
	int64_t rows, nulls;
	struct buf values;       /* bytes of texts; numbers; bits */
	struct buf ends;         /* TEXT: int32, of each text, after a first 0; LIST: the same in rows of the child */
	struct buf valid;        /* a bit for each row; empty: all rows before are valid */
	struct column *children; /* LIST, STRUCT: as many as the type has */
};

/** Makes an empty column. Returns 0, or DANA_ENOMEM, after which only column_free may be called. */
int column_init(struct column *c, const struct column_type *type);

/** Each adds one row. NULL data and a value that is not `known` are null. */
void column_add_text(struct column *c, struct slice text);

void column_add_integer(struct column *c, int64_t value, bool known);

void column_add_real(struct column *c, double value, bool known);

void column_add_boolean(struct column *c, bool value);

/** To a list of texts. `set`: bit `i` stands for the word that `word(i)` returns, of which there are `n`. */
void column_add_words(struct column *c, unsigned set, unsigned n, const char *(*word)(unsigned));

/** Not to a struct. */
void column_add_null(struct column *c);

/** Ends a row of a list, or of a struct, whose values are in its children. */
void column_end(struct column *c);

/** Returns 0, DANA_ENOMEM, or DANA_ELIMIT: more than 2 GiB. */
int column_status(const struct column *c);

/** Returns the bytes of its values and offsets, and of its children's. */
size_t column_bytes(const struct column *c);

/**
 * Passes the rows on to `out`, which owns their memory: it can be moved and released by itself, in any thread. The
 * column is empty then. Returns 0, or DANA_ENOMEM: then clear the column, some rows are lost.
 */
int column_export(struct column *c, struct ArrowArray *out);

/** Drops the rows; the column can be used again. */
void column_clear(struct column *c);

void column_free(struct column *c);

/* A column of bytes or texts that another program has made, in any of Arrow's layouts of them. */

struct input_column {
	const struct ArrowArray *array;
	bool is_text; /* utf8: characters, in no other charset */
	char layout;  /* 'z': offsets of 32 bits; 'Z': of 64; 'v': views */
};

/** Borrows both structs. Returns 0, or DANA_ECONFIG with a text in `err`: this column holds something else. */
int input_column_open(struct input_column *c, const struct ArrowSchema *schema, const struct ArrowArray *array,
		      struct error *err);

/** Returns row `i`, from 0; NULL data: null. */
struct slice input_column_row(const struct input_column *c, int64_t i);

/*
 * Columns of the same length: a batch of rows. Not for concurrent use.
 */

enum { BATCH_COLUMNS = 64 };

/** Zeroed: a batch without columns. Not to be moved once it has one. */
struct row_batch {
	size_t n;
	struct column_type type[BATCH_COLUMNS];
	struct column column[BATCH_COLUMNS];
};

/**
 * Adds a column, to a batch without rows that has fewer than BATCH_COLUMNS. Name and children of the type are borrowed
 * as long as the batch lives.
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
