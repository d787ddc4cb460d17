/* SPDX-License-Identifier: MIT */
/*
 * `dana dedup apply`: JSONL or WARC of earlier runs without the rows of a list. WARC does not say of which input a document is, so
 * the ids of all documents of a file are read first, and compared with the list.
 */
#include "config.h"

#include <stdlib.h>

#include "base/json_check.h"
#include "base/json_writer.h"
#include "cli/dedup.h"
#include "cli/json_members.h"
#include "cli/packed_records.h"
#include "config/output_kind.h"
#include "dedup/row_cursor.h"
#include "dedup/row_parts.h"
#include "io/loop.h"
#include "pipeline/encoder.h"
#include "pipeline/outputs.h"

struct apply {
	const struct dedup_settings *settings;
	struct rows_file rows;
	struct row_cursor cursor;
	struct output_kind kind;
	struct loop *loop;
	struct outputs outputs;
	struct encoder *encoder;
	struct buf file, reject;
	struct buf json[3];
	struct buf ids; /* of a WARC file: a row_id_hash for each document */
	uint64_t documents, dropped;
};

/* ---- a document ---- */

/* Of what a document says of itself; slices of its line, as they stand in the JSON. */
struct document_names {
	struct slice id, url, file, offset, metadata;
};

static void read_names(struct slice object, struct document_names *d)
{
	struct json_members members = json_members_of(object);
	struct slice name, value;

	while (json_members_next(&members, &name, &value)) {
		struct slice *to = slice_equal(name, slice_from_text("\"id\""))         ? &d->id
				   : slice_equal(name, slice_from_text("\"url\""))      ? &d->url
				   : slice_equal(name, slice_from_text("\"file\""))     ? &d->file
				   : slice_equal(name, slice_from_text("\"offset\""))   ? &d->offset
				   : slice_equal(name, slice_from_text("\"metadata\"")) ? &d->metadata
											: NULL;
		if (to && !to->data)
			*to = value;
	}
}

/* The inside of a string; empty for null. Names of files and ids hold no escapes but of '"' and '\\'. */
static int unquote(struct slice value, struct buf *out)
{
	buf_clear(out);
	for (size_t i = 1; i + 1 < value.len && value.data[0] == '"'; i++) {
		i += value.data[i] == '\\';
		buf_append_byte(out, value.data[i]);
	}
	return buf_status(out);
}

static int write_reject(struct apply *a, const struct document_names *d, const struct row_link *link)
{
	struct json_writer w = { .out = &a->reject };

	buf_clear(&a->reject);
	buf_printf(&a->reject, "{\"id\":%.*s,\"url\":%.*s,\"file\":%.*s,\"offset\":%.*s,", (int)d->id.len,
		   (const char *)d->id.data, (int)d->url.len, (const char *)d->url.data, (int)d->file.len,
		   (const char *)d->file.data, (int)d->offset.len, (const char *)d->offset.data);
	buf_append_text(&a->reject, "\"reason\":\"plugin:dedup-near\",\"detail\":\"duplicate\",\"duplicate_of\":");
	json_object_begin(&w);
	json_text_or_null(&w, "id", link->kept.id);
	json_text_or_null(&w, "file", link->kept.file);
	json_count_or_null(&w, "offset", link->kept.offset != UINT64_MAX, link->kept.offset);
	json_object_end(&w);
	json_decimal(&w, "similarity", (double)link->similarity, 6);
	while (a->reject.data[a->reject.len - 1] == '0') /* as the plugin writes it */
		a->reject.len--;
	a->reject.len -= a->reject.data[a->reject.len - 1] == '.';
	buf_append_text(&a->reject, "}\n");
	struct byte_sink *sink = a->outputs.rejects ? output_sink(a->outputs.rejects) : NULL;
	int status = buf_status(&a->reject);
	return status < 0 || !sink ? status : sink->ops->write(sink, buf_slice(&a->reject));
}

static int take_line(struct apply *a, const char *path, struct slice line, struct error *err)
{
	static const char null[] = "null";
	struct document_names d = { 0 };
	struct row_link link;
	struct slice object = line.len && line.data[line.len - 1] == '\n' ? slice_first(line, line.len - 1) : line;

	if (object.len == 0 || object.data[0] != '{' || !json_check(object))
		return error_set(err, DANA_EFORMAT, "%s: line %llu is not a JSON object", path,
				 (unsigned long long)a->documents + 1);
	read_names(object, &d);
	if (d.metadata.len && d.metadata.data[0] == '{')
		read_names(d.metadata, &d);
	if (d.file.len == 0 || unquote(d.file, &a->file) < 0)
		return error_set(err, DANA_EFORMAT, "%s: line %llu has no \"file\"", path,
				 (unsigned long long)a->documents + 1);
	struct slice *missing[] = { &d.id, &d.url, &d.offset };
	for (size_t i = 0; i < sizeof(missing) / sizeof(*missing); i++) {
		if (!missing[i]->data)
			*missing[i] = slice_from_text(null);
	}
	struct slice id = d.id.data[0] == '"' ? slice_of(d.id.data + 1, d.id.len - 2) : slice_of(NULL, 0);
	int status = row_cursor_next(&a->cursor, buf_slice(&a->file), id, &link, err);
	a->documents++;
	if (status < 0)
		return status;
	a->dropped += status == 1;
	status = status == 1 ? write_reject(a, &d, &link) : encoder_unit(a->encoder, line);
	return status == DANA_ENOMEM ? error_set(err, DANA_ENOMEM, "%s", status_text(DANA_ENOMEM)) : status;
}

/* ---- a record ---- */

/* The next document of a WARC file. */
struct record_place {
	size_t part;
	uint32_t row;
};

static void on_soon(void *arg)
{
	*(bool *)arg = true;
}

/* Lets the loop write until the queue is short again. */
static int let_write(struct apply *a, struct error *err)
{
	while (outputs_full(&a->outputs) && outputs_failed(&a->outputs, err) == DANA_OK) {
		bool done = false;
		loop_soon(a->loop, on_soon, &done);
		loop_run_until(a->loop, &done);
	}
	return outputs_failed(&a->outputs, err);
}

/* As it would stand in JSON: with quotes, or null. */
static struct slice json_of(struct buf *out, struct slice text)
{
	struct json_writer w = { .out = out };

	buf_clear(out);
	if (text.len)
		json_element(&w, text);
	else
		buf_append_text(out, "null");
	return buf_slice(out);
}

static int write_record_reject(struct apply *a, const struct packed_record *r, const struct row_link *link)
{
	const struct document_names d = { .id = json_of(&a->json[0], r->id),
					  .url = json_of(&a->json[1], r->url),
					  .file = json_of(&a->json[2], buf_slice(&a->file)),
					  .offset = slice_from_text("null") };

	for (size_t i = 0; i < sizeof(a->json) / sizeof(*a->json); i++) {
		if (buf_status(&a->json[i]) < 0)
			return DANA_ENOMEM;
	}
	return write_reject(a, &d, link);
}

/* The input that the next document is of: the parts follow each other as in the list. */
static int enter_part(struct apply *a, struct record_place *at)
{
	const struct parts *parts = &a->rows.parts;

	while (at->part < parts->n && at->row == parts->items[at->part].count) {
		at->part++;
		at->row = 0;
	}
	at->row++;
	buf_clear(&a->file);
	return at->part < parts->n ? buf_append_text(&a->file, parts->items[at->part].name) : DANA_EFORMAT;
}

static int take_record(struct apply *a, struct record_place *at, const struct packed_record *r, struct error *err)
{
	struct row_link link;
	int status = r->conversion ? enter_part(a, at) : DANA_OK;

	if (status == DANA_OK && r->conversion) {
		status = row_cursor_next(&a->cursor, buf_slice(&a->file), r->id, &link, err);
		a->documents++;
	}
	if (status < 0)
		return status;
	a->dropped += status == 1;
	status = status == 1 ? write_record_reject(a, r, &link) : encoder_unit(a->encoder, buf_slice(&r->bytes));
	return status == DANA_ENOMEM ? error_no_memory(err) : status;
}

static int note_id(struct apply *a, struct record_place *at, const struct packed_record *r, struct error *err)
{
	uint32_t hash = row_id_hash(r->id);

	(void)at;
	return r->conversion && buf_append(&a->ids, &hash, sizeof(hash)) < 0 ? error_no_memory(err) : DANA_OK;
}

/* Calls `each` for the records of a file. */
static int read_records(struct apply *a, const char *path, struct record_place *at,
			int (*each)(struct apply *a, struct record_place *at, const struct packed_record *r,
				    struct error *err),
			struct error *err)
{
	struct packed_lines *lines = packed_lines_open(path, err);
	struct packed_record r = { .conversion = false };
	struct slice line;
	int status = lines ? 1 : (int)err->status;

	while (lines && (status = packed_lines_next(lines, &line, err)) == 1) {
		status = packed_record_read(lines, line, &r, err);
		if (status == DANA_OK)
			status = each(a, at, &r, err);
		if (status == DANA_OK)
			status = let_write(a, err);
		if (status < 0)
			break;
	}
	packed_record_free(&r);
	packed_lines_close(lines);
	return status;
}

/* The reasons of records do not name the file. */
static int in_file(const char *path, int status, struct error *err)
{
	struct error why = *err;

	if (status == DANA_OK || !why.text[0] || strncmp(why.text, path, strlen(path)) == 0)
		return status;
	*err = (struct error){ .status = DANA_OK };
	(void)error_set(err, why.status, "%s: %s", path, why.text);
	return status;
}

static int take_records(struct apply *a, const char *path, struct error *err)
{
	struct record_place at = { 0 };

	if (strcmp(path, "-") == 0)
		return error_set(err, DANA_ECONFIG, "WARC is read twice; expected a file, not standard input");
	buf_clear(&a->ids);
	int status = read_records(a, path, &at, note_id, err);
	if (status == DANA_OK)
		status = row_parts_find(&a->rows, (const uint32_t *)(const void *)a->ids.data,
					a->ids.len / sizeof(uint32_t), &at.part, err);
	/* the same input may stand in several files */
	row_cursor_free(&a->cursor);
	row_cursor_begin(&a->cursor, &a->rows);
	if (status == DANA_OK)
		status = read_records(a, path, &at, take_record, err);
	return in_file(path, status, err);
}

/* ---- the run ---- */

static int take_warc(struct apply *a, const char *path, struct error *err)
{
	if (!a->kind.format->member_per_document)
		return error_set(err, DANA_ECONFIG,
				 "%s: is WARC; expected an output name that ends with .warc, .warc.gz or .warc.zst",
				 path);
	return take_records(a, path, err);
}

static int take_file(struct apply *a, const char *path, struct error *err)
{
	struct packed_lines *lines = packed_lines_open(path, err);
	struct slice line;
	int status = lines ? 1 : (int)err->status;

	while (lines && (status = packed_lines_next(lines, &line, err)) == 1) {
		if (packed_record_begins(line)) {
			packed_lines_close(lines);
			return take_warc(a, path, err);
		}
		status = a->kind.format->member_per_document
				 ? error_set(err, DANA_ECONFIG, "%s: is not WARC; expected an output name for JSONL",
					     path)
				 : take_line(a, path, line, err);
		if (status == DANA_OK)
			status = let_write(a, err);
		if (status < 0)
			break;
	}
	packed_lines_close(lines);
	return status;
}

static int open_all(struct apply *a, struct error *err)
{
	static const bool given_up;
	const struct dedup_settings *s = a->settings;
	const struct output_wish wish = { .name = s->output };
	int status = output_kind_find(&a->kind, &wish, err);

	if (status == DANA_OK)
		status = rows_file_open(&a->rows, s->rows, err);
	if (status < 0)
		return status;
	row_cursor_begin(&a->cursor, &a->rows);
	a->loop = loop_new(err);
	if (!a->loop)
		return (int)err->status;
	status = outputs_open(&a->outputs, a->loop, s->output, s->rejects, s->force ? OUTPUT_FORCE : OUTPUT_NEW,
			      &given_up, err);
	if (status < 0)
		return status;
	a->encoder = encoder_new(a->kind.encoder, a->kind.level, a->kind.format->member_per_document,
				 output_sink(a->outputs.documents));
	return a->encoder ? DANA_OK : error_set(err, DANA_ENOMEM, "%s", status_text(DANA_ENOMEM));
}

static int run(struct apply *a, const struct dedup_arguments *arguments, struct error *err)
{
	int status = open_all(a, err);

	for (size_t i = 0; i < arguments->n && status == DANA_OK; i++)
		status = take_file(a, arguments->names[i], err);
	if (status == DANA_OK)
		status = row_cursor_end(&a->cursor, err);
	if (status == DANA_OK)
		status = encoder_finish(a->encoder);
	if (a->encoder) {
		struct error end = { 0 };
		outputs_finish(&a->outputs, status < 0 ? OUTPUT_DISCARD : OUTPUT_FINAL, &end);
		if (status == DANA_OK && end.status < 0)
			status = error_set(err, end.status, "%s", end.text);
	}
	return status;
}

int dedup_apply(const struct dedup_settings *s, const struct dedup_arguments *arguments)
{
	struct apply a = { .settings = s, .rows.file.fd = -1 };
	struct error err = { 0 };
	int status = run(&a, arguments, &err);

	encoder_free(a.encoder);
	outputs_free(&a.outputs);
	loop_free(a.loop);
	row_cursor_free(&a.cursor);
	rows_file_close(&a.rows);
	buf_free(&a.file);
	buf_free(&a.reject);
	buf_free(&a.ids);
	for (size_t i = 0; i < sizeof(a.json) / sizeof(*a.json); i++)
		buf_free(&a.json[i]);
	if (status < 0) {
		if (!err.text[0])
			(void)error_set(&err, (enum dana_status)status, "%s: %s", s->output, status_text(status));
		return dedup_failed(arguments, &err);
	}
	command_message(arguments->command, "%llu documents, %llu dropped", (unsigned long long)a.documents,
			(unsigned long long)a.dropped);
	return EXIT_DONE;
}
