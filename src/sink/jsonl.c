/* One JSON object a line, in three layouts (interface.md 1.3). */
#include <stdlib.h>

#include "base/status.h"
#include "extract/dana.h"
#include "sink/conversion_id.h"
#include "sink/formats.h"
#include "sink/json_escape.h"

struct jsonl_sink {
	struct sink base;
	enum sink_schema schema;
};

/* An object under way: status latches, so that fields can be written one after the other. */
struct object {
	struct buf *out;
	int status;
	bool first;
};

static void put_raw(struct object *o, const char *text)
{
	if (o->status == DANA_OK)
		o->status = buf_append_text(o->out, text);
}

static void key(struct object *o, const char *name)
{
	put_raw(o, o->first ? "\"" : ",\"");
	put_raw(o, name);
	put_raw(o, "\":");
	o->first = false;
}

static void text(struct object *o, const char *name, struct slice value)
{
	key(o, name);
	if (o->status == DANA_OK)
		o->status = json_put_string(o->out, value);
}

static void text_or_null(struct object *o, const char *name, struct slice value)
{
	key(o, name);
	if (o->status == DANA_OK)
		o->status = json_put_string_or_null(o->out, value);
}

static void number(struct object *o, const char *name, uint64_t value)
{
	key(o, name);
	if (o->status == DANA_OK)
		o->status = json_put_number(o->out, value);
}

static void number_or_null(struct object *o, const char *name, bool known, uint64_t value)
{
	if (known) {
		number(o, name, value);
	} else {
		key(o, name);
		put_raw(o, "null");
	}
}

static void open_object(struct object *o)
{
	put_raw(o, "{");
	o->first = true;
}

static void close_object(struct object *o)
{
	put_raw(o, "}");
	o->first = false;
}

static void problems(struct object *o, unsigned set)
{
	bool any = false;
	key(o, "problems");
	put_raw(o, "[");
	for (unsigned bit = 0; bit < PROBLEM_WORDS; bit++) {
		if (!(set >> bit & 1))
			continue;
		put_raw(o, any ? ",\"" : "\"");
		put_raw(o, problem_word(bit));
		put_raw(o, "\"");
		any = true;
	}
	put_raw(o, "]");
}

static void media(struct object *o, const struct document *doc)
{
	key(o, "media");
	put_raw(o, "[");
	for (size_t i = 0; i < doc->n_media; i++) {
		const struct dana_media *m = &doc->media[i];
		put_raw(o, i ? "," : "");
		open_object(o);
		text(o, "type", slice_from_text(m->type));
		text_or_null(o, "url", slice_of(m->url, m->url_len));
		number_or_null(o, "width", m->width != 0, m->width);
		number_or_null(o, "height", m->height != 0, m->height);
		text_or_null(o, "alt", slice_of(m->alt, m->alt_len));
		close_object(o);
	}
	put_raw(o, "]");
}

/* All keys behind `text` and `id`, in their order. */
static void metadata(struct object *o, const struct document *doc)
{
	const struct record *rec = doc->record;
	text_or_null(o, "url", rec->target_uri);
	text_or_null(o, "date", rec->date);
	key(o, "title");
	if (doc->has_title && o->status == DANA_OK)
		o->status = json_put_string(o->out, doc->title);
	else
		put_raw(o, "null");
	text_or_null(o, "language", doc->language);
	text_or_null(o, "charset", slice_from_text(doc->charset ? doc->charset : ""));
	number_or_null(o, "http_status", doc->http_status > 0, (uint64_t)(doc->http_status > 0 ? doc->http_status : 0));
	text_or_null(o, "content_type", doc->content_type);
	text_or_null(o, "method", slice_from_text(doc->method ? doc->method : ""));
	text(o, "file", slice_from_text(doc->file));
	number(o, "offset", rec->offset);
	number_or_null(o, "length", doc->length_known, doc->length);
	number(o, "html_bytes", doc->html_bytes);
	number(o, "text_chars", doc->text_chars);
	key(o, "truncated");
	put_raw(o, doc->problems & PROBLEM_TRUNCATED ? "true" : "false");
	problems(o, doc->problems);
	if (doc->with_media)
		media(o, doc);
}

static void wrapped_metadata(struct object *o, const struct document *doc)
{
	key(o, "metadata");
	open_object(o);
	metadata(o, doc);
	close_object(o);
}

/* Readers of these two layouts want an id in every document. */
static void id_always(struct object *o, const struct document *doc)
{
	char made[CONVERSION_ID + 1];
	if (doc->record->record_id.len) {
		text(o, "id", doc->record->record_id);
		return;
	}
	if (o->status == DANA_OK)
		o->status = conversion_id(doc, made);
	if (o->status == DANA_OK)
		text(o, "id", slice_from_text(made));
}

static void put_dana(struct object *o, const struct document *doc)
{
	text(o, "text", doc->text);
	text_or_null(o, "id", doc->record->record_id);
	metadata(o, doc);
}

static void put_datatrove(struct object *o, const struct document *doc)
{
	text(o, "text", doc->text);
	id_always(o, doc);
	wrapped_metadata(o, doc);
}

static void put_dolma(struct object *o, const struct document *doc)
{
	id_always(o, doc);
	text(o, "text", doc->text);
	text(o, "source", base_name(doc->file));
	text_or_null(o, "added", doc->record->date);
	text_or_null(o, "created", doc->record->date);
	wrapped_metadata(o, doc);
}

static int jsonl_document(const struct sink *s, struct document *doc, struct buf *out)
{
	struct object o = { .out = out };
	open_object(&o);
	switch (((const struct jsonl_sink *)s)->schema) {
	case SCHEMA_DATATROVE: put_datatrove(&o, doc); break;
	case SCHEMA_DOLMA: put_dolma(&o, doc); break;
	case SCHEMA_DANA:
	default: put_dana(&o, doc); break;
	}
	close_object(&o);
	put_raw(&o, "\n");
	return o.status;
}

static struct sink *jsonl_open(const struct sink_config *config)
{
	struct jsonl_sink *s = calloc(1, sizeof *s);
	if (!s)
		return NULL;
	s->base.ops = &sink_jsonl;
	s->schema = config->schema;
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
