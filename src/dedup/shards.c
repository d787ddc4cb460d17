/* SPDX-License-Identifier: MIT */
/* Only one file is open at a time, so that any number of them can be listed. */
#include "config.h"

#include "dedup/shards.h"

#include <stdlib.h>

#include "dedup/hash_map.h"

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
