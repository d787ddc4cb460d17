/* SPDX-License-Identifier: MIT */
/* `dana dedup apply`: JSONL of earlier runs without the rows of a list; dedup_apply_warc.c does it for WARC. */
#include "config.h"

#include <stdlib.h>

#include "base/json_reader.h"
#include "base/ondemand/simdjson_call.h"
#include "io/index/line_reader.h"
#include "run/rows/dedup_apply_private.h"
#include "run/rows/written_records.h"

/* ---- a document ---- */

/* A member of a document, or, as other layouts have it, of its metadata. */
static struct json_value named(struct json_value document, const char *name)
{
	const struct json_value v = json_member(document, name);
	return json_kind(v) != JSON_IS_NOTHING ? v : json_member(json_member(document, "metadata"), name);
}

static struct slice written_or_null(struct json_value v)
{
	return json_kind(v) != JSON_IS_NOTHING ? json_written(v) : slice_from_text("null");
}

static int take_document(struct apply *a, struct json_value file, struct json_value document, struct slice line,
			 struct error *err)
{
	const struct json_value id = named(document, "id");
	const struct document_names d = { .id = written_or_null(id),
					  .url = written_or_null(named(document, "url")),
					  .file = json_written(file),
					  .offset = written_or_null(named(document, "offset")) };
	struct slice file_name, id_text;
	struct row_link link;
	bool any;

	buf_clear(&a->json[0]);
	buf_clear(&a->json[1]);
	int status = json_characters(file, &a->json[0], &file_name, &any);
	if (status == DANA_OK)
		status = json_characters(id, &a->json[1], &id_text, &any);
	if (status == DANA_OK)
		status = row_cursor_next(&a->cursor, file_name, id_text, &link, err);
	a->counts.documents++;
	if (status < 0)
		return status;
	a->counts.dropped += status == 1;
	return status == 1 ? apply_reject(a, &d, &link) : encoder_unit(a->encoder, line);
}

static int take_row(struct apply *a, const char *path, struct slice line, struct error *err)
{
	const unsigned long long number = a->counts.documents + 1;
	struct json_value document;
	int status = json_read(a->reader, line, &document, NULL);

	if (status == DANA_EFORMAT || (status == DANA_OK && json_kind(document) != JSON_IS_OBJECT))
		return error_set(err, DANA_EFORMAT, "%s: line %llu is not a JSON object", path, number);
	const struct json_value file = named(document, "file");
	if (status == DANA_OK && json_kind(file) == JSON_IS_NOTHING)
		return error_set(err, DANA_EFORMAT, "%s: line %llu has no \"file\"", path, number);
	if (status == DANA_OK)
		status = take_document(a, file, document, line, err);
	return status == DANA_ENOMEM ? error_no_memory(err) : status;
}

/* ---- the run ---- */

struct input {
	struct apply *a;
	const char *path;
	bool is_warc;
};

/* The first line says what the file is. */
static int take_line(void *arg, struct slice line, struct error *err)
{
	struct input *in = arg;

	in->is_warc = written_record_begins(line);
	if (in->is_warc)
		return LINES_ENOUGH;
	if (in->a->kind.format->member_per_document)
		return error_set(err, DANA_ECONFIG, "%s: is not WARC; expected an output name for JSONL", in->path);
	return take_row(in->a, in->path, line, err);
}

static int take_file(struct apply *a, const char *path, struct error *err)
{
	struct input in = { a, path, false };
	const struct apply_lines lines = { take_line, &in };
	int status = apply_read_lines(a, path, &lines, err);

	return status == DANA_OK && in.is_warc ? apply_warc(a, path, err) : status;
}

static int open_all(struct apply *a, struct error *err)
{
	static const bool given_up;
	static const struct json_rules rules = { .depth_most = JSON_DEPTH_MOST, JSON_BY_SIMDJSON };
	const struct apply_settings *s = a->settings;
	const struct output_wish wish = { .name = s->output };
	int status = output_kind_find(&a->kind, &wish, err);

	if (status == DANA_OK)
		status = rows_file_open(&a->rows, s->rows, err);
	if (status < 0)
		return status;
	row_cursor_begin(&a->cursor, &a->rows);
	a->reader = json_reader_new(&rules);
	if (!a->reader)
		return error_no_memory(err);
	a->loop = loop_new(err);
	if (!a->loop)
		return (int)err->status;
	status = outputs_open(&a->outputs, a->loop, s->output, s->rejects, s->force ? OUTPUT_FORCE : OUTPUT_NEW,
			      &given_up, err);
	if (status < 0)
		return status;
	a->encoder = encoder_new(a->kind.encoder, a->kind.level, a->kind.format->member_per_document,
				 output_sink(a->outputs.documents));
	return a->encoder ? DANA_OK : error_no_memory(err);
}

static int run(struct apply *a, struct error *err)
{
	int status = open_all(a, err);

	for (size_t i = 0; i < a->settings->n && status == DANA_OK; i++)
		status = take_file(a, a->settings->inputs[i], err);
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

int apply_run(const struct apply_settings *s, struct apply_counts *counts, struct error *err)
{
	struct apply a = { .settings = s, .rows.file.fd = -1 };
	int status = run(&a, err);

	encoder_free(a.encoder);
	outputs_free(&a.outputs);
	loop_free(a.loop);
	row_cursor_free(&a.cursor);
	rows_file_close(&a.rows);
	json_reader_free(a.reader);
	buf_free(&a.file);
	buf_free(&a.reject);
	buf_free(&a.ids);
	for (size_t i = 0; i < sizeof(a.json) / sizeof(*a.json); i++)
		buf_free(&a.json[i]);
	*counts = a.counts;
	if (status < 0 && !err->text[0])
		(void)error_set(err, (enum dana_status)status, "%s: %s", s->output, status_text(status));
	return status;
}
