/* SPDX-License-Identifier: MIT */
/* One JSON object a line, in the layouts of doc/FORMATS.md, "JSONL document". */
#include <stdlib.h>

#include "archive/sink/conversion_id.h"
#include "archive/sink/document_json.h"
#include "archive/sink/formats.h"
#include "archive/warc/date.h"
#include "base/status.h"

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
