/* SPDX-License-Identifier: MIT */
/*
 * One JSON object a line, in the layouts of doc/FORMATS.md, "JSONL document".
 */
#include "archive/stream/document.h"

#include "base/json_writer.h"
#include "dana/archive.h"
#include <stdlib.h>
#include "archive/sink/sink.h"
#include "archive/warc/date.h"
#include "base/status.h"

/** "title": null when the page has none. */
static void document_json_title(struct json_writer *w, const struct document *doc)
{
	if (doc->has_title)
		json_text(w, "title", doc->title);
	else
		json_text_or_null(w, "title", slice_of(NULL, 0));
}

/** "language", and "language_score" when a plugin finds languages. */
static void document_json_language(struct json_writer *w, const struct document *doc)
{
	json_text_or_null(w, "language", doc->language);
	if (!doc->with_language)
		return;
	if (doc->language_score >= 0)
		json_decimal(w, "language_score", doc->language_score, 4);
	else
		json_text_or_null(w, "language_score", slice_of(NULL, 0));
}

static void texts_of_methods(struct json_writer *w, const struct document *doc)
{
	json_key(w, "texts");
	json_object_begin(w);
	for (size_t i = 0; i < doc->n_texts; i++) {
		const struct dana_method_text *text = &doc->texts[i];
		json_name(w, slice_from_text(text->method));
		if (text->text.data)
			json_element(w, slice_of(text->text.data, text->text.len));
		else
			json_no_value(w);
	}
	json_object_end(w);
}

/** "markdown" and "blocks" where they are asked for; null if a plugin has changed the text. */
static void document_json_texts(struct json_writer *w, const struct document *doc)
{
	if (doc->with_markdown && doc->markdown.data)
		json_text(w, "markdown", doc->markdown);
	else if (doc->with_markdown)
		json_text_or_null(w, "markdown", slice_of(NULL, 0));
	if (doc->with_structure && doc->structure.data)
		json_raw(w, "blocks", doc->structure);
	else if (doc->with_structure)
		json_text_or_null(w, "blocks", slice_of(NULL, 0));
	if (doc->n_texts)
		texts_of_methods(w, doc);
}

/** "truncated" and "problems", the words in the order of enum document_problem. */
static void document_json_problems(struct json_writer *w, unsigned set)
{
	json_bool(w, "truncated", set & PROBLEM_TRUNCATED);
	json_key(w, "problems");
	json_array_begin(w);
	for (unsigned bit = 0; bit < PROBLEM_WORDS; bit++) {
		if (set >> bit & 1)
			json_element(w, slice_from_text(problem_word(bit)));
	}
	json_array_end(w);
}

/** "media" when the method lists any; nothing else. */
static void document_json_media(struct json_writer *w, const struct document *doc)
{
	if (!doc->with_media)
		return;
	json_key(w, "media");
	json_array_begin(w);
	for (size_t i = 0; i < doc->n_media; i++) {
		const struct dana_media *m = &doc->media[i];
		json_object_begin(w);
		json_text(w, "type", slice_from_text(m->type));
		json_text_or_null(w, "url", slice_of(m->url, m->url_len));
		json_count_or_null(w, "width", m->width != 0, m->width);
		json_count_or_null(w, "height", m->height != 0, m->height);
		json_text_or_null(w, "alt", slice_of(m->alt, m->alt_len));
		json_object_end(w);
	}
	json_array_end(w);
}

enum { BULK_ID_MOST = 512 }; /* bytes that an index takes */

struct jsonl_sink {
	struct sink base;
	enum sink_schema schema;
	const char *source; /* NULL: base name of the input */
};

/* All keys after `text` and `id`, in their order. */
static void metadata(struct json_writer *o, const struct document *doc)
{
	const struct record *rec = doc->record;
	json_text_or_null(o, "url", rec->target_uri);
	json_text_or_null(o, "date", rec->date);
	document_json_title(o, doc);
	document_json_language(o, doc);
	json_text_or_null(o, "page_kind", slice_from_text(doc->page_kind ? doc->page_kind : ""));
	json_text_or_null(o, "charset", slice_from_text(doc->charset ? doc->charset : ""));
	json_count_or_null(o, "http_status", doc->http_status > 0,
			   (uint64_t)(doc->http_status > 0 ? doc->http_status : 0));
	json_text_or_null(o, "content_type", doc->content_type);
	json_text_or_null(o, "method", slice_from_text(doc->method ? doc->method : ""));
	json_text(o, "file", slice_from_text(doc->file));
	json_count(o, "offset", rec->offset);
	json_count_or_null(o, "length", doc->length_known, doc->length);
	json_count(o, "html_bytes", doc->html_bytes);
	json_count(o, "text_chars", doc->text_chars);
	document_json_texts(o, doc);
	document_json_problems(o, doc->problems);
	document_json_media(o, doc);
	buf_append(o->out, doc->additions.data, doc->additions.len);
}

static void wrapped_metadata(struct json_writer *o, const struct document *doc, bool file_path)
{
	json_key(o, "metadata");
	json_object_begin(o);
	if (file_path) /* as datatrove's own readers call it */
		json_text(o, "file_path", slice_from_text(doc->file));
	metadata(o, doc);
	json_object_end(o);
}

/* Readers of these layouts want an id in every document. */
static void id_always(struct json_writer *o, const struct document *doc)
{
	char made[CONVERSION_ID + 1];
	if (doc->record->record_id.len) {
		json_text(o, "id", doc->record->record_id);
		return;
	}
	int status = conversion_id(doc, "", made);
	buf_latch(o->out, status);
	if (status == DANA_OK)
		json_text(o, "id", slice_from_text(made));
}

static void put_dana(struct json_writer *o, const struct document *doc)
{
	json_text(o, "text", doc->text);
	json_text_or_null(o, "id", doc->record->record_id);
	metadata(o, doc);
}

static void put_datatrove(struct json_writer *o, const struct document *doc)
{
	json_text(o, "text", doc->text);
	id_always(o, doc);
	wrapped_metadata(o, doc, true);
}

/* Readers want strings for dates: the source's date where it can be read, else what a conversion record would have. */
static void put_dolma(struct json_writer *o, const struct document *doc, const char *source)
{
	char made[WARC_DATE_MAX];
	struct slice date = doc->record->date;
	if (!warc_date_choose(date, doc->warcinfo_date, true, made))
		date = slice_from_text(made);
	id_always(o, doc);
	json_text(o, "text", doc->text);
	json_text(o, "source", source ? slice_from_text(source) : base_name(doc->file));
	json_text(o, "added", date);
	json_text(o, "created", date);
	wrapped_metadata(o, doc, false);
}

/*
 * The line before a document that says what an index is to do with it. The same run again overwrites its own documents,
 * because they have the same ids.
 */
static void put_action(struct json_writer *o, const struct document *doc)
{
	const struct slice id = doc->record->record_id;
	char made[CONVERSION_ID + 1];
	int status = DANA_OK;
	if (id.len == 0 || id.len > BULK_ID_MOST)
		status = conversion_id(doc, "", made);
	buf_latch(o->out, status);
	if (status < 0)
		return;
	json_object_begin(o);
	json_key(o, "index");
	json_object_begin(o);
	json_text(o, "_id", id.len && id.len <= BULK_ID_MOST ? id : slice_from_text(made));
	json_object_end(o);
	json_object_end(o);
	buf_append_byte(o->out, '\n');
	o->comma = false;
}

static int jsonl_document(const struct sink *s, struct document *doc, struct buf *out)
{
	struct json_writer o = { .out = out };
	char date[WARC_DATE_MAX];
	if (!warc_date_normalise(doc->record->date, true, date))
		doc->problems |= PROBLEM_BAD_DATE; /* the date itself is written as it stands */
	if (((const struct jsonl_sink *)s)->schema == SCHEMA_BULK)
		put_action(&o, doc);
	json_object_begin(&o);
	switch (((const struct jsonl_sink *)s)->schema) {
	case SCHEMA_DATATROVE:
		put_datatrove(&o, doc);
		break;
	case SCHEMA_DOLMA:
		put_dolma(&o, doc, ((const struct jsonl_sink *)s)->source);
		break;
	case SCHEMA_DANA:
	case SCHEMA_BULK:
	default:
		put_dana(&o, doc);
		break;
	}
	json_object_end(&o);
	buf_append_byte(out, '\n');
	return buf_status(out);
}

static struct sink *jsonl_open(const struct sink_config *config)
{
	struct jsonl_sink *s = calloc(1, sizeof(*s));
	if (!s)
		return NULL;
	s->base.ops = &sink_jsonl;
	s->schema = config->schema;
	s->source = config->source;
	return &s->base;
}

static void jsonl_close(struct sink *s)
{
	free(s);
}

const struct sink_ops sink_jsonl = {
	.name = "jsonl",
	.suffix = ".jsonl",
	.open = jsonl_open,
	.document = jsonl_document,
	.close = jsonl_close,
};

/* What `dana extract` writes: text as it is, or one JSON object. */

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
