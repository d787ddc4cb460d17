/* SPDX-License-Identifier: MIT */
/*
 * The sorted buckets of all files are merged, and rows that share a bucket are joined into groups. Then all documents
 * are read in order two or three times:
 *
 * 1. For CLUSTER_LONGEST and CLUSTER_BEST: which of each group is kept.
 * 2. Data of kept documents that have duplicates goes into a temporary file, and its place into `slots`.
 * 3. Each other document of a group is compared with the kept one, and becomes a row of the list.
 */
#include "config.h"

#include "dedup/cluster.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file.h"
#include "base/system.h"
#include "dedup/rows.h"

static const uint32_t WANTED = UINT32_MAX; /* in `slots`: a kept document with duplicates that has not been read yet */

struct cluster {
	const struct cluster_settings *settings;
	struct cluster_result *result;
	struct shards shards;
	char *folder; /* for temporary files */
	size_t bytes; /* of each array: a number for each row, in a mapped file. An array that is not made is NULL */
	uint32_t *parents; /* of a row in its group: a row that is not larger; the first row of a group has itself */
	uint32_t *kept;    /* at the first row of a group: the row that is kept; not made for CLUSTER_FIRST */
	uint32_t *values;  /* and the value it is chosen by */
	uint32_t *slots;   /* of a row: WANTED; or 1 + its number in `copies`; 0 */
	struct index_writer *copying;
	struct index_file copies; /* of kept documents: packed origin, lowest bytes of the signature */
	uint32_t n_copies;
	struct rows_maker *out;
	struct buf id;
	size_t part; /* of the shard */
	uint32_t part_left, row_in_part;
};

/*
 * Makes an array of zeros that may be larger than memory: the system may move unused parts of it to disk. The space of
 * its nameless file is taken at once, so that a full disk is an error here.
 */
static int make_array(const struct cluster *c, uint32_t **items, struct error *err)
{
	int fd = nameless_file_open(c->folder, err);
	if (fd < 0)
		return fd;
	int error = system_allocate(fd, (off_t)c->bytes);
	void *mapped = error ? MAP_FAILED : mmap(NULL, c->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (mapped == MAP_FAILED)
		(void)error_set(err, DANA_EIO, "%s: %s", c->folder, system_text(error ? error : errno));
	else
		*items = mapped;
	(void)close(fd);
	return *items ? DANA_OK : DANA_EIO;
}

static void free_array(const struct cluster *c, uint32_t **items)
{
	if (*items)
		(void)munmap(*items, c->bytes);
	*items = NULL;
}

/* ---- groups: disjoint sets of rows ---- */

/* Returns the first row of a group. It halves the path for the next time, so that paths stay short. */
static uint32_t first_row(const struct cluster *c, uint32_t row)
{
	uint32_t *parents = c->parents;
	while (parents[row] != row) {
		parents[row] = parents[parents[row]];
		row = parents[row];
	}
	return row;
}

static uint32_t kept_row(const struct cluster *c, uint32_t row)
{
	uint32_t first = first_row(c, row);
	return c->kept ? c->kept[first] : first;
}

/* ---- 1. choose the kept documents ---- */

static int choose(void *arg, const struct shard_document *d, struct error *err)
{
	struct cluster *c = arg;
	const uint32_t first = first_row(c, d->row), bits = little_endian_32(d->record + ORIGIN_BYTES + 4);
	/* larger for the document to be preferred; IEEE 754 numbers have the order of their bits but for the sign */
	const uint32_t value = c->settings->keep == CLUSTER_LONGEST ? little_endian_32(d->record + ORIGIN_BYTES)
			       : bits >> 31                         ? ~bits
								    : bits | UINT32_C(1) << 31;
	(void)err;
	if (d->row == first || value > c->values[first]) {
		c->kept[first] = d->row;
		c->values[first] = value;
	}
	return DANA_OK;
}

/* ---- 2. copy the kept documents ---- */

static int copy_kept(void *arg, const struct shard_document *d, struct error *err)
{
	struct cluster *c = arg;
	uint8_t packed[ORIGIN_BYTES];
	struct origin o;
	if (c->slots[d->row] != WANTED)
		return DANA_OK;
	int status = shard_document_origin(d, &c->id, &o, err);
	if (status < 0)
		return status;
	if (rows_maker_pack(c->out, &o, packed) < 0)
		return error_no_memory(err);
	index_writer_put(c->copying, packed, sizeof(packed));
	index_writer_put(c->copying, d->record + SIGNATURE_HEAD, shape_numbers(c->shards.shape));
	c->slots[d->row] = ++c->n_copies;
	return DANA_OK;
}

static int copy_all(struct cluster *c, struct error *err)
{
	int status = make_array(c, &c->slots, err);
	if (status < 0)
		return status;
	for (uint32_t row = 0; row < c->shards.documents; row++) {
		uint32_t kept = kept_row(c, row);
		c->result->groups += kept != row && c->slots[kept] == 0;
		if (kept != row)
			c->slots[kept] = WANTED;
	}
	c->copying = index_writer_open_temporary(c->folder, INDEX_RUN, err);
	if (!c->copying)
		return err->status;
	index_writer_record(c->copying, (uint32_t)(ORIGIN_BYTES + shape_numbers(c->shards.shape)));
	status = shards_walk(&c->shards, copy_kept, c, err);
	if (status < 0)
		return status;
	status = index_writer_finish_temporary(c->copying, &c->copies, err);
	c->copying = NULL;
	return status;
}

/* ---- 3. rows ---- */

static int drop(struct cluster *c, uint32_t kept, const struct shard_document *d, struct error *err)
{
	uint8_t copy[ORIGIN_BYTES + BANDS_NUMBERS_MOST];
	const size_t numbers = shape_numbers(c->shards.shape), len = ORIGIN_BYTES + numbers;
	struct origin own;
	int status = index_file_read(&c->copies, 0, (uint64_t)(c->slots[kept] - 1) * len, copy, len, err);
	if (status == DANA_OK)
		status = shard_document_origin(d, &c->id, &own, err);
	if (status < 0)
		return status;
	double similarity = signature_similarity(copy + ORIGIN_BYTES, d->record + SIGNATURE_HEAD, numbers);
	if (similarity < c->settings->similarity)
		return DANA_OK;
	return rows_maker_drop(c->out, c->row_in_part, row_id_hash(own.id), (float)similarity, copy);
}

static int list_row(void *arg, const struct shard_document *d, struct error *err)
{
	struct cluster *c = arg;
	const uint32_t kept = kept_row(c, d->row);
	int status = DANA_OK;
	if (d->row_in_shard == 0) {
		c->part = SIZE_MAX;
		c->part_left = 0;
	}
	while (status == DANA_OK && c->part_left == 0) {
		const struct origin_part *p = &d->file->parts.items[++c->part];
		status = rows_maker_part(c->out, slice_from_text(p->name), p->count, err);
		c->part_left = p->count;
		c->row_in_part = 0;
	}
	if (status == DANA_OK && kept != d->row)
		status = drop(c, kept, d, err);
	c->part_left--;
	c->row_in_part++;
	return status;
}

/* ---- all ---- */

static int write_list(struct cluster *c, const char *output, struct error *err)
{
	static const char *const words[] = { "first", "longest", "best" };
	char text[160];
	(void)snprintf(text, sizeof(text), "bands=%u\nrows=%u\nkeep=%s\nsimilarity=%g\n", c->shards.shape.bands,
		       c->shards.shape.rows, words[c->settings->keep], c->settings->similarity);
	c->out = rows_maker_new(output, text, c->settings->force, err);
	int status = c->out ? DANA_OK : (int)err->status;
	if (status == DANA_OK && c->settings->keep != CLUSTER_FIRST) {
		status = make_array(c, &c->kept, err);
		if (status == DANA_OK)
			status = make_array(c, &c->values, err);
		if (status == DANA_OK)
			status = shards_walk(&c->shards, choose, c, err);
		free_array(c, &c->values);
	}
	if (status == DANA_OK)
		status = copy_all(c, err);
	if (status == DANA_OK)
		status = shards_walk(&c->shards, list_row, c, err);
	if (status < 0)
		return status;
	c->result->dropped = rows_maker_dropped(c->out);
	status = rows_maker_finish(c->out, err);
	c->out = NULL;
	return status;
}

int cluster_files(const char *const *paths, size_t n, const char *output, const struct cluster_settings *settings,
		  struct cluster_result *result, struct error *err)
{
	struct cluster c = { .settings = settings, .result = result, .copies = { .fd = -1 } };

	*result = (struct cluster_result){ 0 };
	c.folder = settings->folder ? strdup(settings->folder) : path_folder(output);
	int status = c.folder ? shards_list(&c.shards, paths, n, err) : error_no_memory(err);
	result->documents = c.shards.documents;
	c.bytes = ((size_t)c.shards.documents + !c.shards.documents) * sizeof(uint32_t);
	if (status == DANA_OK) {
		struct runs *buckets = runs_new(c.folder, PAIR_BYTES, 0, err);
		status = buckets ? shards_add_buckets(&c.shards, buckets, err) : err->status;
		struct runs_record next;
		struct pair last = { 0 };

		if (status == DANA_OK)
			status = runs_sort(buckets, err);
		if (status == DANA_OK)
			status = make_array(&c, &c.parents, err);
		for (uint32_t row = 0; status == DANA_OK && row < c.shards.documents; row++)
			c.parents[row] = row;
		while (status >= 0 && (status = runs_next(buckets, &next, err)) == 1) {
			if (c.result->pairs++ && next.pair.key == last.key) {
				const uint32_t a = first_row(&c, (uint32_t)last.value);
				const uint32_t b = first_row(&c, (uint32_t)next.pair.value);
				c.parents[a < b ? b : a] = a < b ? a : b;
			}
			last = next.pair;
		}
		runs_free(buckets);
	}
	if (status == DANA_OK)
		status = write_list(&c, output, err);
	rows_maker_abandon(c.out);
	index_writer_abandon(c.copying);
	index_file_close(&c.copies);
	free_array(&c, &c.parents);
	free_array(&c, &c.kept);
	free_array(&c, &c.slots);
	shards_free(&c.shards);
	buf_free(&c.id);
	free(c.folder);
	return status;
}
