/* SPDX-License-Identifier: MIT */
#include "archive/arrow/row_batch.h"

#include <stdlib.h>

#include "base/status.h"

int row_batch_add_column(struct row_batch *b, struct column_type type)
{
	const size_t i = b->n++;
	b->type[i] = type;
	return column_init(&b->column[i], &b->type[i]);
}

int64_t row_batch_rows(const struct row_batch *b)
{
	return b->column[0].rows;
}

size_t row_batch_bytes(const struct row_batch *b)
{
	size_t bytes = 0;
	for (size_t i = 0; i < b->n; i++)
		bytes += column_bytes(&b->column[i]);
	return bytes;
}

int row_batch_status(const struct row_batch *b)
{
	int status = DANA_OK;
	for (size_t i = 0; i < b->n && status == DANA_OK; i++)
		status = column_status(&b->column[i]);
	return status;
}

void row_batch_clear(struct row_batch *b)
{
	for (size_t i = 0; i < b->n; i++)
		column_clear(&b->column[i]);
}

void row_batch_free(struct row_batch *b)
{
	for (size_t i = 0; i < b->n; i++)
		column_free(&b->column[i]);
}

/* ---- rows ---- */

/* The array of structs: it has no bytes of its own, but a place for the bits of nulls, which no row needs. */
struct table {
	const void *buffers[1];
	struct ArrowArray column[BATCH_COLUMNS], *columns[BATCH_COLUMNS];
};

/* A column that was moved out of the table has no release any more. */
static void release_table(struct ArrowArray *array)
{
	struct table *t = array->private_data;
	for (int64_t i = 0; i < array->n_children; i++) {
		if (t->column[i].release)
			t->column[i].release(&t->column[i]);
	}
	free(t);
	array->release = NULL;
}

int row_batch_export(struct row_batch *b, struct ArrowArray *out)
{
	struct table *t = calloc(1, sizeof(*t));
	const int64_t rows = row_batch_rows(b);
	int status = t ? DANA_OK : DANA_ENOMEM;
	for (size_t i = 0; i < b->n && status == DANA_OK; i++) {
		status = column_export(&b->column[i], &t->column[i]);
		t->columns[i] = &t->column[i];
	}
	struct ArrowArray all = { .length = rows,
				  .n_buffers = 1,
				  .n_children = (int64_t)b->n,
				  .buffers = t ? t->buffers : NULL,
				  .children = t ? t->columns : NULL,
				  .release = release_table,
				  .private_data = t };
	if (status == DANA_OK)
		*out = all;
	else if (t)
		release_table(&all);
	if (status < 0)
		row_batch_clear(b);
	return status;
}
