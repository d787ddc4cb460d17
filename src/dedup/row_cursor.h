/* SPDX-License-Identifier: MIT */
/*
 * Goes along the documents of inputs as a list of rows was made of them, and tells which are on the list. That they are
 * the same documents is seen by the ids of those that are dropped, and by how many each input has.
 */
#ifndef DANA_DEDUP_ROW_CURSOR_H
#define DANA_DEDUP_ROW_CURSOR_H

#include "dedup/rows.h"

struct row_cursor {
	const struct rows_file *rows;
	size_t part;  /* that the last document was of; SIZE_MAX: none */
	uint32_t row; /* the next one of that part */
	struct buf id;
};

static inline void row_cursor_begin(struct row_cursor *c, const struct rows_file *rows)
{
	*c = (struct row_cursor){ .rows = rows, .part = SIZE_MAX };
}

/**
 * The next document: of input `file`, with this id. 1: it is on the list, and *link tells why (until the next call); 0:
 * it is not; DANA_ECONFIG with a text when the list was made of other documents, or another negative status.
 */
int row_cursor_next(struct row_cursor *c, struct slice file, struct slice id, struct row_link *link, struct error *err);
/** After the last document. 0 or DANA_ECONFIG. */
int row_cursor_end(const struct row_cursor *c, struct error *err);
void row_cursor_free(struct row_cursor *c);

#endif
