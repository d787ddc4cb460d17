/* SPDX-License-Identifier: MIT */
/*
 * Reads and writes files of signatures.
 *
 * Documents are written as they come; their buckets are sorted, and written after the last document.
 */
#include "config.h"

#include "dedup/signatures.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"

struct signature_maker {
	struct index_writer *out;
	struct runs *buckets;
	struct bands shape;
	struct parts parts;
	struct origin_store store;
	uint32_t row;
};

void signature_maker_abandon(struct signature_maker *m)
{
	if (!m)
		return;
	index_writer_abandon(m->out);
	runs_free(m->buckets);
	parts_free(&m->parts);
	origin_store_free(&m->store);
	free(m);
}

struct signature_maker *signature_maker_new(const char *path, struct bands shape, size_t memory, bool force,
					    struct error *err)
{
	struct signature_maker *m = calloc(1, sizeof(*m));
	char *folder = path_folder(path), text[96];
	if (m && folder) {
		m->shape = shape;
		m->out = index_writer_open(path, INDEX_SIGNATURES, force, err);
		m->buckets = m->out ? runs_new(folder, PAIR_BYTES, memory, err) : NULL;
	} else {
		(void)error_no_memory(err);
	}
	free(folder);
	if (!m || !m->buckets) {
		signature_maker_abandon(m);
		return NULL;
	}
	int len = snprintf(text, sizeof(text), "bands=%u\nrows=%u\nshingle=5\n", shape.bands, shape.rows);
	index_writer_put(m->out, text, (size_t)len);
	index_writer_next_section(m->out);
	index_writer_record(m->out, (uint32_t)(SIGNATURE_HEAD + shape_numbers(shape)));
	return m;
}

/* Writes a document whose numbers, score and signature are in `rest`, as they are in the file. */
static int put_document(struct signature_maker *m, const struct origin *o, const void *rest, size_t len,
			struct error *err)
{
	uint8_t packed[ORIGIN_BYTES];
	if (origin_pack(&m->store, o, packed) < 0)
		return error_no_memory(err);
	index_writer_put(m->out, packed, sizeof(packed));
	index_writer_put(m->out, rest, len);
	return index_writer_status(m->out);
}

int signature_maker_add(struct signature_maker *m, const struct signature *s, struct error *err)
{
	struct origin_part *last = m->parts.n ? &m->parts.items[m->parts.n - 1] : NULL;
	uint8_t numbers[8 + BANDS_NUMBERS_MOST];
	uint32_t score;
	if (m->row == UINT32_MAX)
		return error_set(err, DANA_ELIMIT, "more than 4294967295 documents; make several files");
	if (last && slice_equal(slice_from_text(last->name), s->origin.file))
		last->count++;
	else if (parts_add(&m->parts, s->origin.file, 1) < 0)
		return error_no_memory(err);
	memcpy(&score, &s->score, sizeof(score));
	little_endian_put_32(numbers, s->chars);
	little_endian_put_32(numbers + 4, score);
	memcpy(numbers + 8, s->lowest, shape_numbers(m->shape));
	int status = put_document(m, &s->origin, numbers, 8 + shape_numbers(m->shape), err);
	for (unsigned i = 0; s->buckets && i < m->shape.bands && status == DANA_OK; i++)
		status = runs_put_pair(m->buckets, (struct pair){ s->buckets[i], m->row }, err);
	m->row++;
	return status;
}

int signature_maker_finish(struct signature_maker *m, struct error *err)
{
	struct runs_record next;
	int status = runs_sort(m->buckets, err);
	index_writer_next_section(m->out);
	index_writer_record(m->out, PAIR_BYTES);
	while (status >= 0 && (status = runs_next(m->buckets, &next, err)) == 1)
		pair_put(m->out, next.pair);
	inputs_write(&m->parts, &m->store, m->out);
	if (status == DANA_OK) {
		status = index_writer_finish(m->out, err);
		m->out = NULL;
	}
	signature_maker_abandon(m);
	return status;
}

/* ---- reading ---- */

int signature_file_open(struct signature_file *f, const char *path, struct error *err)
{
	uint64_t bands, rows, shingle, count = 0;
	uint8_t *text = NULL;
	*f = (struct signature_file){ 0 };
	int status = index_file_open(&f->file, path, INDEX_SIGNATURES, err);
	if (status == DANA_OK)
		status = index_file_load(&f->file, SIGNATURES_SHAPE, &text, err);
	if (status == DANA_OK) {
		if (index_file_setting(text, "bands", &bands) && index_file_setting(text, "rows", &rows) &&
		    index_file_setting(text, "shingle", &shingle) && bands && rows && bands <= BANDS_NUMBERS_MOST &&
		    rows <= BANDS_NUMBERS_MOST / bands && shingle == 5)
			f->shape = (struct bands){ (unsigned)bands, (unsigned)rows };
		else
			status = index_file_refuse(&f->file,
						   "has signatures of an unknown shape: made by a newer dana?", err);
	}
	free(text);
	if (status == DANA_OK)
		status = parts_load(&f->parts, &f->file, SIGNATURES_PARTS, err);
	for (size_t i = 0; i < f->parts.n; i++)
		count += f->parts.items[i].count;
	if (status == DANA_OK &&
	    (f->file.sections[SIGNATURES_DOCUMENTS].record != SIGNATURE_HEAD + shape_numbers(f->shape) ||
	     count != index_file_count(&f->file, SIGNATURES_DOCUMENTS) || count > UINT32_MAX ||
	     index_file_count(&f->file, SIGNATURES_BUCKETS) > count * f->shape.bands))
		status = index_file_refuse(&f->file, "is damaged: its counts do not fit", err);
	f->count = (uint32_t)count;
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

/* ---- shards ---- */

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
	const struct bands shape = f.shape;
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

int shards_list(struct shards *all, const char *const *paths, size_t n, struct error *err)
{
	struct hash_map seen = { .most_bytes = SIZE_MAX };
	uint64_t documents = 0;
	int status = DANA_OK;
	all->items = calloc(n + 1, sizeof(*all->items));
	if (!all->items)
		return error_no_memory(err);
	for (all->n = 0; all->n < n && status == DANA_OK; all->n++) {
		all->items[all->n] = (struct shard){ .path = paths[all->n] };
		status = look_at(all, &all->items[all->n], &seen, err);
	}
	hash_map_free(&seen);
	if (status < 0)
		return status;
	qsort(all->items, all->n, sizeof(*all->items), by_first);
	for (size_t i = 0; i < all->n; i++) {
		all->items[i].base = documents;
		documents += all->items[i].count;
	}
	if (documents > UINT32_MAX)
		return error_set(err, DANA_ELIMIT, "%llu documents are more than the 4294967295 of one run",
				 (unsigned long long)documents);
	all->documents = (uint32_t)documents;
	return DANA_OK;
}

void shards_free(struct shards *all)
{
	for (size_t i = 0; i < all->n; i++)
		free(all->items[i].first);
	free(all->items);
	*all = (struct shards){ 0 };
}

int shards_add_buckets(const struct shards *all, struct runs *r, struct error *err)
{
	int status = DANA_OK;
	for (size_t i = 0; i < all->n && status == DANA_OK; i++) {
		const struct shard *s = &all->items[i];
		if (s->count)
			status = runs_add(
				r, &(struct sorted_run){ NULL, s->path, SIGNATURES_BUCKETS, s->base, s->count }, err);
	}
	return status;
}

int shard_document_origin(const struct shard_document *d, struct buf *id, struct origin *o, struct error *err)
{
	if (origin_unpack(d->names, d->record, id, o))
		return DANA_OK;
	if (buf_status(id) < 0)
		return error_no_memory(err);
	return index_file_refuse(&d->file->file, "is damaged: a document has an impossible origin", err);
}

int shards_walk(const struct shards *all, int (*visit)(void *arg, const struct shard_document *d, struct error *err),
		void *arg, struct error *err)
{
	int status = DANA_OK;
	for (const struct shard *s = all->items; s < all->items + all->n && status == DANA_OK; s++) {
		struct signature_file f;
		struct origin_names names = { 0 };
		struct index_reader reader = { 0 };
		struct shard_document d = { .file = &f, .names = &names, .row = (uint32_t)s->base };
		status = signature_file_open(&f, s->path, err);
		if (status < 0)
			break;
		if (f.count != s->count)
			status = index_file_refuse(&f.file, "has changed while it was being read", err);
		if (status == DANA_OK)
			status = origin_names_load(&names, &f.file, SIGNATURES_NAMES, SIGNATURES_STRINGS, err);
		if (status == DANA_OK)
			status = index_reader_open(&reader, &f.file, SIGNATURES_DOCUMENTS, err);
		for (; status >= 0 && (status = index_reader_next(&reader, &d.record, err)) == 1;
		     d.row++, d.row_in_shard++)
			status = visit(arg, &d, err);
		index_reader_close(&reader);
		origin_names_free(&names);
		signature_file_close(&f);
	}
	return status;
}

struct merger {
	struct signature_maker *maker;
	struct buf id;
};

/* Copies a document, and with the first of a file the list of its parts. */
static int copy_document(void *arg, const struct shard_document *d, struct error *err)
{
	struct merger *m = arg;
	struct origin o;
	int status = shard_document_origin(d, &m->id, &o, err);
	for (size_t i = 0; d->row_in_shard == 0 && i < d->file->parts.n && status == DANA_OK; i++) {
		const struct origin_part *p = &d->file->parts.items[i];
		if (parts_add(&m->maker->parts, slice_from_text(p->name), p->count) < 0)
			status = error_no_memory(err);
	}
	if (status < 0)
		return status;
	return put_document(m->maker, &o, d->record + ORIGIN_BYTES,
			    SIGNATURE_HEAD - ORIGIN_BYTES + shape_numbers(d->file->shape), err);
}

int signature_files_merge(const char *const *paths, size_t n, const char *output, bool force, struct error *err)
{
	struct shards shards = { 0 };
	struct merger m = { 0 };
	int status = shards_list(&shards, paths, n, err);
	if (status == DANA_OK) {
		m.maker = signature_maker_new(output, shards.shape, 0, force, err);
		status = m.maker ? shards_add_buckets(&shards, m.maker->buckets, err) : err->status;
	}
	if (status == DANA_OK)
		status = shards_walk(&shards, copy_document, &m, err);
	if (status == DANA_OK) {
		status = signature_maker_finish(m.maker, err);
		m.maker = NULL;
	}
	signature_maker_abandon(m.maker);
	shards_free(&shards);
	buf_free(&m.id);
	return status;
}
