/* SPDX-License-Identifier: MIT */
/*
 * One JSON object a line, in the layouts of doc/FORMATS.md, "JSONL document".
 */
#include <stdlib.h>

#include "archive/document.h"
#include "archive/sink/sink.h"
#include "archive/warc/field.h"
#include "base/json.h"
#include "base/status.h"
#include "dana/archive.h"

enum { BULK_ID_MOST = 512 }; /* bytes that an index takes */

struct jsonl_sink {
	struct sink base;
	enum sink_schema schema;
	const char *source;                 /* without it the base name of the input */
	const struct chosen_fields *fields; /* NULL: all */
};

void json_field(struct json_writer *w, const struct document *doc, const struct document_field *field)
{
	enum { SCORE_DECIMALS = 4 };
	const struct field_value value = document_value(doc, field);
	switch (value.is) {
	case DANA_VALUE_NONE:
		break;
	case DANA_VALUE_NULL:
		json_text_or_null(w, field->name, slice_of(NULL, 0));
		break;
	case DANA_VALUE_TEXT:
		json_text(w, field->name, value.text);
		break;
	case DANA_VALUE_COUNT:
		json_count(w, field->name, value.count);
		break;
	case DANA_VALUE_REAL:
		json_decimal(w, field->name, value.real, SCORE_DECIMALS);
		break;
	case DANA_VALUE_BOOLEAN:
		json_bool(w, field->name, value.count);
		break;
	case DANA_VALUE_JSON:
		json_raw(w, field->name, value.text);
		break;
	case DANA_VALUE_MEMBER:
		json_key(w, field->name);
		if (field->kind == FIELD_TEXTS) {
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
		} else if (field->kind == FIELD_MEDIA) {
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
		} else {
			const unsigned set = doc->problems;
			json_array_begin(w);
			for (unsigned bit = 0; bit < PROBLEM_WORDS; bit++) {
				if (set >> bit & 1)
					json_element(w, slice_from_text(problem_word(bit)));
			}
			json_array_end(w);
		}
		break;
	}
}

/* All keys after `text` and `id`, in their order. */
static void metadata(struct json_writer *o, const struct document *doc)
{
	for (size_t i = FIELD_NUMBER_url; i < DOCUMENT_FIELD_COUNT; i++) {
		if (document_fields[i].outputs & TO_JSON)
			json_field(o, doc, &document_fields[i]);
	}
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

void document_check_date(struct document *doc)
{
	char date[WARC_DATE_MAX];
	if (!warc_date_normalise(doc->record->date, true, date))
		doc->problems |= PROBLEM_BAD_DATE;
}

static int jsonl_document(const struct sink *s, struct document *doc, struct buf *out)
{
	const struct chosen_fields *fields = ((const struct jsonl_sink *)s)->fields;
	struct json_writer o = { .out = out };
	char date[WARC_DATE_MAX];
	document_check_date(doc);
	if (((const struct jsonl_sink *)s)->schema == SCHEMA_BULK)
		put_action(&o, doc);
	if (fields)
		return chosen_json(fields, doc, NULL, out);
	json_object_begin(&o);
	switch (((const struct jsonl_sink *)s)->schema) {
	case SCHEMA_DATATROVE:
		json_text(&o, "text", doc->text);
		id_always(&o, doc);
		wrapped_metadata(&o, doc, true);
		break;
	case SCHEMA_DOLMA: {
		/* Readers want strings for dates: the source's date where it can be read, else what a conversion record
		 * would have. */
		const char *source = ((const struct jsonl_sink *)s)->source;
		struct slice added = doc->record->date;
		if (!warc_date_choose(added, doc->warcinfo_date, true, date))
			added = slice_from_text(date);
		id_always(&o, doc);
		json_text(&o, "text", doc->text);
		json_text(&o, "source", source ? slice_from_text(source) : base_name(doc->file));
		json_text(&o, "added", added);
		json_text(&o, "created", added);
		wrapped_metadata(&o, doc, false);
		break;
	}
	case SCHEMA_DANA:
	case SCHEMA_BULK:
	default:
		json_text(&o, "text", doc->text);
		json_text_or_null(&o, "id", doc->record->record_id);
		metadata(&o, doc);
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
	s->fields = config->fields;
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

/* The keys of a single page. Of a page that gave no text (NULL) the text is null, and nothing else is known. */
static void put_page(struct json_writer *o, const struct document *doc)
{
	const struct document unknown = { .record = NULL };
	if (doc)
		json_text(o, "text", doc->text);
	else
		json_text_or_null(o, "text", slice_of(NULL, 0));
	for (size_t i = FIELD_NUMBER_text + 1; i < DOCUMENT_FIELD_COUNT; i++) {
		const struct document_field *field = &document_fields[i];
		if (field->outputs & TO_JSON && document_field_of_page(field, doc && doc->with_language))
			json_field(o, doc ? doc : &unknown, field);
	}
}

static int end(struct json_writer *o)
{
	json_object_end(o);
	buf_append_byte(o->out, '\n');
	return buf_status(o->out);
}

int text_page_json(const struct document *doc, struct slice url, struct buf *out)
{
	struct json_writer o = { .out = out };
	json_object_begin(&o);
	if (doc->file)
		json_text(&o, "file", slice_from_text(doc->file));
	put_page(&o, doc);
	if (url.len)
		json_text(&o, "url", url);
	buf_append(out, doc->additions.data, doc->additions.len);
	return end(&o);
}

int text_failure_json(const char *file, const char *reason, struct buf *out)
{
	struct json_writer o = { .out = out };
	json_object_begin(&o);
	if (file)
		json_text(&o, "file", slice_from_text(file));
	put_page(&o, NULL);
	json_text(&o, "reason", slice_from_text(reason));
	return end(&o);
}

int text_line_json(const struct document *doc, const char *reason, const struct text_line *line, struct buf *out)
{
	struct json_writer o = { .out = out };
	json_object_begin(&o);
	put_page(&o, reason ? NULL : doc);
	json_text_or_null(&o, "url", line->url);
	json_raw(&o, "metadata", line->metadata.len ? line->metadata : slice_from_text("{}"));
	if (reason)
		json_text(&o, "reason", slice_from_text(reason));
	else
		buf_append(out, doc->additions.data, doc->additions.len);
	return end(&o);
}
