/* SPDX-License-Identifier: MIT */
/* Columns of pages: Arrow in, Arrow out. */
#include <stdlib.h>

#include "archive/arrow/input_column.h"
#include "archive/arrow/page_batch.h"
#include "archive/library_private.h"
#include "archive/single_page.h"

static struct page_batch *new_batch(const struct dana_page_reader *p)
{
	size_t n;
	const char *const *methods = single_page_other_methods(p->page, &n);
	return page_batch_new(p->structure, methods, n);
}

int dana_page_column_schema(const struct dana_page_reader *p, struct ArrowSchema *schema)
{
	if (!p || !schema)
		return DANA_ESTATE;
	struct page_batch *b = new_batch(p);
	const int status = b ? row_batch_schema(&b->batch, schema) : DANA_ENOMEM;
	page_batch_free(b);
	return status;
}

static int need_batch(struct dana_page_reader *p)
{
	if (!p->batch)
		p->batch = new_batch(p);
	return p->batch ? DANA_OK : error_no_memory(&p->error);
}

/* Returns 0, or an error that ends the column. */
static int add_page(struct dana_page_reader *p, const struct dana_page_source *source, struct slice html)
{
	struct dana_document doc = { .struct_size = sizeof(doc) };
	p->error = (struct error){ 0 };
	const int status = html.data ? library_page(p, source, html, &doc) : DANA_OK;
	if (status < 0 && status != DANA_EFORMAT && status != DANA_ELIMIT)
		return status;
	const bool is_page = status == DANA_OK && html.data;
	const int added = page_batch_add(p->batch, is_page ? &doc : NULL, status < 0 ? p->error.text : NULL);
	if (added == DANA_ELIMIT)
		return error_set(&p->error, DANA_ELIMIT,
				 "the texts of a column would have more than 2 GiB; pass fewer pages at once");
	return added < 0 ? error_no_memory(&p->error) : DANA_OK;
}

static int read_column(struct dana_page_reader *p, const struct dana_page_source *source,
		       const struct ArrowSchema *schema, const struct ArrowArray *pages, struct ArrowArray *out)
{
	struct dana_page_source from = source ? *source : (struct dana_page_source){ .url = { NULL, 0 } };
	struct input_column column;
	int status = input_column_open(&column, schema, pages, &p->error);
	if (status == DANA_OK)
		status = need_batch(p);
	if (status == DANA_OK && column.is_text)
		from.charset = (struct dana_view){ "utf-8", 5 };
	for (int64_t i = 0; i < pages->length && status == DANA_OK; i++)
		status = add_page(p, &from, input_column_row(&column, i));
	if (status == DANA_OK)
		return row_batch_export(&p->batch->batch, out) < 0 ? error_no_memory(&p->error) : DANA_OK;
	if (p->batch)
		row_batch_clear(&p->batch->batch);
	return status;
}

int dana_page_column(struct dana_page_reader *p, const struct dana_page_source *source,
		     const struct ArrowSchema *schema, const struct ArrowArray *pages, struct ArrowArray *out)
{
	int status = library_page_enter(p);
	if (status < 0)
		return status;
	if (!schema || !schema->format || !pages || !out)
		status = error_set(&p->error, DANA_ESTATE,
				   "the pages, their schema or the place for the result is NULL");
	else
		status = read_column(p, source, schema, pages, out);
	return library_page_leave(p, status);
}
