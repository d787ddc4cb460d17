/* SPDX-License-Identifier: MIT */
/*
 * Chosen fields: what --fields names, as the members of an object or as a row of a table; and the tables, CSV and TSV
 * (RFC 4180: a header line, fields in quotes where they need them, whose quotes are doubled). A name is that of a field
 * of documents; of what a plugin adds: "quality", "quality.words"; or short for a fact of the plugin metadata, where no
 * field is called so: "author" is "metadata.author".
 *
 * In a table null is nothing, an empty text "", and what is neither text nor number the JSON that it is elsewhere.
 */
#include <stdio.h>
#include <stdlib.h>

#include "archive/document.h"
#include "archive/plugin/plugins.h"
#include "archive/sink/sink.h"
#include "base/ascii.h"
#include "base/diagnostics.h"
#include "base/json.h"
#include "base/utf8.h"
#include "extract/structure/head.h"

/* What chosen_field.number is beside the number of a field. */
enum { ADDED = -1, REASON = -2 };

enum { SHOWN = 64 };

static const char metadata[] = "metadata";

/* ---- which ---- */

/* Returns what must be asked for so that documents have it; NULL: nothing. */
static const char *remedy(const struct document_field *field, const struct chosen_from *from)
{
	static const char *const remedies[] = {
		[WITH_LANGUAGE] = "--plugin language",   [WITH_MARKDOWN] = "--text plain,markdown",
		[WITH_BLOCKS] = "--text plain,blocks",   [WITH_COMMENTS] = "--comments apart",
		[WITH_TEXTS] = "more than one --method", [WITH_MEDIA] = "--method wlr-media",
		[WITH_RESOLVED] = "--revisits resolve",
	};
	return field->condition == WITH_ALL || from->with >> field->condition & 1 ? NULL : remedies[field->condition];
}

/* Of pages also what is known of each besides its fields: whence it came. */
static bool is_field(const struct document_field *field, const struct chosen_from *from)
{
	const size_t number = (size_t)(field - document_fields);
	return field->outputs & TO_JSON &&
	       (!from->of_pages || number == FIELD_NUMBER_file || number == FIELD_NUMBER_url ||
		document_field_of_page(field, from->with >> WITH_LANGUAGE & 1));
}

static bool is_added(struct slice object, const struct chosen_from *from)
{
	const char *name;
	for (size_t i = 0; from->plugins && (name = plugins_object(from->plugins, i)); i++) {
		if (slice_is(object, name))
			return true;
	}
	return from->has_metadata && slice_is(object, metadata);
}

/* Returns whether it is a fact that the plugin metadata finds, in the words of its object. */
static bool is_fact(struct slice name)
{
#define KEY(number, key, found) found,
	static const char *const keys[] = { HEAD_FACTS(KEY) "image" };
#undef KEY
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		if (keys[i] && slice_is(name, keys[i]))
			return true;
	}
	return false;
}

static int refuse(struct slice name, const struct chosen_from *from, struct error *err)
{
	char shown[SHOWN], best[SHOWN];
	struct near_name near = near_name_of(name);
	for (size_t i = 0; i < DOCUMENT_FIELD_COUNT; i++) {
		if (is_field(&document_fields[i], from))
			near_name_offer(&near, document_fields[i].name);
	}
	const bool is_near = near.best.len > 0;
	return error_set(err, DANA_ECONFIG,
			 "--fields: '%s' is unknown; expected a field of JSON, PLUGIN or PLUGIN.KEY%s%s%s",
			 printable(name, shown, sizeof(shown)), is_near ? "; did you mean " : "",
			 printable(near.best, best, sizeof(best)), is_near ? "?" : "");
}

static int choose(struct chosen_fields *c, struct slice name, const struct chosen_from *from, struct error *err)
{
	struct chosen_field chosen = { .name = name, .number = ADDED };
	char shown[SHOWN];
	for (unsigned i = 0; i < c->n; i++) {
		if (slice_equal(c->at[i].name, name))
			return error_set(err, DANA_ECONFIG, "--fields: %s is given twice",
					 printable(name, shown, sizeof(shown)));
	}
	if (c->n == CHOSEN_MOST)
		return error_set(err, DANA_ECONFIG, "--fields: more than %d fields", CHOSEN_MOST);
	const struct slice object = slice_first(name, slice_until(name, "."));
	const char *lacks = NULL;
	for (int i = 0; i < DOCUMENT_FIELD_COUNT && chosen.number == ADDED; i++) {
		if (!slice_is(name, document_fields[i].name) || !is_field(&document_fields[i], from))
			continue;
		chosen.number = i;
		lacks = remedy(&document_fields[i], from);
	}
	if (chosen.number == ADDED && from->of_pages && slice_is(name, "reason"))
		chosen.number = REASON;
	if (chosen.number == ADDED && !is_added(object, from)) {
		if (!is_fact(name) && !slice_is(object, metadata))
			return refuse(name, from, err);
		lacks = is_added(slice_from_text(metadata), from) ? NULL : "--plugin metadata";
	}
	if (lacks)
		return error_set(err, DANA_ECONFIG, "--fields: documents have %s only with %s; give that, too",
				 printable(name, shown, sizeof(shown)), lacks);
	c->at[c->n++] = chosen;
	return DANA_OK;
}

int chosen_fields_read(struct chosen_fields *c, const char *list, const struct chosen_from *from, struct error *err)
{
	int status = DANA_OK;
	c->n = 0;
	if (list) {
		for (struct slice rest = slice_from_text(list); rest.len && status == DANA_OK;) {
			const struct slice name = slice_first(rest, slice_until(rest, ","));
			status = choose(c, name, from, err);
			rest = slice_skip(rest, name.len + 1);
		}
		return status;
	}
	/* all that documents have, in the order of JSON */
	if (from->of_pages)
		status = choose(c, slice_from_text("file"), from, err);
	for (int i = 0; i < DOCUMENT_FIELD_COUNT && status == DANA_OK; i++) {
		const struct document_field *field = &document_fields[i];
		if (is_field(field, from) && !remedy(field, from) && !(from->of_pages && i == FIELD_NUMBER_file))
			status = choose(c, slice_from_text(field->name), from, err);
	}
	const char *name;
	bool has_metadata = !from->has_metadata;
	for (size_t i = 0; from->plugins && (name = plugins_object(from->plugins, i)) && status == DANA_OK; i++) {
		bool is_there = false; /* it is where the plugin adds nothing to documents */
		for (unsigned k = 0; k < c->n; k++)
			is_there |= slice_is(c->at[k].name, name);
		has_metadata |= strcmp(name, metadata) == 0;
		if (!is_there)
			status = choose(c, slice_from_text(name), from, err);
	}
	if (!has_metadata && status == DANA_OK)
		status = choose(c, slice_from_text(metadata), from, err);
	return status == DANA_OK && from->of_pages ? choose(c, slice_from_text("reason"), from, err) : status;
}

/* ---- values ---- */

/* Returns what the plugins have added under this name, as JSON; NULL data: nothing. */
static struct slice added(const struct document *doc, struct slice name)
{
	const size_t dot = slice_until(name, ".");
	struct slice object = additions_member(doc->additions, slice_first(name, dot));
	struct slice key = slice_skip(name, dot + 1);
	if (!object.data && dot == name.len) {
		object = additions_member(doc->additions, slice_from_text(metadata));
		key = name;
	}
	if (!object.data || key.len == 0)
		return object;
	return object.data[0] == '{' ? additions_member(slice_first(object, object.len - 1), key) : slice_of(NULL, 0);
}

static void put_members(struct json_writer *w, const struct chosen_fields *c, const struct document *doc,
			const char *reason)
{
	for (unsigned i = 0; i < c->n; i++) {
		const struct chosen_field *f = &c->at[i];
		const bool known = !reason || f->number == FIELD_NUMBER_file;
		if (f->number >= 0 && known) {
			const struct document_field *field = &document_fields[f->number];
			if (document_value(doc, field).is == DANA_VALUE_NONE)
				json_text_or_null(w, field->name, slice_of(NULL, 0));
			else
				json_field(w, doc, field);
			continue;
		}
		const struct slice value = f->number == ADDED && known ? added(doc, f->name) : slice_of(NULL, 0);
		json_name(w, f->name);
		if (f->number == REASON && reason) {
			json_element(w, slice_from_text(reason));
		} else if (value.data) {
			buf_append(w->out, value.data, value.len);
			w->comma = true;
		} else {
			json_no_value(w);
		}
	}
}

int chosen_json(const struct chosen_fields *c, const struct document *doc, const char *reason, struct buf *out)
{
	struct json_writer w = { .out = out };
	json_object_begin(&w);
	put_members(&w, c, doc, reason);
	json_object_end(&w);
	buf_append_byte(out, '\n');
	return buf_status(out);
}

/* A cell with this text. It is well-formed UTF-8 and has no NUL, at which many readers end. */
static void put_text(struct buf *out, struct slice text, uint8_t separator)
{
	bool quoted = text.len == 0 || text.data[0] == ' ' || text.data[text.len - 1] == ' ';
	for (size_t i = 0; i < text.len && !quoted; i++)
		quoted = text.data[i] == separator || text.data[i] == '"' || text.data[i] == '\n' ||
			 text.data[i] == '\r';
	const size_t from = out->len;
	if (quoted)
		buf_append_byte(out, '"');
	while (text.len) {
		const uint8_t *stop = text.data;
		while (stop < text.data + text.len && *stop != '"' && *stop != 0)
			stop++;
		const size_t len = (size_t)(stop - text.data);
		buf_append(out, text.data, len);
		if (len < text.len)
			buf_append_text(out, *stop ? "\"\"" : "\xEF\xBF\xBD");
		text = slice_skip(text, len + 1);
	}
	if (quoted)
		buf_append_byte(out, '"');
	if (buf_status(out) == DANA_OK && utf8_valid_prefix(slice_skip(buf_slice(out), from)) < out->len - from) {
		bool mended;
		(void)utf8_mend(out, from, &mended);
	}
}

/* A cell with a value that is JSON: of a text its characters. */
static void put_json(struct buf *out, struct slice json, struct buf *space, uint8_t separator)
{
	if (json.len >= 2 && json.data[0] == '"') {
		buf_clear(space);
		buf_latch(out, json_string_decode(json, space));
		put_text(out, buf_slice(space), separator);
	} else if (json.len && !slice_is(json, "null")) {
		put_text(out, json, separator);
	}
}

int chosen_row(const struct chosen_fields *c, const struct document *doc, const char *reason, uint8_t separator,
	       struct buf *out)
{
	struct buf json = { 0 }, space = { 0 };
	for (unsigned i = 0; i < c->n; i++) {
		const struct chosen_field *f = &c->at[i];
		if (i)
			buf_append_byte(out, separator);
		if (f->number == REASON) {
			if (reason)
				put_text(out, slice_from_text(reason), separator);
		} else if (reason && f->number != FIELD_NUMBER_file) {
			continue;
		} else if (f->number == ADDED) {
			put_json(out, added(doc, f->name), &space, separator);
		} else {
			const struct document_field *field = &document_fields[f->number];
			const struct field_value value = document_value(doc, field);
			if (value.is == DANA_VALUE_TEXT) {
				put_text(out, value.text, separator);
			} else if (value.is != DANA_VALUE_NONE && value.is != DANA_VALUE_NULL) {
				struct json_writer w = { .out = &json };
				buf_clear(&json);
				json_field(&w, doc, field);
				const size_t name = strlen(field->name) + strlen("\"\":");
				put_json(out, slice_skip(buf_slice(&json), name), &space, separator);
				buf_latch(out, buf_status(&json));
			}
		}
	}
	buf_free(&json);
	buf_free(&space);
	return buf_append_text(out, separator == ',' ? "\r\n" : "\n");
}

int chosen_header(const struct chosen_fields *c, uint8_t separator, struct buf *out)
{
	for (unsigned i = 0; i < c->n; i++) {
		if (i)
			buf_append_byte(out, separator);
		put_text(out, c->at[i].name, separator);
	}
	return buf_append_text(out, separator == ',' ? "\r\n" : "\n");
}

/* ---- the formats ---- */

struct table_sink {
	struct sink base;
	const struct chosen_fields *fields;
};

static uint8_t separator_of(const struct sink *s)
{
	return s->ops == &sink_csv ? ',' : '\t';
}

static struct sink *open_table(const struct sink_ops *ops, const struct sink_config *config)
{
	struct table_sink *s = calloc(1, sizeof(*s));
	if (!s)
		return NULL;
	s->base.ops = ops;
	s->fields = config->fields;
	return &s->base;
}

static struct sink *open_csv(const struct sink_config *config)
{
	return open_table(&sink_csv, config);
}

static struct sink *open_tsv(const struct sink_config *config)
{
	return open_table(&sink_tsv, config);
}

static int table_opening(struct sink *s, struct slice first_date, struct buf *out)
{
	(void)first_date;
	return chosen_header(((const struct table_sink *)s)->fields, separator_of(s), out);
}

static int table_document(const struct sink *s, struct document *doc, struct buf *out)
{
	document_check_date(doc);
	return chosen_row(((const struct table_sink *)s)->fields, doc, NULL, separator_of(s), out);
}

static void table_close(struct sink *s)
{
	free(s);
}

const struct sink_ops sink_csv = {
	.name = "csv",
	.suffix = ".csv",
	.is_table = true,
	.open = open_csv,
	.opening = table_opening,
	.document = table_document,
	.close = table_close,
};

const struct sink_ops sink_tsv = {
	.name = "tsv",
	.suffix = ".tsv",
	.is_table = true,
	.open = open_tsv,
	.opening = table_opening,
	.document = table_document,
	.close = table_close,
};
