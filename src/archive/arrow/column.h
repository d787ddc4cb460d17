/* SPDX-License-Identifier: MIT */
/*
 * A column of a table, in the layout of Arrow: values one after the other, where variable ones end, which rows are
 * null. A column grows by one value for each row, and is emptied when its memory is passed on. Offsets have 32 bits: a
 * column holds less than 2 GiB. Failures latch, as in a struct buf: add whole rows, then ask column_status. Not for
 * concurrent use.
 */
#ifndef DANA_ARROW_COLUMN_H
#define DANA_ARROW_COLUMN_H

#include "base/buf.h"
#include "dana/arrow_abi.h"

enum column_kind {
	COLUMN_TEXT,    /* utf8 */
	COLUMN_INTEGER, /* int64: engines on the JVM have no unsigned numbers */
	COLUMN_REAL,    /* float64 */
	COLUMN_BOOLEAN,
	COLUMN_WORDS /* list of utf8, of which none is null */
};

struct column {
	enum column_kind kind;
	bool full; /* a value was refused because 2 GiB would be exceeded */
	int64_t rows, nulls;
	struct buf values; /* bytes of texts; numbers; bits */
	struct buf ends;   /* TEXT: int32, of each text, after a first 0; WORDS: the same in the list of words */
	struct buf valid;  /* a bit for each row; empty: all rows before are valid */
	struct buf words;  /* WORDS: int32, where each word ends in `values`, after a first 0 */
};

/** Each adds one row. NULL data and a value that is not `known` are null. */
void column_add_text(struct column *c, struct slice text);
void column_add_integer(struct column *c, int64_t value, bool known);
void column_add_real(struct column *c, double value, bool known);
void column_add_boolean(struct column *c, bool value);
/** `set`: bit `i` stands for the word that `word(i)` returns, of which there are `n`. */
void column_add_words(struct column *c, unsigned set, unsigned n, const char *(*word)(unsigned));
void column_add_null(struct column *c);

/** Returns 0, DANA_ENOMEM, or DANA_ELIMIT: more than 2 GiB. */
int column_status(const struct column *c);
/** Returns the bytes of its values and offsets. */
size_t column_bytes(const struct column *c);
/**
 * Passes the rows on to `out`, which owns their memory: it can be moved and released by itself, in any thread. The
 * column is empty then. Returns 0 or DANA_ENOMEM, with the column as it was.
 */
int column_export(struct column *c, struct ArrowArray *out);
/** Drops the rows; the column can be used again. */
void column_clear(struct column *c);
void column_free(struct column *c);

#endif
