/* SPDX-License-Identifier: MIT */
/*
 * Walks over the documents of inputs as when a list of rows was made from them, and finds those on the list. The ids of
 * dropped documents and the number of documents of each input show whether they are the same.
 */
#ifndef DANA_DEDUP_ROW_CURSOR_H
#define DANA_DEDUP_ROW_CURSOR_H

#include "dedup/rows.h"

struct row_cursor {
	const struct rows_file *rows;
	size_t part;  /* of the last document; SIZE_MAX: before the first */
	uint32_t row; /* number of the next document of that part */
	struct buf id;
};

static inline void row_cursor_begin(struct row_cursor *c, const struct rows_file *rows)
{
	*c = (struct row_cursor){ .rows = rows, .part = SIZE_MAX };
}

/**
 * Moves to the next document, which has this id, in input `file`. Returns 1 if it is on the list, with the reason in
 * *link until the next call; 0 if it is not; DANA_ECONFIG with a text if the list was made from other documents, or
 * another negative status.
 */
int row_cursor_next(struct row_cursor *c, struct slice file, struct slice id, struct row_link *link, struct error *err);
/** Must be called after the last document. Returns 0, or DANA_ECONFIG if documents are missing. */
int row_cursor_end(const struct row_cursor *c, struct error *err);
void row_cursor_free(struct row_cursor *c);

#endif
