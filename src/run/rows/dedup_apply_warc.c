/* SPDX-License-Identifier: MIT */
/*
 * WARC does not say of which input a document is, so the ids of all documents of a file are read first, and compared
 * with the list.
 */
#include "config.h"

#include "dedup/row_parts.h"
#include "run/rows/dedup_apply_private.h"
#include "run/rows/packed_records.h"

/* The next document of a WARC file. */
struct record_place {
	size_t part;
	uint32_t row;
};

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
	return apply_reject(a, &d, link);
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
		a->counts.documents++;
	}
	if (status < 0)
		return status;
	a->counts.dropped += status == 1;
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
			status = apply_let_write(a, err);
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

int apply_warc(struct apply *a, const char *path, struct error *err)
{
	if (!a->kind.format->member_per_document)
		return error_set(err, DANA_ECONFIG,
				 "%s: is WARC; expected an output name that ends with .warc, .warc.gz or .warc.zst",
				 path);
	return take_records(a, path, err);
}
