/* SPDX-License-Identifier: MIT */
/*
 * Reads and writes lists of rows to drop.
 *
 * Links wait in a temporary file while bitmaps are written: a bitmap is complete when its part is. The length of a
 * bitmap follows from reading it, so no list of lengths is needed.
 */
#include "config.h"

#include "dedup/rows.h"

#include <errno.h>
#include <roaring/roaring.h>
#include <stdlib.h>

#include "base/ascii.h"
#include "base/file.h"

uint32_t row_id_hash(struct slice id)
{
	return (uint32_t)hash64(id);
}

/* ---- writing ---- */

struct rows_maker {
	struct index_writer *out, *links;
	struct parts parts;
	struct origin_store store;
	roaring_bitmap_t *bitmap; /* of the current part; NULL between parts */
	uint64_t dropped;
};

void rows_maker_abandon(struct rows_maker *m)
{
	if (!m)
		return;
	index_writer_abandon(m->out);
	index_writer_abandon(m->links);
	parts_free(&m->parts);
	origin_store_free(&m->store);
	if (m->bitmap)
		roaring_bitmap_free(m->bitmap);
	free(m);
}

struct rows_maker *rows_maker_new(const char *path, const char *text, bool force, struct error *err)
{
	struct rows_maker *m = calloc(1, sizeof(*m));
	char *folder = path_folder(path);
	if (m && folder) {
		m->out = index_writer_open(path, INDEX_ROWS, force, err);
		m->links = m->out ? index_writer_open_temporary(folder, INDEX_RUN, err) : NULL;
	} else {
		(void)error_no_memory(err);
	}
	free(folder);
	if (!m || !m->links) {
		rows_maker_abandon(m);
		return NULL;
	}
	index_writer_put(m->out, text, strlen(text));
	index_writer_next_section(m->out);
	index_writer_record(m->links, ROWS_LINK);
	return m;
}

/* Writes the bitmap of the current part. */
static int end_part(struct rows_maker *m, struct error *err)
{
	if (!m->bitmap)
		return DANA_OK;
	(void)roaring_bitmap_run_optimize(m->bitmap);
	size_t size = roaring_bitmap_portable_size_in_bytes(m->bitmap);
	char *bytes = malloc(size ? size : 1);
	if (!bytes)
		return error_no_memory(err);
	index_writer_put(m->out, bytes, roaring_bitmap_portable_serialize(m->bitmap, bytes));
	free(bytes);
	roaring_bitmap_free(m->bitmap);
	m->bitmap = NULL;
	return DANA_OK;
}

int rows_maker_part(struct rows_maker *m, struct slice name, uint32_t count, struct error *err)
{
	int status = end_part(m, err);
	if (status < 0)
		return status;
	m->bitmap = roaring_bitmap_create();
	return m->bitmap && parts_add(&m->parts, name, count) == DANA_OK ? DANA_OK : error_no_memory(err);
}

int rows_maker_pack(struct rows_maker *m, const struct origin *kept, uint8_t record[ORIGIN_BYTES])
{
	return origin_pack(&m->store, kept, record);
}

int rows_maker_drop(struct rows_maker *m, uint32_t row, uint32_t id_hash, float similarity,
		    const uint8_t kept[ORIGIN_BYTES])
{
	uint8_t record[ROWS_LINK];
	uint32_t bits;
	memcpy(&bits, &similarity, sizeof(bits));
	little_endian_put_32(record, id_hash);
	little_endian_put_32(record + 4, bits);
	memcpy(record + 8, kept, ORIGIN_BYTES);
	roaring_bitmap_add(m->bitmap, row);
	index_writer_put(m->links, record, sizeof(record));
	m->dropped++;
	return index_writer_status(m->links);
}

uint64_t rows_maker_dropped(const struct rows_maker *m)
{
	return m->dropped;
}

int rows_maker_finish(struct rows_maker *m, struct error *err)
{
	struct index_file links = { .fd = -1 };
	struct index_reader reader = { 0 };
	const uint8_t *record;
	int status = end_part(m, err);
	index_writer_next_section(m->out);
	index_writer_record(m->out, ROWS_LINK);
	if (status == DANA_OK) {
		status = index_writer_finish_temporary(m->links, &links, err);
		m->links = NULL;
	}
	if (status == DANA_OK)
		status = index_reader_open(&reader, &links, 0, err);
	while (status >= 0 && (status = index_reader_next(&reader, &record, err)) == 1)
		index_writer_put(m->out, record, ROWS_LINK);
	index_reader_close(&reader);
	index_file_close(&links);
	inputs_write(&m->parts, &m->store, m->out);
	if (status == DANA_OK) {
		status = index_writer_finish(m->out, err);
		m->out = NULL;
	}
	rows_maker_abandon(m);
	return status;
}

/* ---- reading ---- */

struct rows_part {
	roaring_bitmap_t *rows;
	uint64_t first; /* number of the first link */
};

static int impossible(const struct rows_file *f, struct error *err)
{
	return index_file_refuse(&f->file, "is damaged: its lists of rows cannot be read", err);
}

static int load_bitmaps(struct rows_file *f, struct error *err)
{
	uint8_t *bytes;
	uint64_t links = 0;
	f->bitmaps = calloc(f->parts.n + 1, sizeof(*f->bitmaps));
	if (!f->bitmaps)
		return error_no_memory(err);
	int status = index_file_load(&f->file, ROWS_BITMAPS, &bytes, err);
	if (status < 0)
		return status;
	const char *at = (const char *)bytes;
	size_t len = (size_t)f->file.sections[ROWS_BITMAPS].bytes;
	for (size_t i = 0; i < f->parts.n && status == DANA_OK; i++) {
		struct rows_part *p = &f->bitmaps[i];
		const size_t size = roaring_bitmap_portable_deserialize_size(at, len);
		errno = 0;
		p->rows = size ? roaring_bitmap_portable_deserialize_safe(at, size) : NULL;
		if (!p->rows) {
			status = errno == ENOMEM ? error_no_memory(err) : impossible(f, err);
			break;
		}
		p->first = links;
		links += roaring_bitmap_get_cardinality(p->rows);
		at += size;
		len -= size;
	}
	free(bytes);
	if (status == DANA_OK && (len || links != index_file_count(&f->file, ROWS_LINKS)))
		status = impossible(f, err);
	return status;
}

int rows_file_open(struct rows_file *f, const char *path, struct error *err)
{
	*f = (struct rows_file){ 0 };
	int status = index_file_open(&f->file, path, INDEX_ROWS, err);
	if (status == DANA_OK)
		status = index_file_verify(&f->file, err);
	if (status == DANA_OK && f->file.sections[ROWS_LINKS].record != ROWS_LINK)
		status = impossible(f, err);
	if (status == DANA_OK)
		status = parts_load(&f->parts, &f->file, ROWS_PARTS, err);
	if (status == DANA_OK)
		status = origin_names_load(&f->names, &f->file, ROWS_NAMES, ROWS_STRINGS, err);
	if (status == DANA_OK)
		status = load_bitmaps(f, err);
	if (status < 0)
		rows_file_close(f);
	return status;
}

void rows_file_close(struct rows_file *f)
{
	for (size_t i = 0; f->bitmaps && i < f->parts.n; i++) {
		if (f->bitmaps[i].rows)
			roaring_bitmap_free(f->bitmaps[i].rows);
	}
	free(f->bitmaps);
	f->bitmaps = NULL;
	index_file_close(&f->file);
	parts_free(&f->parts);
	origin_names_free(&f->names);
}

uint64_t rows_dropped(const struct rows_file *f, size_t part)
{
	return roaring_bitmap_get_cardinality(f->bitmaps[part].rows);
}

bool rows_contain(const struct rows_file *f, size_t part, uint32_t row)
{
	return roaring_bitmap_contains(f->bitmaps[part].rows, row);
}

int rows_link(const struct rows_file *f, size_t part, uint32_t row, struct buf *id, struct row_link *link,
	      struct error *err)
{
	const struct rows_part *p = &f->bitmaps[part];
	uint64_t number = p->first + roaring_bitmap_rank(p->rows, row) - 1;
	uint8_t record[ROWS_LINK];
	int status = index_file_read(&f->file, ROWS_LINKS, number * ROWS_LINK, record, sizeof(record), err);
	if (status < 0)
		return status;
	uint32_t similarity = little_endian_32(record + 4);
	link->id_hash = little_endian_32(record);
	memcpy(&link->similarity, &similarity, sizeof(similarity));
	if (origin_unpack(&f->names, record + 8, id, &link->kept))
		return DANA_OK;
	return buf_status(id) < 0 ? error_no_memory(err) : impossible(f, err);
}

/* ---- merging ---- */

static int copy_rows(struct rows_maker *m, const struct rows_file *f, size_t part, struct buf *id, struct error *err)
{
	uint8_t kept[ORIGIN_BYTES];
	struct row_link link;
	int status = DANA_OK;
	for (uint32_t row = 0; row < f->parts.items[part].count && status == DANA_OK; row++) {
		if (!rows_contain(f, part, row))
			continue;
		status = rows_link(f, part, row, id, &link, err);
		if (status == DANA_OK && rows_maker_pack(m, &link.kept, kept) < 0)
			return error_no_memory(err);
		if (status == DANA_OK && rows_maker_drop(m, row, link.id_hash, link.similarity, kept) < 0)
			return error_set(err, DANA_EIO, "%s: %s", f->file.path, status_text(DANA_EIO));
	}
	return status;
}

/*
 * An input may be in one list only: of two lists that were made of the same documents one may drop what the other
 * keeps, and the other way round, so that nothing would be left of a group.
 */
int rows_files_merge(const char *const *paths, size_t n, const char *output, bool force, struct error *err)
{
	struct rows_maker *m = rows_maker_new(output, "merged=1\n", force, err);
	struct buf id = { 0 };
	int status = m ? DANA_OK : (int)err->status;
	for (size_t i = 0; i < n && status == DANA_OK; i++) {
		struct rows_file f;
		status = rows_file_open(&f, paths[i], err);
		for (size_t k = 0; status == DANA_OK && k < f.parts.n; k++) {
			const struct origin_part *p = &f.parts.items[k];
			const struct slice name = slice_from_text(p->name);
			if (parts_find(&m->parts, name) != SIZE_MAX)
				status = error_set(err, DANA_ECONFIG,
						   "%s and an earlier list both hold rows of input %s", paths[i],
						   p->name);
			else
				status = rows_maker_part(m, name, p->count, err);
			if (status == DANA_OK)
				status = copy_rows(m, &f, k, &id, err);
		}
		rows_file_close(&f);
	}
	buf_free(&id);
	if (status == DANA_OK)
		return rows_maker_finish(m, err);
	rows_maker_abandon(m);
	return status;
}

/* ---- a walk over documents ---- */

static int wrong_count(const struct row_cursor *c, struct error *err)
{
	const struct origin_part *p = &c->rows->parts.items[c->part];
	return error_set(err, DANA_ECONFIG,
			 "%s had %u documents when the list of rows was made, and has %u now: both runs need the same "
			 "options",
			 p->name, p->count, c->row);
}

int row_cursor_end(const struct row_cursor *c, struct error *err)
{
	return c->part == SIZE_MAX || c->row == c->rows->parts.items[c->part].count ? DANA_OK : wrong_count(c, err);
}

int row_cursor_next(struct row_cursor *c, struct slice file, struct slice id, struct row_link *link, struct error *err)
{
	const struct origin_part *parts = c->rows->parts.items;
	if (c->part == SIZE_MAX || !slice_equal(slice_from_text(parts[c->part].name), file)) {
		int status = row_cursor_end(c, err);
		if (status < 0)
			return status;
		c->part = parts_find(&c->rows->parts, file);
		c->row = 0;
		if (c->part == SIZE_MAX)
			return error_set(err, DANA_ECONFIG,
					 "%.*s is not among the inputs that the list of rows was made of",
					 (int)file.len, (const char *)file.data);
	}
	uint32_t row = c->row++;
	if (row >= parts[c->part].count)
		return wrong_count(c, err);
	if (!rows_contain(c->rows, c->part, row))
		return 0;
	int status = rows_link(c->rows, c->part, row, &c->id, link, err);
	if (status == DANA_OK && link->id_hash != row_id_hash(id))
		status = error_set(err, DANA_ECONFIG,
				   "document %u of %s is not the one that the list of rows was made of: both runs need "
				   "the same options",
				   row, parts[c->part].name);
	return status < 0 ? status : 1;
}

void row_cursor_free(struct row_cursor *c)
{
	buf_free(&c->id);
}

/* ---- the inputs of documents ---- */

/* Returns 1 if the rows to drop of a part have these ids, else 0, or a negative status. */
static int part_fits(const struct rows_file *rows, size_t part, const uint32_t *hashes, struct error *err)
{
	struct row_link link;
	struct buf id = { 0 };
	int fits = 1;
	for (uint32_t row = 0; row < rows->parts.items[part].count && fits == 1; row++) {
		if (!rows_contain(rows, part, row))
			continue;
		int status = rows_link(rows, part, row, &id, &link, err);
		fits = status < 0 ? status : link.id_hash == hashes[row];
	}
	buf_free(&id);
	return fits;
}

/*
 * For each part, the sequence of parts that begins with it and has the same number of documents is compared by the ids
 * of rows to drop. A wrong one nearly always differs at its first row.
 */
int row_parts_find(const struct rows_file *rows, const uint32_t *hashes, size_t n, size_t *first, struct error *err)
{
	static const char refused[] = "its documents %s the list of rows, in their order";
	bool any = false, any_drops = false;
	for (size_t i = 0; i < rows->parts.n; i++) {
		size_t end = i, counted = 0;
		bool drops = false;
		while (end < rows->parts.n && counted < n)
			counted += rows->parts.items[end++].count;
		int fits = counted == n;
		for (size_t k = i, at = 0; k < end && fits == 1; at += rows->parts.items[k++].count) {
			fits = part_fits(rows, k, hashes + at, err);
			drops |= rows_dropped(rows, k) > 0;
		}
		if (fits < 0)
			return fits;
		if (!fits)
			continue;
		if (any && (drops || any_drops))
			return error_set(err, DANA_ECONFIG, refused, "match several inputs of");
		*first = i;
		any = true;
		any_drops = drops;
	}
	return any ? DANA_OK : error_set(err, DANA_ECONFIG, refused, "match no inputs of");
}
