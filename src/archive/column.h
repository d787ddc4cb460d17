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
#ifndef DANA_ARROW_COLUMN_H
#define DANA_ARROW_COLUMN_H

#include "base/buf.h"
#include "base/slice.h"
#include "base/status.h"
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

#endif
