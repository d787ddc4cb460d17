/* SPDX-License-Identifier: MIT */
/*
 * WARC does not say of which input a document is, so the ids of all documents of a file are read first, and compared
 * with the list.
 */
#include "config.h"

#include "dedup/rows.h"
#include "run/rows/dedup_apply_private.h"
#include "run/rows/written_records.h"

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

static int write_record_reject(struct apply *a, const struct written_record *r, const struct row_link *link)
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

static int take_record(struct apply *a, struct record_place *at, const struct written_record *r, struct error *err)
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

static int note_id(struct apply *a, struct record_place *at, const struct written_record *r, struct error *err)
{
	uint32_t hash = row_id_hash(r->id);

	(void)at;
	return r->conversion && buf_append(&a->ids, &hash, sizeof(hash)) < 0 ? error_no_memory(err) : DANA_OK;
}

/* A walk over the records of a file, of which `each` is called for. */
struct walk {
	struct apply *a;
	struct record_place at;
	struct written_record record;
	int (*each)(struct apply *a, struct record_place *at, const struct written_record *r, struct error *err);
};

static int on_line(void *arg, struct slice line, struct error *err)
{
	struct walk *w = arg;
	int status = written_record_take(&w->record, line, err);

	return status == 1 ? w->each(w->a, &w->at, &w->record, err) : status;
}

static int walk(struct walk *w, const char *path, struct error *err)
{
	const struct apply_lines lines = { on_line, w };
	int status = apply_read_lines(w->a, path, &lines, err);

	if (status == DANA_OK && !written_record_is_over(&w->record))
		status = error_set(err, DANA_EFORMAT, "is cut inside of a record");
	written_record_free(&w->record);
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
	struct walk ids = { .a = a, .each = note_id }, records = { .a = a, .each = take_record };

	if (strcmp(path, "-") == 0)
		return error_set(err, DANA_ECONFIG, "WARC is read twice: give a file, not standard input");
	buf_clear(&a->ids);
	int status = walk(&ids, path, err);
	if (status == DANA_OK)
		status = row_parts_find(&a->rows, (const uint32_t *)(const void *)a->ids.data,
					a->ids.len / sizeof(uint32_t), &records.at.part, err);
	/* the same input may stand in several files */
	row_cursor_free(&a->cursor);
	row_cursor_begin(&a->cursor, &a->rows);
	if (status == DANA_OK)
		status = walk(&records, path, err);
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
