/* SPDX-License-Identifier: MIT */
/*
 * Documents as rows of a table in the layout of Arrow (doc/FORMATS.md, "Arrow"), and columns of pages that another
 * program has made. Not for concurrent use.
 */
#ifndef DANA_ARCHIVE_BATCH_H
#define DANA_ARCHIVE_BATCH_H

#include "archive/document.h"
#include "base/slice.h"
#include "base/status.h"
#include "dana/archive.h"
#include "dana/arrow_abi.h"

enum { BATCH_COLUMNS = 64 };

/** What decides which columns there are. */
struct document_columns {
	bool of_pages;              /* of single pages: their fields, and why one cannot be read */
	unsigned with;              /* what is asked for: a set of 1 << enum field_condition */
	const char *const *methods; /* those after the first; borrowed as long as the batch lives, as is the next */
	size_t n_methods;
	const char *const *objects; /* the JSON objects that plugins may add */
	size_t n_objects;
};

struct document_batch;

struct document_batch *document_batch_new(const struct document_columns *columns);
/**
 * Adds a row. A page without `doc` cannot be read, for this reason; without both the row is null. Returns 0,
 * DANA_ENOMEM, or DANA_ELIMIT: a column would hold more than 2 GiB. With an error the row is not whole.
 */
int document_batch_add(struct document_batch *b, const struct document *doc, const char *reason);
int64_t document_batch_rows(const struct document_batch *b);
/** Returns the bytes of all values and offsets. */
size_t document_batch_bytes(const struct document_batch *b);
/**
 * Passes the rows on as an array of structs, which owns their memory. Each of its columns can be moved out of it and
 * released by itself, in any thread. The batch is empty then, also after an error.
 */
int document_batch_export(struct document_batch *b, struct ArrowArray *out);
/** Drops the rows; the batch can be used again. */
void document_batch_clear(struct document_batch *b);
/** Describes the columns. The schema owns its memory. */
int document_batch_schema(const struct document_batch *b, struct ArrowSchema *out);
void document_batch_free(struct document_batch *b);

/** A column of bytes or texts that another program has made, in any of Arrow's layouts of them. */
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

#endif
