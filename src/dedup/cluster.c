/* SPDX-License-Identifier: MIT */
/*
 * An array of 32-bit numbers in a mapped temporary file: it may be larger than memory.
 *
 * Disjoint sets of the numbers 0 to n - 1: 4 bytes for each, in a temporary file that is mapped into memory, so that
 * the system may move unused parts to disk. One thread.
 *
 * What cluster.c and cluster_rows.c share.
 *
 * Each number has a parent that is not larger; the least of a set is its own parent. A look-up halves the path for the
 * next time, so paths stay short.
 *
 * All documents are read in order two or three times:
 *
 * 1. For CLUSTER_LONGEST and CLUSTER_BEST: which of each group is kept.
 * 2. Data of kept documents that have duplicates goes into a temporary file, and its place into `slots`.
 * 3. Each other document of a group is compared with the kept one, and becomes a row of the list.
 *
 * The sorted buckets of all files are merged, and rows that share a bucket are joined (union_find.h); cluster_rows.c
 * chooses what is kept and writes the list.
 */
#include "config.h"

#include "dedup/cluster.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file/nameless_file.h"
#include "base/file/path.h"
#include "base/little_endian.h"
#include "base/status.h"
#include "dedup/rows.h"
#include "dedup/signatures.h"

/** Zeroed: not made. */
struct mapped_array {
	uint32_t *items; /* all 0 at first */
	size_t bytes;
};

struct union_find;

struct cluster {
	const struct cluster_settings *settings;
	struct cluster_result *result;
	struct shards shards;
	char *folder; /* for temporary files */
	struct union_find *groups;
};

static void union_find_free(struct union_find *u);

static int map_items(struct mapped_array *a, const char *name, int fd, struct error *err)
{
	int error = posix_fallocate(fd, 0, (off_t)a->bytes);

	if (error)
		return error_set(err, DANA_EIO, "%s: %s", name, system_text(error));
	void *items = mmap(NULL, a->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (items == MAP_FAILED)
		return error_set(err, DANA_EIO, "%s: %s", name, system_text(errno));
	a->items = items;
	return DANA_OK;
}

/** A file without a name in `folder`, whose space is taken at once, so that a full disk is an error here. */
static int mapped_array_make(struct mapped_array *a, const char *folder, size_t n, struct error *err)
{
	*a = (struct mapped_array){ .bytes = (n ? n : 1) * sizeof(*a->items) };
	int fd = nameless_file_open(folder, err);
	if (fd < 0)
		return fd;
	int status = map_items(a, folder, fd, err);
	(void)close(fd);
	return status;
}

static void mapped_array_free(struct mapped_array *a)
{
	if (a->items)
		(void)munmap(a->items, a->bytes);
	*a = (struct mapped_array){ 0 };
}

struct union_find {
	struct mapped_array parents;
};

/** Makes the nameless file in `folder`, with all of its space. Returns NULL with `err` set if that fails. */
static struct union_find *union_find_new(const char *folder, uint32_t n, struct error *err)
{
	struct union_find *u = calloc(1, sizeof(*u));

	if (!u) {
		(void)error_no_memory(err);
		return NULL;
	}
	if (mapped_array_make(&u->parents, folder, n, err) < 0) {
		union_find_free(u);
		return NULL;
	}
	for (uint32_t i = 0; i < n; i++)
		u->parents.items[i] = i;
	return u;
}

/** NULL allowed. */
static void union_find_free(struct union_find *u)
{
	if (!u)
		return;
	mapped_array_free(&u->parents);
	free(u);
}

/** Returns the least number in the set of `a`. */
static uint32_t union_find_first(struct union_find *u, uint32_t a)
{
	uint32_t *parents = u->parents.items;

	while (parents[a] != a) {
		parents[a] = parents[parents[a]];
		a = parents[a];
	}
	return a;
}

static void union_find_join(struct union_find *u, uint32_t a, uint32_t b)
{
	a = union_find_first(u, a);
	b = union_find_first(u, b);
	if (a < b)
		u->parents.items[b] = a;
	else
		u->parents.items[a] = b;
}

static const uint32_t WANTED = UINT32_MAX; /* in `slots`: a kept document with duplicates that has not been read yet */

struct walk;

/* Called for each document, with its number among all and its record. */
typedef int visit(struct walk *w, uint32_t row, const uint8_t *record, struct error *err);

struct walk {
	struct cluster *c;
	struct mapped_array kept;   /* at the first row of a group: the row that is kept; not made for CLUSTER_FIRST */
	struct mapped_array values; /* and the value it is chosen by */
	struct mapped_array slots;  /* of a row: WANTED; or 1 + its number in `copies`; 0 */
	struct index_writer *copying;
	struct index_file copies; /* of kept documents: packed origin, lowest bytes of the signature */
	uint32_t n_copies;
	struct rows_maker *out;
	/* the current shard */
	struct signature_file shard;
	struct origin_names names;
	struct buf id;
	uint64_t base;
	size_t part; /* of the shard */
	uint32_t part_left, row_in_part;
};

static uint32_t kept_row(struct walk *w, uint32_t row)
{
	uint32_t first = union_find_first(w->c->groups, row);

	return w->kept.items ? w->kept.items[first] : first;
}

/* ---- documents in order ---- */

static int walk_shard(struct walk *w, const struct shard *s, visit *each, struct error *err)
{
	struct index_reader reader = { 0 };
	const uint8_t *record;
	uint32_t row = 0;
	int status = origin_names_load(&w->names, &w->shard.file, SIGNATURES_NAMES, SIGNATURES_STRINGS, err);

	if (status == DANA_OK)
		status = index_reader_open(&reader, &w->shard.file, SIGNATURES_DOCUMENTS, err);
	w->base = s->base;
	w->part = SIZE_MAX;
	w->part_left = 0;
	while (status >= 0 && (status = index_reader_next(&reader, &record, err)) == 1)
		status = each(w, (uint32_t)s->base + row++, record, err);
	index_reader_close(&reader);
	origin_names_free(&w->names);
	return status;
}

static int walk_all(struct walk *w, visit *each, struct error *err)
{
	int status = DANA_OK;

	for (size_t i = 0; i < w->c->shards.n && status == DANA_OK; i++) {
		const struct shard *s = &w->c->shards.items[i];
		status = shard_open(s, &w->shard, err);
		if (status < 0)
			break;
		status = walk_shard(w, s, each, err);
		signature_file_close(&w->shard);
	}
	return status;
}

static int read_origin(struct walk *w, const uint8_t *record, struct origin *o, struct error *err)
{
	if (origin_unpack(&w->names, record, &w->id, o))
		return DANA_OK;
	if (buf_status(&w->id) < 0)
		return error_no_memory(err);
	return index_file_refuse(&w->shard.file, "is damaged: a document has an impossible origin", err);
}

/* ---- 1. choose the kept documents ---- */

/* Returns a number that is larger for the document to be preferred. */
static uint32_t value_of(const struct walk *w, const uint8_t *record)
{
	uint32_t chars = little_endian_32(record + ORIGIN_BYTES), bits = little_endian_32(record + ORIGIN_BYTES + 4);

	if (w->c->settings->keep == CLUSTER_LONGEST)
		return chars;
	/* IEEE 754 numbers have the order of their bits, except for the sign */
	return bits >> 31 ? ~bits : bits | UINT32_C(1) << 31;
}

static int choose(struct walk *w, uint32_t row, const uint8_t *record, struct error *err)
{
	uint32_t first = union_find_first(w->c->groups, row), value = value_of(w, record);

	(void)err;
	if (row == first || value > w->values.items[first]) {
		w->kept.items[first] = row;
		w->values.items[first] = value;
	}
	return DANA_OK;
}

static int choose_all(struct walk *w, struct error *err)
{
	size_t n = w->c->shards.documents;

	if (w->c->settings->keep == CLUSTER_FIRST)
		return DANA_OK;
	int status = mapped_array_make(&w->kept, w->c->folder, n, err);
	if (status == DANA_OK)
		status = mapped_array_make(&w->values, w->c->folder, n, err);
	if (status == DANA_OK)
		status = walk_all(w, choose, err);
	mapped_array_free(&w->values);
	return status;
}

/* ---- 2. copy the kept documents ---- */

static int copy_kept(struct walk *w, uint32_t row, const uint8_t *record, struct error *err)
{
	uint8_t packed[ORIGIN_BYTES];
	struct origin o;

	if (w->slots.items[row] != WANTED)
		return DANA_OK;
	int status = read_origin(w, record, &o, err);
	if (status < 0)
		return status;
	if (rows_maker_pack(w->out, &o, packed) < 0)
		return error_no_memory(err);
	index_writer_put(w->copying, packed, sizeof(packed));
	index_writer_put(w->copying, record + SIGNATURE_HEAD, shape_numbers(w->c->shards.shape));
	w->slots.items[row] = ++w->n_copies;
	return DANA_OK;
}

static int copy_all_kept(struct walk *w, struct error *err)
{
	uint32_t n = w->c->shards.documents;
	int status = mapped_array_make(&w->slots, w->c->folder, n, err);

	if (status < 0)
		return status;
	for (uint32_t row = 0; row < n; row++) {
		uint32_t kept = kept_row(w, row);
		w->c->result->groups += kept != row && w->slots.items[kept] == 0;
		if (kept != row)
			w->slots.items[kept] = WANTED;
	}
	w->copying = index_writer_open_temporary(w->c->folder, INDEX_RUN, err);
	if (!w->copying)
		return err->status;
	index_writer_record(w->copying, (uint32_t)(ORIGIN_BYTES + shape_numbers(w->c->shards.shape)));
	status = walk_all(w, copy_kept, err);
	if (status < 0)
		return status;
	status = index_writer_finish_temporary(w->copying, &w->copies, err);
	w->copying = NULL;
	return status;
}

/* ---- 3. rows ---- */

/* Moves to the part of the next document of the shard. */
static int next_part(struct walk *w, struct error *err)
{
	int status = DANA_OK;

	while (status == DANA_OK && w->part_left == 0) {
		const struct part *p = &w->shard.parts.items[++w->part];
		status = rows_maker_part(w->out, slice_from_text(p->name), p->count, err);
		w->part_left = p->count;
		w->row_in_part = 0;
	}
	w->part_left--;
	return status;
}

static int drop(struct walk *w, uint32_t kept, const uint8_t *record, struct error *err)
{
	uint8_t copy[ORIGIN_BYTES + BANDS_NUMBERS_MOST];
	size_t numbers = shape_numbers(w->c->shards.shape), len = ORIGIN_BYTES + numbers;
	struct origin own;
	int status = index_file_read(&w->copies, 0, (uint64_t)(w->slots.items[kept] - 1) * len, copy, len, err);

	if (status == DANA_OK)
		status = read_origin(w, record, &own, err);
	if (status < 0)
		return status;
	double similarity = signature_similarity(copy + ORIGIN_BYTES, record + SIGNATURE_HEAD, numbers);
	if (similarity < w->c->settings->similarity)
		return DANA_OK;
	return rows_maker_drop(w->out, w->row_in_part, row_id_hash(own.id), (float)similarity, copy);
}

static int visit_row(struct walk *w, uint32_t row, const uint8_t *record, struct error *err)
{
	int status = next_part(w, err);
	uint32_t kept = kept_row(w, row);

	if (status == DANA_OK && kept != row)
		status = drop(w, kept, record, err);
	w->row_in_part++;
	return status;
}

/* ---- all ---- */

static struct rows_maker *open_list(const struct cluster *c, const char *output, struct error *err)
{
	static const char *const words[] = { "first", "longest", "best" };
	char text[160];

	(void)snprintf(text, sizeof(text), "bands=%u\nrows=%u\nkeep=%s\nsimilarity=%g\n", c->shards.shape.bands,
		       c->shards.shape.rows, words[c->settings->keep], c->settings->similarity);
	return rows_maker_new(output, text, c->settings->force, err);
}

/** Chooses the document to keep of each group, and writes the list of all others. */
static int cluster_write(struct cluster *c, const char *output, struct error *err)
{
	struct walk w = { .c = c, .copies = { .fd = -1 } };
	int status = DANA_OK;

	w.out = open_list(c, output, err);
	status = w.out ? choose_all(&w, err) : err->status;
	if (status == DANA_OK)
		status = copy_all_kept(&w, err);
	if (status == DANA_OK)
		status = walk_all(&w, visit_row, err);
	if (status == DANA_OK) {
		c->result->dropped = rows_maker_dropped(w.out);
		status = rows_maker_finish(w.out, err);
		w.out = NULL;
	}
	rows_maker_abandon(w.out);
	index_writer_abandon(w.copying);
	index_file_close(&w.copies);
	mapped_array_free(&w.kept);
	mapped_array_free(&w.slots);
	buf_free(&w.id);
	return status;
}

static int join_rows(struct cluster *c, struct pair_merge *m, struct error *err)
{
	struct pair last = { 0 }, p;
	int status;

	while ((status = pair_merge_next(m, &p, err)) == 1) {
		if (c->result->pairs++ && p.key == last.key)
			union_find_join(c->groups, (uint32_t)last.value, (uint32_t)p.value);
		last = p;
	}
	return status;
}

static int find_groups(struct cluster *c, struct error *err)
{
	struct shard_buckets *b = calloc(1, sizeof(*b));
	int status = b ? shard_buckets_open(b, &c->shards, c->folder, err) : error_no_memory(err);

	if (status == DANA_OK) {
		c->groups = union_find_new(c->folder, c->shards.documents, err);
		status = c->groups ? join_rows(c, b->merge, err) : err->status;
	}
	if (b)
		shard_buckets_close(b);
	free(b);
	return status;
}

int cluster_files(const char *const *paths, size_t n, const char *output, const struct cluster_settings *settings,
		  struct cluster_result *result, struct error *err)
{
	struct cluster c = { .settings = settings, .result = result };

	*result = (struct cluster_result){ 0 };
	c.folder = settings->folder ? strdup(settings->folder) : path_folder(output);
	int status = c.folder ? shards_list(&c.shards, paths, n, err) : error_no_memory(err);
	result->documents = c.shards.documents;
	if (status == DANA_OK)
		status = find_groups(&c, err);
	if (status == DANA_OK)
		status = cluster_write(&c, output, err);
	shards_free(&c.shards);
	free(c.folder);
	union_find_free(c.groups);
	return status;
}
