/* SPDX-License-Identifier: MIT */
/* Reads single pages, without an archive. */
#include <stdlib.h>

#include "archive/library_private.h"
#include "archive/single_page.h"
#include "base/file/whole_file.h"

int dana_page_reader_new(struct dana_page_reader **out, const struct dana_page_options *options)
{
	struct dana_page_options o = { 0 };
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
	int status = single_page_new(&p->page, &config);
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

int dana_page_read(struct dana_page_reader *p, const struct dana_page_source *source, const void *html, size_t len,
		   struct dana_document *document)
{
	struct single_page_source from = { 0 };
	struct document doc;
	if (source) {
		from.url = slice_of_view(source->url);
		from.charset = slice_of_view(source->charset);
		from.content_type = slice_of_view(source->content_type);
	}
	p->error = (struct error){ 0 };
	int status = single_page_read(p->page, &from, slice_of(html, len), &doc, &p->error);
	if (status < 0)
		return single_page_fault(status, &p->error);
	const struct record named = { .target_uri = from.url };
	doc.content_type = from.content_type;
	library_fill(document, &doc, &named, NULL);
	return DANA_OK;
}

const char *dana_page_error(const struct dana_page_reader *p)
{
	return p->error.text;
}

void dana_page_reader_free(struct dana_page_reader *p)
{
	if (!p)
		return;
	single_page_free(p->page);
	page_batch_free(p->batch);
	free(p);
}
