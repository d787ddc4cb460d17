/* SPDX-License-Identifier: MIT */
/* Converts documents for callers of the library. */
#include <assert.h>

#include "archive/library_private.h"

#define SAME_BIT(identifier, word) \
	static_assert((int)DANA_##identifier == (int)PROBLEM_##identifier, "the sets of problems are the same");
PROBLEM_LIST(SAME_BIT)

static struct dana_view view_of(struct slice s)
{
	return (struct dana_view){ s.len ? (const char *)s.data : NULL, s.len };
}

const char *dana_problem_word(unsigned bit)
{
	return bit < PROBLEM_WORDS ? problem_word(bit) : NULL;
}

void library_fill(struct dana_document *to, const struct document *doc, const struct record *r,
		  const struct library_made *made)
{
	const size_t size = to->struct_size;
	const struct dana_document all = {
		.struct_size = size,
		.text = { doc->text.len ? (const char *)doc->text.data : "", doc->text.len },
		.id = view_of(r->record_id),
		.url = view_of(r->target_uri),
		.date = view_of(r->date),
		.title = doc->has_title ? (struct dana_view){ doc->title.len ? (const char *)doc->title.data : "",
							      doc->title.len }
					: (struct dana_view){ NULL, 0 },
		.language = view_of(doc->language),
		.content_type = view_of(doc->content_type),
		.html = view_of(doc->html),
		.additions = view_of(doc->additions),
		.charset = doc->charset,
		.method = doc->method,
		.file = doc->file,
		.http_status = doc->http_status,
		.language_score = doc->with_language ? doc->language_score : -1,
		.finds_language = doc->with_language,
		.offset = r->offset,
		.length = doc->length_known ? doc->length : UINT64_MAX,
		.html_bytes = doc->html_bytes,
		.text_chars = doc->text_chars,
		.problems = doc->problems,
		.blocks = doc->blocks,
		.n_blocks = doc->n_blocks,
		.media = doc->media,
		.n_media = doc->n_media,
		.markdown = doc->with_markdown && doc->markdown.data
				    ? (struct dana_view){ (const char *)doc->markdown.data, doc->markdown.len }
				    : (struct dana_view){ NULL, 0 },
		.made_id = !made              ? NULL
			   : r->record_id.len ? (const char *)r->record_id.data
					      : made->id,
		.created = !made              ? NULL
			   : made->created[0] ? made->created
					      : (const char *)r->date.data,
		.structure = doc->with_structure ? view_of(doc->structure) : (struct dana_view){ NULL, 0 },
		.page_kind = doc->page_kind,
		.texts = doc->texts,
		.n_texts = doc->n_texts,
	};
	memcpy(to, &all, size < sizeof(all) ? size : sizeof(all));
	if (size > sizeof(all))
		memset((char *)to + sizeof(all), 0, size - sizeof(all));
	to->struct_size = size;
}
