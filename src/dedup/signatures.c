/* SPDX-License-Identifier: MIT */
/*
 * Documents are written as they come; their buckets go into a sorter, which is emptied after the last document.
 *
 * Only one file is open at a time, so that any number of them can be listed.
 *
 * Documents are copied file by file, their origins packed anew; buckets come from a merge of all.
 */
#include "config.h"

#include "dedup/signatures.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/decimal.h"
#include "base/file/path.h"
#include "base/little_endian.h"
#include "dedup/counts.h"
#include "dedup/runs.h"

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

/* ---- the list ---- */

/*
 * A row is identified by its input's name, so no two shards may have the same input. `seen` maps the name's hash to
 * shard + 1.
 */
static int check_inputs(struct shards *all, const struct signature_file *f, struct hash_map *seen, struct error *err)
{
	for (size_t i = 0; i < f->parts.n; i++) {
		const char *name = f->parts.items[i].name;
		uint64_t *shard;
		int status = hash_map_put(seen, hash64(slice_from_text(name)), &shard);
		if (status < 0)
			return error_no_memory(err);
		if (status == 1)
			return error_set(err, DANA_ECONFIG, "%s and %s hold signatures of one input, %s",
					 all->items[*shard - 1].path, f->file.path, name);
		*shard = all->n + 1;
	}
	return DANA_OK;
}

static int look_at(struct shards *all, struct shard *s, struct hash_map *seen, struct error *err)
{
	struct signature_file f;
	int status = signature_file_open(&f, s->path, err);

	if (status < 0)
		return status;
	s->count = f.count;
	s->first = strdup(f.parts.n ? f.parts.items[0].name : "");
	struct bands shape = f.shape;
	status = s->first ? check_inputs(all, &f, seen, err) : error_no_memory(err);
	signature_file_close(&f);
	if (status < 0)
		return status;
	if (s == all->items)
		all->shape = shape;
	if (shape.bands != all->shape.bands || shape.rows != all->shape.rows)
		return error_set(err, DANA_ECONFIG,
				 "%s has %u bands of %u rows, %s has %u of %u: they cannot be compared", s->path,
				 shape.bands, shape.rows, all->items[0].path, all->shape.bands, all->shape.rows);
	return DANA_OK;
}

static int by_first(const void *a, const void *b)
{
	const struct shard *x = a, *y = b;

	return strcmp(x->first, y->first);
}

/* Sorts the shards and numbers their documents consecutively. */
static int put_into_order(struct shards *all, struct error *err)
{
	uint64_t documents = 0;

	qsort(all->items, all->n, sizeof(*all->items), by_first);
	for (size_t i = 0; i < all->n; i++) {
		struct shard *s = &all->items[i];
		s->base = documents;
		documents += s->count;
	}
	if (documents > UINT32_MAX)
		return error_set(err, DANA_ELIMIT, "%llu documents are more than the 4294967295 of one run",
				 (unsigned long long)documents);
	all->documents = (uint32_t)documents;
	return DANA_OK;
}

int shards_list(struct shards *all, const char *const *paths, size_t n, struct error *err)
{
	struct hash_map seen = { .most_bytes = SIZE_MAX };
	int status = DANA_OK;

	all->items = calloc(n + 1, sizeof(*all->items));
	if (!all->items)
		return error_no_memory(err);
	for (all->n = 0; all->n < n && status == DANA_OK; all->n++) {
		all->items[all->n] = (struct shard){ .path = paths[all->n] };
		status = look_at(all, &all->items[all->n], &seen, err);
	}
	hash_map_free(&seen);
	return status == DANA_OK ? put_into_order(all, err) : status;
}

void shards_free(struct shards *all)
{
	for (size_t i = 0; i < all->n; i++)
		free(all->items[i].first);
	free(all->items);
	*all = (struct shards){ 0 };
}

int shard_open(const struct shard *s, struct signature_file *f, struct error *err)
{
	int status = signature_file_open(f, s->path, err);

	if (status == DANA_OK && f->count != s->count) {
		status = index_file_refuse(&f->file, "has changed while it was being read", err);
		signature_file_close(f);
	}
	return status;
}

/* ---- buckets ---- */

static void close_files(struct shard_buckets *b)
{
	while (b->n)
		index_file_close(&b->files[--b->n]);
}

/* Merges all open runs into one. */
static int join_runs(struct shard_buckets *b, const char *folder, struct error *err)
{
	struct index_file merged;
	int status = pair_runs_merge(b->runs, b->n, folder, &merged, err);

	if (status < 0)
		return status;
	close_files(b);
	b->files[0] = merged;
	b->runs[0] = (struct pair_run){ .file = &b->files[0] };
	b->n = 1;
	return DANA_OK;
}

static int add_run(struct shard_buckets *b, const struct shard *s, const char *folder, struct error *err)
{
	int status = b->n == PAIR_FAN_IN ? join_runs(b, folder, err) : DANA_OK;

	if (status == DANA_OK)
		status = index_file_open(&b->files[b->n], s->path, INDEX_SIGNATURES, err);
	if (status < 0)
		return status;
	b->runs[b->n] = (struct pair_run){ &b->files[b->n], SIGNATURES_BUCKETS, s->base, s->count };
	b->n++;
	return DANA_OK;
}

int shard_buckets_open(struct shard_buckets *b, const struct shards *all, const char *folder, struct error *err)
{
	int status = DANA_OK;

	for (size_t i = 0; i < all->n && status == DANA_OK; i++) {
		if (all->items[i].count)
			status = add_run(b, &all->items[i], folder, err);
	}
	if (status < 0)
		return status;
	b->merge = pair_merge_new(b->runs, b->n, err);
	return b->merge ? DANA_OK : err->status;
}

void shard_buckets_close(struct shard_buckets *b)
{
	pair_merge_free(b->merge);
	b->merge = NULL;
	close_files(b);
}

struct merger {
	struct shards shards;
	struct index_writer *out;
	struct origin_store store;
	struct parts parts;
	struct buf id;
	char *folder;
};

static int copy_document(struct merger *m, const struct signature_file *f, const struct origin_names *names,
			 const uint8_t *record, struct error *err)
{
	uint8_t packed[ORIGIN_BYTES];
	struct origin o;

	if (!origin_unpack(names, record, &m->id, &o))
		return buf_status(&m->id) < 0
			       ? error_no_memory(err)
			       : index_file_refuse(&f->file, "is damaged: a document has an impossible origin", err);
	if (origin_pack(&m->store, &o, packed) < 0)
		return error_no_memory(err);
	index_writer_put(m->out, packed, ORIGIN_BYTES);
	index_writer_put(m->out, record + ORIGIN_BYTES, SIGNATURE_HEAD - ORIGIN_BYTES + shape_numbers(m->shards.shape));
	return index_writer_status(m->out);
}

static int copy_documents(struct merger *m, const struct signature_file *f, struct error *err)
{
	struct origin_names names;
	struct index_reader reader = { 0 };
	const uint8_t *record;
	int status = origin_names_load(&names, &f->file, SIGNATURES_NAMES, SIGNATURES_STRINGS, err);

	if (status == DANA_OK)
		status = index_reader_open(&reader, &f->file, SIGNATURES_DOCUMENTS, err);
	while (status >= 0 && (status = index_reader_next(&reader, &record, err)) == 1)
		status = copy_document(m, f, &names, record, err);
	index_reader_close(&reader);
	origin_names_free(&names);
	for (size_t i = 0; i < f->parts.n && status == DANA_OK; i++) {
		const struct part *p = &f->parts.items[i];
		status = parts_add(&m->parts, slice_from_text(p->name), p->count);
	}
	return status;
}

static int copy_all(struct merger *m, struct error *err)
{
	int status = DANA_OK;

	signature_shape_write(m->out, m->shards.shape);
	for (size_t i = 0; i < m->shards.n && status == DANA_OK; i++) {
		struct signature_file f;
		status = shard_open(&m->shards.items[i], &f, err);
		if (status < 0)
			break;
		status = copy_documents(m, &f, err);
		signature_file_close(&f);
	}
	return status;
}

static int copy_buckets(struct merger *m, struct error *err)
{
	struct shard_buckets *b = calloc(1, sizeof(*b));
	int status = b ? shard_buckets_open(b, &m->shards, m->folder, err) : error_no_memory(err);
	struct pair p;

	index_writer_next_section(m->out);
	index_writer_record(m->out, PAIR_BYTES);
	while (status >= 0 && (status = pair_merge_next(b->merge, &p, err)) == 1)
		pair_put(m->out, p);
	if (b)
		shard_buckets_close(b);
	free(b);
	return status;
}

static void write_tail(struct merger *m)
{
	index_writer_next_section(m->out);
	parts_write(&m->parts, m->out);
	index_writer_next_section(m->out);
	origin_store_write(&m->store, m->out);
}

int signature_files_merge(const char *const *paths, size_t n, const char *output, bool force, struct error *err)
{
	struct merger m = { .folder = path_folder(output) };
	int status = m.folder ? shards_list(&m.shards, paths, n, err) : error_no_memory(err);

	if (status == DANA_OK) {
		m.out = index_writer_open(output, INDEX_SIGNATURES, force, err);
		status = m.out ? copy_all(&m, err) : err->status;
	}
	if (status == DANA_OK)
		status = copy_buckets(&m, err);
	if (status == DANA_OK) {
		write_tail(&m);
		status = index_writer_finish(m.out, err);
		m.out = NULL;
	}
	index_writer_abandon(m.out);
	shards_free(&m.shards);
	origin_store_free(&m.store);
	parts_free(&m.parts);
	buf_free(&m.id);
	free(m.folder);
	return status;
}
