/* SPDX-License-Identifier: MIT */
/*
 * `dana dedup apply`: JSONL or WARC of earlier runs without the rows of a list; and the list of the rows of a file.
 *
 * WARC records are passed on as they stand in the file. A record ends with two line ends, so it is some lines of the
 * file: the lines of its head, then as many as its Content-Length and the line ends after the block fill exactly. WARC
 * does not name the input of a document, so the ids of all documents of a file are read first, and compared with the
 * list.
 */
#include "config.h"

#include "run/rows.h"

#include <stdio.h>
#include <stdlib.h>

#include "archive/sink/sink.h"
#include "base/ascii.h"
#include "base/buf.h"
#include "base/json.h"
#include "base/simdjson_call.h"
#include "base/status.h"
#include "dedup/minhash.h"
#include "dedup/rows.h"
#include "io/line_reader.h"
#include "io/loop.h"
#include "run/outputs.h"

struct apply {
	const struct apply_settings *settings;
	struct rows_file rows;
	struct row_cursor cursor;
	struct output_kind kind;
	struct loop *loop;
	struct outputs outputs;
	struct encoder *encoder;
	struct json_reader *reader;
	struct buf file, reject;
	struct buf json[3];
	struct buf ids; /* of a WARC file: a row_id_hash for each document */
	struct apply_counts counts;
};

/* What a document has of itself; slices of its line, as they are in the JSON. */
struct document_names {
	struct slice id, url, file, offset;
};

/** Zeroed before use; slices are valid until the next line is taken. */
struct written_record {
	struct buf bytes;     /* the record, from its version line to the blank lines after its block */
	size_t head;          /* how many of them are its head, with the blank line after it */
	uint64_t whole;       /* how many there will be; 0: not known before the end of the head */
	bool conversion;      /* a document */
	struct slice id, url; /* WARC-Refers-To without < and >, WARC-Target-URI; empty without one */
};

enum { LINE_MOST = 1 << 20, DEPTH_MOST = 8, NUMBER_MOST = 40 };

struct making {
	const char *output;
	bool force;
	struct json_reader *json;
	struct rows_maker *maker;                /* NULL before the line of settings */
	struct buf name, id, kept_id, kept_file; /* decoded strings of the line */
	uint64_t line, pages, next;              /* pages of the part; the first row that may come */
	bool in_part;
	const char *bad; /* why a line cannot be read */
};

static int wrong(struct error *err, const char *what)
{
	return error_set(err, DANA_EFORMAT, "%s", what);
}

/* ---- values ---- */

static bool number(struct json_value object, const char *name, uint64_t most, uint64_t *out)
{
	const struct json_value value = json_member(object, name);
	return json_kind(value) == JSON_IS_NUMBER && decimal_number(json_written(value), most, out);
}

static bool share(struct json_value object, const char *name, double *out)
{
	char text[NUMBER_MOST + 1];
	const struct json_value value = json_member(object, name);
	const struct slice written = json_kind(value) == JSON_IS_NUMBER ? json_written(value) : slice_of(NULL, 0);
	if (written.len == 0 || written.len > NUMBER_MOST)
		return false;
	memcpy(text, written.data, written.len);
	text[written.len] = 0;
	*out = strtod(text, NULL);
	return *out >= -1 && *out <= 1;
}

/* A string, or with `or_null` none. False: it is neither, or memory is exhausted, as buf_status(space) shows. */
static bool string(struct json_value object, const char *name, bool or_null, struct buf *space, struct slice *out)
{
	const struct json_value value = json_member(object, name);
	bool repaired = false;
	buf_clear(space);
	*out = slice_of(NULL, 0);
	if (json_kind(value) == JSON_IS_NULL)
		return or_null;
	return json_kind(value) == JSON_IS_STRING && json_characters(value, space, out, &repaired) == DANA_OK &&
	       !repaired;
}

/* ---- lines ---- */

/* {"row":5,"id":"urn:...","similarity":0.9,"kept":{"file":"a.warc.gz","offset":12,"id":"urn:..."}} */
static int list_row(struct making *m, struct json_value line, struct error *err)
{
	const struct json_value kept = json_member(line, "kept");
	struct origin origin = { .offset = UINT64_MAX };
	uint8_t packed[ORIGIN_BYTES];
	struct slice id;
	uint64_t row;
	double similarity;
	if (!m->in_part)
		return wrong(err, "a row precedes the first input");
	if (!number(line, "row", UINT32_MAX, &row) || row < m->next || row >= m->pages)
		return wrong(err, "expected rows in rising order, each below the number of pages of its input");
	if (!string(line, "id", true, &m->id, &id) || !share(line, "similarity", &similarity) ||
	    !string(kept, "id", true, &m->kept_id, &origin.id) ||
	    !string(kept, "file", false, &m->kept_file, &origin.file) ||
	    (json_kind(json_member(kept, "offset")) != JSON_IS_NULL &&
	     !number(kept, "offset", UINT64_MAX - 1, &origin.offset)))
		return wrong(err, "expected row, id, similarity, and kept with id, file and offset");
	m->next = row + 1;
	int status = rows_maker_pack(m->maker, &origin, packed);
	if (status == DANA_OK)
		status = rows_maker_drop(m->maker, (uint32_t)row, row_id_hash(id), (float)similarity, packed);
	return status < 0 ? error_set(err, (enum dana_status)status, "%s", status_text(status)) : DANA_OK;
}

static int take_value(struct making *m, struct json_value line, struct error *err)
{
	if (json_kind(line) != JSON_IS_OBJECT)
		return wrong(err, "expected a JSON object");
	if (!m->maker) {
		/* {"bands":14,"rows":8,"keep":"first","similarity":0} */
		char text[160];
		uint64_t bands, rows;
		double similarity;
		struct slice keep;
		if (!number(line, "bands", BANDS_NUMBERS_MOST, &bands) ||
		    !number(line, "rows", BANDS_NUMBERS_MOST, &rows) || !string(line, "keep", false, &m->name, &keep) ||
		    keep.len > 16 || !share(line, "similarity", &similarity))
			return wrong(err, "expected the settings: bands, rows, keep and similarity");
		(void)snprintf(text, sizeof(text), "bands=%u\nrows=%u\nkeep=%.*s\nsimilarity=%g\n", (unsigned)bands,
			       (unsigned)rows, (int)keep.len, (const char *)keep.data, similarity);
		m->maker = rows_maker_new(m->output, text, m->force, err);
		return m->maker ? DANA_OK : (int)err->status;
	}
	if (json_kind(json_member(line, "pages")) == JSON_IS_NOTHING)
		return list_row(m, line, err);
	/* {"file":"a.warc.gz","pages":120} */
	struct slice name;
	if (!string(line, "file", false, &m->name, &name) || name.len == 0 ||
	    !number(line, "pages", UINT32_MAX, &m->pages))
		return wrong(err, "expected the name of an input and its number of pages: file and pages");
	m->in_part = true;
	m->next = 0;
	return rows_maker_part(m->maker, name, (uint32_t)m->pages, err);
}

static int list_line(void *arg, struct slice text, struct error *err)
{
	struct making *m = arg;
	struct json_value line;
	struct error why = { 0 };
	m->line++;
	if (m->bad)
		return error_set(err, DANA_EFORMAT, "line %llu: %s", (unsigned long long)m->line, m->bad);
	int status = json_read(m->json, text, &line, &why);
	if (status == DANA_OK)
		status = take_value(m, line, &why);
	if (status != DANA_EFORMAT)
		return status < 0 ? error_set(err, (enum dana_status)status, "%s",
					      why.status ? why.text : status_text(status))
				  : DANA_OK;
	return error_set(err, DANA_EFORMAT, "line %llu: %s", (unsigned long long)m->line, why.text);
}

static void take_bad(void *arg, const char *why)
{
	struct making *m = arg;
	m->bad = m->bad ? m->bad : why;
}

int row_list_make(const char *input, const char *output, bool force, uint64_t *dropped, struct error *err)
{
	static const struct json_rules rules = { .depth_most = DEPTH_MOST, .unique_names = true };
	const struct line_input lines = { .name = input, .shown = input, .line_most = LINE_MOST };
	struct making m = { .output = output, .force = force };
	const struct line_taker taker = { list_line, take_bad, &m };
	struct error why = { 0 };
	int status = (m.json = json_reader_new(&rules)) ? line_reader_run(&lines, &taker, &why) : DANA_ENOMEM;
	if (status == DANA_OK && m.bad)
		status = wrong(&why, m.bad);
	if (status == DANA_OK && !m.maker)
		status = wrong(&why, "it is empty; expected a line of settings, then inputs and rows");
	if (!m.json)
		(void)error_no_memory(err);
	else if (status < 0)
		(void)error_set(err, (enum dana_status)status, "%s: %s", input, why.text);
	if (status == DANA_OK) {
		*dropped = rows_maker_dropped(m.maker);
		status = rows_maker_finish(m.maker, err);
	} else {
		rows_maker_abandon(m.maker);
	}
	json_reader_free(m.json);
	buf_free(&m.name);
	buf_free(&m.id);
	buf_free(&m.kept_id);
	buf_free(&m.kept_file);
	return status;
}

enum { HEAD_MOST = 1 << 20, AFTER = 4 /* two line ends */ };

/** Returns whether a line, the first of a file, begins a record. */
static bool written_record_begins(struct slice line)
{
	return line.len > 5 && memcmp(line.data, "WARC/", 5) == 0;
}

/* The value of a field in the head; empty where it is missing. */
static struct slice field(const struct written_record *r, const char *name)
{
	struct slice rest = slice_of(r->bytes.data, r->head);
	const size_t len = strlen(name);
	while (rest.len) {
		const uint8_t *end = memchr(rest.data, '\n', rest.len);
		const size_t n = end ? (size_t)(end - rest.data) + 1 : rest.len;
		if (n > len && rest.data[len] == ':' && slice_is(slice_first(rest, len), name))
			return slice_trim(slice_of(rest.data + len + 1, n - len - 1));
		rest = slice_skip(rest, n);
	}
	return slice_of(NULL, 0);
}

/** Returns whether the file may end here: no record has begun, or the last one is complete. */
static bool written_record_is_over(const struct written_record *r)
{
	return r->bytes.len == 0 || r->bytes.len == r->whole;
}

/**
 * Takes the next line of the file, with its end. Returns 1 if the record is complete, and the next line begins another;
 * 0 if more lines follow; DANA_EFORMAT if it is not a record that dana writes; DANA_ENOMEM.
 */
static int written_record_take(struct written_record *r, struct slice line, struct error *err)
{
	if (written_record_is_over(r)) {
		buf_clear(&r->bytes);
		r->whole = 0;
		if (!written_record_begins(line))
			return error_set(err, DANA_EFORMAT, "holds what is not a record");
	}
	if (buf_append(&r->bytes, line.data, line.len) < 0)
		return error_no_memory(err);
	if (r->whole == 0) {
		if (r->bytes.len > HEAD_MOST)
			return error_set(err, DANA_EFORMAT, "has a record header of more than %d bytes", HEAD_MOST);
		if (slice_trim(line).len)
			return DANA_OK;
		/* the head is all that there is of the record so far */
		uint64_t length;

		r->head = r->bytes.len;
		if (!decimal_number(field(r, "Content-Length"), UINT32_MAX, &length))
			return error_set(err, DANA_EFORMAT, "has a record without Content-Length");
		r->whole = r->head + length + AFTER;
		return DANA_OK;
	}
	if (r->bytes.len > r->whole)
		return error_set(err, DANA_EFORMAT, "has a record with a wrong Content-Length");
	if (r->bytes.len < r->whole)
		return DANA_OK;
	/* Names what is in the head once no more bytes come that could move it. */
	r->conversion = slice_is(field(r, "WARC-Type"), "conversion");
	struct slice id = field(r, "WARC-Refers-To");
	bool has = id.len >= 2 && id.data[0] == '<' && id.data[id.len - 1] == '>';
	r->id = has ? slice_of(id.data + 1, id.len - 2) : id;
	r->url = field(r, "WARC-Target-URI");
	return 1;
}

/* ---- lines in ---- */

static void on_soon(void *arg)
{
	*(bool *)arg = true;
}

struct rows_reading {
	struct apply *a;
	const char *path;
	int (*take)(void *arg, struct slice line, struct error *err); /* a line with its end; as line_taker.take */
	void *arg;
	struct error *err;
};

static int shared_line(void *arg, struct slice line, struct error *err)
{
	const struct rows_reading *r = arg;
	int status = r->take(r->arg, line, r->err);
	(void)err; /* gets the reader's own faults, which lack the name of the file */
	/* the loop writes until the queue is short again */
	struct outputs *out = &r->a->outputs;
	while (status == DANA_OK && outputs_full(out) && outputs_failed(out, r->err) == DANA_OK) {
		bool done = false;
		loop_soon(r->a->loop, on_soon, &done);
		loop_run_until(r->a->loop, &done);
	}
	return status == DANA_OK ? outputs_failed(out, r->err) : status;
}

static void on_bad(void *arg, const char *why)
{
	const struct rows_reading *r = arg;
	(void)error_set(r->err, DANA_EFORMAT, "%s: %s", r->path, why);
}

/**
 * Reads a file, or standard input for "-", compressed or not, and lets the loop write between its lines. Returns 0, the
 * negative status of `take`, or DANA_EIO, DANA_EFORMAT (damaged, or cut) or DANA_ENOMEM with a text.
 */
static int apply_read_lines(struct apply *a, const char *path,
			    int (*take)(void *arg, struct slice line, struct error *err), void *arg, struct error *err)
{
	struct error fault = { 0 };
	struct rows_reading reading = { a, path, take, arg, err };
	const struct line_taker taker = { shared_line, on_bad, &reading };
	const struct line_input input = { .name = path, .shown = path, .line_most = SIZE_MAX, .with_ends = true };
	int status = line_reader_run(&input, &taker, &fault);
	if (fault.status < 0)
		return error_set(err, fault.status, "%s: %s", path, fault.text);
	return err->status < 0 ? (int)err->status : status;
}

/* ---- lines out ---- */

static int apply_reject(struct apply *a, const struct document_names *d, const struct row_link *link)
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
	if (buf_status(&a->reject) < 0)
		return buf_status(&a->reject);
	while (a->reject.data[a->reject.len - 1] == '0') /* as the plugin writes it */
		a->reject.len--;
	a->reject.len -= a->reject.data[a->reject.len - 1] == '.';
	buf_append_text(&a->reject, "}\n");
	struct byte_sink *sink = a->outputs.rejects ? output_sink(a->outputs.rejects) : NULL;
	int status = buf_status(&a->reject);
	return status < 0 || !sink ? status : sink->ops->write(sink, buf_slice(&a->reject));
}

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

static int take_record(struct apply *a, struct record_place *at, const struct written_record *r, struct error *err)
{
	struct row_link link;
	int status = DANA_OK;
	if (r->conversion) {
		/* The input that the document is of: the parts follow each other as in the list. */
		const struct parts *parts = &a->rows.parts;

		while (at->part < parts->n && at->row == parts->items[at->part].count) {
			at->part++;
			at->row = 0;
		}
		at->row++;
		buf_clear(&a->file);
		status = at->part < parts->n ? buf_append_text(&a->file, parts->items[at->part].name) : DANA_EFORMAT;
	}
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
struct record_walk {
	struct apply *a;
	struct record_place at;
	struct written_record record;
	int (*each)(struct apply *a, struct record_place *at, const struct written_record *r, struct error *err);
};

static int on_line(void *arg, struct slice line, struct error *err)
{
	struct record_walk *w = arg;
	int status = written_record_take(&w->record, line, err);
	return status == 1 ? w->each(w->a, &w->at, &w->record, err) : status;
}

static int walk(struct record_walk *w, const char *path, struct error *err)
{
	int status = apply_read_lines(w->a, path, on_line, w, err);
	if (status == DANA_OK && !written_record_is_over(&w->record))
		status = error_set(err, DANA_EFORMAT, "is cut inside of a record");
	struct written_record *r = &w->record;
	buf_free(&r->bytes);
	*r = (struct written_record){ .conversion = false };
	return status;
}

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

/* ---- the run ---- */

struct input {
	struct apply *a;
	const char *path;
	bool is_warc;
};

/* The first line shows what the file is. */
static int take_line(void *arg, struct slice line, struct error *err)
{
	struct input *in = arg;
	in->is_warc = written_record_begins(line);
	if (in->is_warc)
		return LINES_ENOUGH;
	if (in->a->kind.format->member_per_document)
		return error_set(err, DANA_ECONFIG, "%s: is not WARC; expected an output name for JSONL", in->path);
	struct apply *a = in->a;
	const char *path = in->path;
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

static int take_file(struct apply *a, const char *path, struct error *err)
{
	struct input in = { a, path, false };
	int status = apply_read_lines(a, path, take_line, &in, err);
	if (!(status == DANA_OK && in.is_warc))
		return status;
	/* take a file of WARC */
	if (!a->kind.format->member_per_document)
		return error_set(err, DANA_ECONFIG,
				 "%s: is WARC; expected an output name that ends with .warc, .warc.gz or .warc.zst",
				 path);
	struct record_walk ids = { .a = a, .each = note_id }, records = { .a = a, .each = take_record };
	if (strcmp(path, "-") == 0)
		return error_set(err, DANA_ECONFIG, "WARC is read twice: give a file, not standard input");
	buf_clear(&a->ids);
	status = walk(&ids, path, err);
	if (status == DANA_OK)
		status = row_parts_find(&a->rows, (const uint32_t *)(const void *)a->ids.data,
					a->ids.len / sizeof(uint32_t), &records.at.part, err);
	/* the same input may stand in several files */
	row_cursor_free(&a->cursor);
	row_cursor_begin(&a->cursor, &a->rows);
	if (status == DANA_OK)
		status = walk(&records, path, err);
	/* the reasons of records do not name the file */
	struct error why = *err;

	if (status == DANA_OK || !why.text[0] || strncmp(why.text, path, strlen(path)) == 0)
		return status;
	*err = (struct error){ .status = DANA_OK };
	(void)error_set(err, why.status, "%s: %s", path, why.text);
	return status;
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

int apply_run(const struct apply_settings *s, struct apply_counts *counts, struct error *err)
{
	struct apply a = { .settings = s, .rows.file.fd = -1 };
	int status = open_all(&a, err);
	for (size_t i = 0; i < a.settings->n && status == DANA_OK; i++)
		status = take_file(&a, a.settings->inputs[i], err);
	if (status == DANA_OK)
		status = row_cursor_end(&a.cursor, err);
	if (status == DANA_OK)
		status = encoder_finish(a.encoder);
	if (a.encoder) {
		struct error end = { 0 };
		outputs_finish(&a.outputs, status < 0 ? OUTPUT_DISCARD : OUTPUT_FINAL, &end);
		if (status == DANA_OK && end.status < 0)
			status = error_set(err, end.status, "%s", end.text);
	}

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
