/* SPDX-License-Identifier: MIT */
/* What `dana extract` writes: text as it is, or one JSON object. */
#include "archive/sink/text.h"

#include "archive/sink/document_json.h"
#include "base/status.h"

int text_page(const struct document *doc, bool markdown, struct buf *out)
{
	const struct slice text = markdown ? doc->markdown : doc->text;
	buf_append(out, text.data, text.len);
	if (text.len)
		buf_append_byte(out, '\n');
	return buf_status(out);
}

static void put_page(struct json_writer *o, const struct document *doc)
{
	json_text(o, "text", doc->text);
	document_json_title(o, doc);
	json_text_or_null(o, "charset", slice_from_text(doc->charset ? doc->charset : ""));
	json_text_or_null(o, "method", slice_from_text(doc->method ? doc->method : ""));
	json_count(o, "html_bytes", doc->html_bytes);
	json_count(o, "text_chars", doc->text_chars);
	document_json_texts(o, doc);
	document_json_problems(o, doc->problems);
	document_json_media(o, doc);
}

/* The same keys, of a page of which there is no text. */
static void put_no_page(struct json_writer *o)
{
	static const char *const unknown[] = { "text", "title", "charset", "method" };
	for (size_t i = 0; i < sizeof(unknown) / sizeof(*unknown); i++)
		json_text_or_null(o, unknown[i], slice_of(NULL, 0));
	json_count(o, "html_bytes", 0);
	json_count(o, "text_chars", 0);
	document_json_problems(o, 0);
}

static int end(struct json_writer *o)
{
	json_object_end(o);
	buf_append_byte(o->out, '\n');
	return buf_status(o->out);
}

int text_page_json(const struct document *doc, struct buf *out)
{
	struct json_writer o = { .out = out };
	json_object_begin(&o);
	if (doc->file)
		json_text(&o, "file", slice_from_text(doc->file));
	put_page(&o, doc);
	return end(&o);
}

int text_failure_json(const char *file, const char *reason, struct buf *out)
{
	struct json_writer o = { .out = out };
	json_object_begin(&o);
	json_text(&o, "file", slice_from_text(file));
	put_no_page(&o);
	json_text(&o, "reason", slice_from_text(reason));
	return end(&o);
}

int text_line_json(const struct document *doc, const char *reason, const struct text_line *line, struct buf *out)
{
	struct json_writer o = { .out = out };
	json_object_begin(&o);
	if (reason)
		put_no_page(&o);
	else
		put_page(&o, doc);
	json_text_or_null(&o, "url", line->url);
	json_raw(&o, "metadata", line->metadata.len ? line->metadata : slice_from_text("{}"));
	if (reason)
		json_text(&o, "reason", slice_from_text(reason));
	return end(&o);
}
