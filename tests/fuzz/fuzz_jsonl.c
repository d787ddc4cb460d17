/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: JSONL documents. The first byte chooses the schema, the rest is a document (support/fuzzed_document.h).
 * Oracles: one line, well-formed UTF-8; where jansson is built in, it reads an object without doubled keys, whose texts
 * are those of the document, repaired one code point at a time.
 */
#include "config.h"

#include <stdlib.h>

#include "archive/sink/sink.h"
#include "base/utf8.h"
#include "support/fuzzed_document.h"
#include "support/repaired.h"
#include "support/split_feed.h"
#ifdef HAVE_JANSSON
#include <jansson.h>
#endif

#ifdef HAVE_JANSSON
static void member_is(const json_t *object, const char *key, struct slice text, bool null_when_empty)
{
	const json_t *value = json_object_get(object, key);
	struct buf wanted = { 0 };
	must(value != NULL);
	if (null_when_empty && text.len == 0) {
		must(json_is_null(value));
		return;
	}
	append_repaired(&wanted, text);
	must(json_is_string(value) &&
	     slice_equal(slice_of(json_string_value(value), json_string_length(value)), buf_slice(&wanted)));
	buf_free(&wanted);
}

static void reads_back(struct slice line, const struct document *doc, enum sink_schema schema)
{
	json_t *root = json_loadb((const char *)line.data, line.len, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, NULL);
	const json_t *rest = schema == SCHEMA_DANA ? root : json_object_get(root, "metadata");
	must(json_is_object(root) && json_is_object(rest));
	member_is(root, "text", doc->text, false);
	member_is(rest, "url", doc->record->target_uri, true);
	member_is(rest, "content_type", doc->content_type, true);
	member_is(rest, "file", slice_from_text(doc->file), false);
	if (doc->has_title)
		member_is(rest, "title", doc->title, false);
	if (doc->record->record_id.len)
		member_is(root, "id", doc->record->record_id, false);
	must((uint64_t)json_integer_value(json_object_get(rest, "offset")) == doc->record->offset);
	const json_t *media = json_object_get(rest, "media");
	must(json_array_size(media) == (doc->with_media ? doc->n_media : 0));
	if (json_array_size(media)) {
		member_is(json_array_get(media, 0), "url", slice_of(doc->media->url, doc->media->url_len), true);
		member_is(json_array_get(media, 0), "alt", slice_of(doc->media->alt, doc->media->alt_len), true);
	}
	json_decref(root);
}
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum { SCHEMAS = 3 };
	static const enum sink_schema schemas[SCHEMAS] = { SCHEMA_DANA, SCHEMA_DATATROVE, SCHEMA_DOLMA };
	static struct sink *sinks[SCHEMAS];
	static struct buf out;
	const struct sink_ops *ops = sink_find("jsonl");
	struct slice input = slice_of(data, size);
	struct fuzzed_document d;
	const size_t n = fuzzed_byte(&input) % SCHEMAS;
	if (!sinks[n])
		sinks[n] = ops->open(&(struct sink_config){ .schema = schemas[n] });
	must(sinks[n] != NULL);
	fuzzed_document(&d, &input, true);
	if (d.record.offset > INT64_MAX)
		d.record.offset >>= 1; /* jansson's numbers end there */
	buf_clear(&out);
	must(ops->document(sinks[n], &d.document, &out) == 0);
	must(utf8_valid_prefix(buf_slice(&out)) == out.len);
	for (size_t i = 0; i < out.len; i++)
		must(out.data[i] >= 0x20 ? out.data[i] != 0x7f : out.data[i] == '\n' && i + 1 == out.len);
	must(out.len && out.data[out.len - 1] == '\n');
#ifdef HAVE_JANSSON
	reads_back(buf_slice(&out), &d.document, schemas[n]);
#endif
	return 0;
}
