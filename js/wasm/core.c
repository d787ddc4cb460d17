/* SPDX-License-Identifier: MIT */
/* libdana as the module core.wasm: pages in UTF-8. Memory and borrowing as in whole.c. */
#include <dana/dana.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "module.h"

EXPORT(extractor_new) struct dana_extractor *js_extractor_new(const char *method, const char *names)
{
	const char *options[LIST_MOST];
	const struct dana_options o = { .struct_size = sizeof(o),
					.method = method,
					.options = options,
					.n_options = list_of(names, options) };
	struct dana_extractor *x = NULL;
	last_status = dana_new(&x, &o);
	return last_status < 0 ? NULL : x;
}

EXPORT(extractor_free) void js_extractor_free(struct dana_extractor *x)
{
	dana_free(x);
}

EXPORT(status_text) const char *js_status_text(int status)
{
	return dana_status_text(status);
}

/** What a page has; `data` NULL: it has none. */
struct result {
	struct dana_view text, title, markdown, blocks, comments;
	const char *method, *kind;
	unsigned flags;
};

EXPORT(extractor_read)
int js_extractor_read(struct dana_extractor *x, const char *url, size_t url_len, const void *html, size_t len,
		      struct result *r)
{
	struct dana_text text = { 0 };
	memset(r, 0, sizeof(*r));
	dana_reset(x);
	int status = url ? dana_page_url(x, url, url_len) : 0;
	if (status == 0)
		status = dana_feed(x, html, len);
	if (status == 0)
		status = dana_finish(x, &text);
	if (status < 0)
		return status;
	r->text = (struct dana_view){ text.data ? text.data : "", text.len };
	if (text.flags & DANA_HAS_TITLE)
		r->title = (struct dana_view){ text.title ? text.title : "", text.title_len };
	r->method = text.method;
	r->flags = text.flags;
	r->kind = dana_page_kind(x);
	/* Each has a status of its own where it was not asked for. */
	(void)dana_markdown(x, &r->markdown);
	(void)dana_structure_json(x, &r->blocks);
	(void)dana_comments(x, &r->comments);
	return 0;
}
