/* SPDX-License-Identifier: MIT */
/* Documents are written as they come; their buckets go into a sorter, which is emptied after the last document. */
#include "config.h"

#include "dedup/signatures.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/decimal.h"
#include "base/file/path.h"
#include "base/little_endian.h"
#include "dedup/store/pairs.h"

struct signature_maker {
	struct index_writer *out;
	struct pair_sorter *sorter;
	struct bands shape;
	struct parts parts;
	struct origin_store store;
	uint32_t row;
};

void signature_shape_write(struct index_writer *w, struct bands shape)
{
	char text[96];
	int len = snprintf(text, sizeof(text), "bands=%u\nrows=%u\nshingle=5\n", shape.bands, shape.rows);

	index_writer_put(w, text, (size_t)len);
	index_writer_next_section(w);
	index_writer_record(w, (uint32_t)(SIGNATURE_HEAD + shape_numbers(shape)));
}

void signature_maker_abandon(struct signature_maker *m)
{
	if (!m)
		return;
	index_writer_abandon(m->out);
	pair_sorter_free(m->sorter);
	parts_free(&m->parts);
	origin_store_free(&m->store);
	free(m);
}

struct signature_maker *signature_maker_new(const char *path, struct bands shape, size_t memory, bool force,
					    struct error *err)
{
	struct signature_maker *m = calloc(1, sizeof(*m));
	char *folder = path_folder(path);
	int status = m && folder ? DANA_OK : error_no_memory(err);

	if (status == DANA_OK) {
		m->shape = shape;
		m->out = index_writer_open(path, INDEX_SIGNATURES, force, err);
		m->sorter = m->out ? pair_sorter_new(folder, memory, err) : NULL;
		status = m->sorter ? DANA_OK : err->status;
	}
	if (status == DANA_OK)
		signature_shape_write(m->out, shape);
	free(folder);
	if (status == DANA_OK)
		return m;
	signature_maker_abandon(m);
	return NULL;
}

static int count_document(struct signature_maker *m, struct slice file, struct error *err)
{
	struct part *last = m->parts.n ? &m->parts.items[m->parts.n - 1] : NULL;

	if (last && slice_equal(slice_from_text(last->name), file)) {
		last->count++;
		return DANA_OK;
	}
	return parts_add(&m->parts, file, 1) < 0 ? error_no_memory(err) : DANA_OK;
}

int signature_maker_add(struct signature_maker *m, const struct signature *s, struct error *err)
{
	uint8_t head[SIGNATURE_HEAD];
	uint32_t score;

	if (m->row == UINT32_MAX)
		return error_set(err, DANA_ELIMIT, "more than 4294967295 documents; make several files");
	int status = count_document(m, s->origin.file, err);
	if (status < 0)
		return status;
	if (origin_pack(&m->store, &s->origin, head) < 0)
		return error_no_memory(err);
	memcpy(&score, &s->score, sizeof(score));
	little_endian_put_32(head + ORIGIN_BYTES, s->chars);
	little_endian_put_32(head + ORIGIN_BYTES + 4, score);
	index_writer_put(m->out, head, sizeof(head));
	index_writer_put(m->out, s->lowest, shape_numbers(m->shape));
	for (unsigned i = 0; s->buckets && i < m->shape.bands && status == DANA_OK; i++)
		status = pair_sorter_add(m->sorter, (struct pair){ s->buckets[i], m->row }, err);
	m->row++;
	return status;
}

/* ---- the end ---- */

static int write_buckets(struct signature_maker *m, struct error *err)
{
	struct pair p;
	int status = pair_sorter_finish(m->sorter, err);

	index_writer_next_section(m->out);
	index_writer_record(m->out, PAIR_BYTES);
	while (status >= 0 && (status = pair_sorter_next(m->sorter, &p, err)) == 1)
		pair_put(m->out, p);
	return status;
}

int signature_maker_finish(struct signature_maker *m, struct error *err)
{
	int status = write_buckets(m, err);

	index_writer_next_section(m->out);
	parts_write(&m->parts, m->out);
	index_writer_next_section(m->out);
	origin_store_write(&m->store, m->out);
	if (status == DANA_OK) {
		status = index_writer_finish(m->out, err);
		m->out = NULL;
	}
	signature_maker_abandon(m);
	return status;
}

/* ---- reading ---- */

/* Returns the number after "NAME=" at the start of a line; 0 if it is missing. */
static unsigned setting(const char *text, const char *name)
{
	size_t len = strlen(name);
	uint64_t value = 0;

	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, name, len) == 0 && line[len] == '=') {
			(void)decimal_prefix(slice_from_text(line + len + 1), &value);
			break;
		}
	}
	return value <= UINT16_MAX ? (unsigned)value : 0;
}

static int read_shape(struct signature_file *f, struct error *err)
{
	uint8_t *text;
	int status = index_file_load(&f->file, SIGNATURES_SHAPE, &text, err);

	if (status < 0)
		return status;
	f->shape = (struct bands){ setting((const char *)text, "bands"), setting((const char *)text, "rows") };
	unsigned shingle = setting((const char *)text, "shingle");
	free(text);
	if (f->shape.bands == 0 || f->shape.rows == 0 || shape_numbers(f->shape) > BANDS_NUMBERS_MOST || shingle != 5)
		return index_file_refuse(&f->file, "has signatures of an unknown shape: made by a newer dana?", err);
	return DANA_OK;
}

static int check_counts(struct signature_file *f, struct error *err)
{
	const struct index_section *documents = &f->file.sections[SIGNATURES_DOCUMENTS];
	uint64_t count = 0;

	for (size_t i = 0; i < f->parts.n; i++)
		count += f->parts.items[i].count;
	if (documents->record != SIGNATURE_HEAD + shape_numbers(f->shape) ||
	    count != index_file_count(&f->file, SIGNATURES_DOCUMENTS) || count > UINT32_MAX ||
	    index_file_count(&f->file, SIGNATURES_BUCKETS) > count * f->shape.bands)
		return index_file_refuse(&f->file, "is damaged: its counts do not fit", err);
	f->count = (uint32_t)count;
	return DANA_OK;
}

int signature_file_open(struct signature_file *f, const char *path, struct error *err)
{
	*f = (struct signature_file){ 0 };
	int status = index_file_open(&f->file, path, INDEX_SIGNATURES, err);
	if (status == DANA_OK)
		status = read_shape(f, err);
	if (status == DANA_OK)
		status = parts_load(&f->parts, &f->file, SIGNATURES_PARTS, err);
	if (status == DANA_OK)
		status = check_counts(f, err);
	if (status < 0)
		signature_file_close(f);
	return status;
}

void signature_file_close(struct signature_file *f)
{
	index_file_close(&f->file);
	parts_free(&f->parts);
}

double signature_similarity(const uint8_t *a, const uint8_t *b, size_t n)
{
	size_t equal = 0;

	for (size_t i = 0; i < n; i++)
		equal += a[i] == b[i];
	double share = (double)equal / (double)n, by_chance = 1.0 / 256;
	return share > by_chance ? (share - by_chance) / (1 - by_chance) : 0;
}
