/* SPDX-License-Identifier: MIT */
/*
 * Reads single pages, without an archive.
 */
#include <stdlib.h>

#include "archive/batch.h"
#include "archive/column.h"
#include "archive/library_private.h"
#include "archive/not_a_page.h"
#include "archive/single_page.h"
#include "base/file.h"

int dana_page_reader_new(struct dana_page_reader **out, const struct dana_page_options *options)
{
	struct dana_page_options o = { 0 };
	if (!out)
		return DANA_ESTATE;
	struct dana_page_reader *p = calloc(1, sizeof(*p));
	*out = NULL;
	if (!p)
		return DANA_ENOMEM;
	if (options)
		memcpy(&o, options, options->struct_size < sizeof(o) ? options->struct_size : sizeof(o));
	const struct single_page_config config = { .method = o.method ? o.method : DANA_DEFAULT_METHOD,
						   .read_file = o.read_file ? o.read_file : whole_file_read,
						   .read_arg = o.read_arg,
						   .texts = { .structure = o.structure,
							      .markdown = o.markdown,
							      .others = o.more_methods,
							      .n_others = o.n_more_methods } };
	int status =
		library_has_texts(o.more_methods, o.n_more_methods) ? single_page_new(&p->page, &config) : DANA_ECONFIG;
	if (status < 0) {
		free(p);
		return status;
	}
	p->structure = o.structure;
	*out = p;
	return DANA_OK;
}

static struct slice slice_of_view(struct dana_view v)
{
	return slice_of(v.data, v.data ? v.len : 0);
}

bool library_has_texts(const char *const *texts, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!texts || !texts[i])
			return false;
	}
	return true;
}

/** As enter and leave of library.c; the error of the call before is forgotten. */
static int enter(struct dana_page_reader *p)
{
	if (!p)
		return DANA_ESTATE;
	if (p->within)
		return error_set(&p->error, DANA_ESTATE,
				 "a function of the caller's used the reader that had called it");
	p->within = true;
	p->error = (struct error){ 0 };
	return DANA_OK;
}

static int leave(struct dana_page_reader *p, int status)
{
	p->within = false;
	if (!p->dropped)
		return status;
	dana_page_reader_free(p);
	return DANA_ESTATE;
}

/* As dana_page_read, within another call. The document is borrowed until the next page. */
static int read_page(struct dana_page_reader *p, const struct dana_page_source *source, struct slice html,
		     struct document *doc, struct record *named)
{
	struct single_page_source from = { 0 };
	if (source) {
		from.url = slice_of_view(source->url);
		from.charset = slice_of_view(source->charset);
		from.content_type = slice_of_view(source->content_type);
	}
	p->error = (struct error){ 0 };
	int status = single_page_read(p->page, &from, html, doc, &p->error);
	if (p->dropped || p->error.status == DANA_ESTATE)
		return DANA_ESTATE;
	if (status < 0)
		return single_page_fault(status, &p->error);
	*named = (struct record){ .target_uri = from.url };
	doc->content_type = from.content_type;
	doc->record = named;
	return DANA_OK;
}

int dana_page_read(struct dana_page_reader *p, const struct dana_page_source *source, const void *html, size_t len,
		   struct dana_document *document)
{
	struct document doc;
	struct record named;
	int status = enter(p);
	if (status < 0)
		return status;
	if (!document || (!html && len))
		status = error_set(&p->error, DANA_ESTATE, "the page, or the place for the result, is NULL");
	else
		status = read_page(p, source, slice_of(html, len), &doc, &named);
	if (status == DANA_OK)
		library_fill(document, &doc, &named, NULL);
	return leave(p, status);
}

const char *dana_page_error(const struct dana_page_reader *p)
{
	return p ? p->error.text : "";
}

void dana_page_reader_free(struct dana_page_reader *p)
{
	if (!p)
		return;
	if (p->within) {
		p->dropped = true;
		return;
	}
	single_page_free(p->page);
	document_batch_free(p->batch);
	free(p);
}

/* Columns of pages: Arrow in, Arrow out. */

static struct document_batch *new_batch(const struct dana_page_reader *p)
{
	struct document_columns columns = { .of_pages = true, .structure = p->structure };
	columns.methods = single_page_other_methods(p->page, &columns.n_methods);
	return document_batch_new(&columns);
}

int dana_page_column_schema(const struct dana_page_reader *p, struct ArrowSchema *schema)
{
	if (!p || !schema)
		return DANA_ESTATE;
	struct document_batch *b = new_batch(p);
	const int status = b ? row_batch_schema(&b->batch, schema) : DANA_ENOMEM;
	document_batch_free(b);
	return status;
}

static int need_batch(struct dana_page_reader *p)
{
	if (!p->batch)
		p->batch = new_batch(p);
	return p->batch ? DANA_OK : error_no_memory(&p->error);
}

/* As read_page. A text that is the name of a page is none. */
static int read_row(struct dana_page_reader *p, const struct dana_page_source *source, struct slice html, bool is_text,
		    struct document *doc, struct record *named)
{
	const char *name = is_text ? name_of_a_page(html) : NULL;
	return name ? error_set(&p->error, DANA_EFORMAT, "%s", name) : read_page(p, source, html, doc, named);
}

/* Returns 0, or an error that ends the column. */
static int add_page(struct dana_page_reader *p, const struct dana_page_source *source, struct slice html, bool is_text)
{
	struct document doc;
	struct record named;
	p->error = (struct error){ 0 };
	const int status = html.data ? read_row(p, source, html, is_text, &doc, &named) : DANA_OK;
	if (status < 0 && status != DANA_EFORMAT && status != DANA_ELIMIT)
		return status;
	const bool is_page = status == DANA_OK && html.data;
	const int added = document_batch_add(p->batch, is_page ? &doc : NULL, status < 0 ? p->error.text : NULL);
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
		status = add_page(p, &from, input_column_row(&column, i), column.is_text);
	if (status == DANA_OK)
		return row_batch_export(&p->batch->batch, out) < 0 ? error_no_memory(&p->error) : DANA_OK;
	if (p->batch)
		row_batch_clear(&p->batch->batch);
	return status;
}

int dana_page_column(struct dana_page_reader *p, const struct dana_page_source *source,
		     const struct ArrowSchema *schema, const struct ArrowArray *pages, struct ArrowArray *out)
{
	int status = enter(p);
	if (status < 0)
		return status;
	if (!schema || !schema->format || !pages || !out)
		status = error_set(&p->error, DANA_ESTATE,
				   "the pages, their schema or the place for the result is NULL");
	else
		status = read_column(p, source, schema, pages, out);
	return leave(p, status);
}
