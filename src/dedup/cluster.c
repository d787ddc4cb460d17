/* SPDX-License-Identifier: MIT */
/*
 * 1. The files are opened by turns, checked, put into order, and their documents numbered through.
 * 2. Their sorted pairs are merged, PAIR_FAN_IN files at a time; rows with one bucket are joined (union_find.h).
 * 3. cluster_rows.c chooses what is kept and writes the list.
 */
#include "config.h"

#include "dedup/cluster.h"

#include <stdlib.h>

#include "dedup/cluster_private.h"
#include "dedup/pairs.h"

static int no_memory(struct error *err)
{
	return error_set(err, DANA_ENOMEM, "%s", status_text(DANA_ENOMEM));
}

/* ---- 1. the files ---- */

static int look_at(struct cluster *c, struct shard *s, struct error *err)
{
	struct signature_file f;
	int status = signature_file_open(&f, s->path, err);

	if (status < 0)
		return status;
	s->count = f.count;
	s->first = strdup(f.parts.n ? f.parts.items[0].name : "");
	struct bands shape = f.shape;
	signature_file_close(&f);
	if (!s->first)
		return no_memory(err);
	if (s == c->shards)
		c->shape = shape;
	if (shape.bands != c->shape.bands || shape.rows != c->shape.rows)
		return error_set(err, DANA_ECONFIG,
				 "%s has %u bands of %u rows, %s has %u of %u: they cannot be compared", s->path,
				 shape.bands, shape.rows, c->shards[0].path, c->shape.bands, c->shape.rows);
	return DANA_OK;
}

static int by_first(const void *a, const void *b)
{
	const struct shard *x = a, *y = b;

	return strcmp(x->first, y->first);
}

/* Numbers the documents through. */
static int put_into_order(struct cluster *c, struct error *err)
{
	uint64_t rows = 0;

	qsort(c->shards, c->n, sizeof(*c->shards), by_first);
	for (size_t i = 0; i < c->n; i++) {
		struct shard *s = &c->shards[i];
		if (i && s->count && strcmp(s[-1].first, s->first) == 0)
			return error_set(err, DANA_ECONFIG, "%s and %s hold signatures of one input, %s", s[-1].path,
					 s->path, s->first);
		s->base = rows;
		rows += s->count;
	}
	if (rows > UINT32_MAX)
		return error_set(err, DANA_ELIMIT, "%llu documents are more than the 4294967295 of one run",
				 (unsigned long long)rows);
	c->result->documents = rows;
	return DANA_OK;
}

static int look_at_all(struct cluster *c, const char *const *paths, size_t n, struct error *err)
{
	int status = DANA_OK;

	c->shards = calloc(n + 1, sizeof(*c->shards));
	if (!c->shards)
		return no_memory(err);
	for (c->n = 0; c->n < n && status == DANA_OK; c->n++) {
		c->shards[c->n] = (struct shard){ .path = paths[c->n] };
		status = look_at(c, &c->shards[c->n], err);
	}
	return status == DANA_OK ? put_into_order(c, err) : status;
}

/* ---- 2. the buckets ---- */

/* Sorted runs of which no more are open than can be merged. */
struct runs {
	struct index_file files[PAIR_FAN_IN];
	struct pair_run runs[PAIR_FAN_IN];
	size_t n;
};

static void runs_close(struct runs *r)
{
	while (r->n)
		index_file_close(&r->files[--r->n]);
}

/* Makes one run of all. */
static int runs_join(struct cluster *c, struct runs *r, struct error *err)
{
	struct index_file merged;
	int status = pair_runs_merge(r->runs, r->n, c->folder, &merged, err);

	if (status < 0)
		return status;
	runs_close(r);
	r->files[0] = merged;
	r->runs[0] = (struct pair_run){ .file = &r->files[0] };
	r->n = 1;
	return DANA_OK;
}

static int runs_add(struct cluster *c, struct runs *r, struct shard *s, struct error *err)
{
	int status = r->n == PAIR_FAN_IN ? runs_join(c, r, err) : DANA_OK;

	if (status == DANA_OK)
		status = index_file_open(&r->files[r->n], s->path, INDEX_SIGNATURES, err);
	if (status < 0)
		return status;
	r->runs[r->n] = (struct pair_run){ &r->files[r->n], SIGNATURES_BUCKETS, s->base, s->count };
	r->n++;
	return DANA_OK;
}

static int join_rows(struct cluster *c, const struct runs *r, struct error *err)
{
	struct pair_merge *m = pair_merge_new(r->runs, r->n, err);
	struct pair last = { 0 }, p;
	uint64_t count = 0;
	int status = m ? 1 : err->status;

	while (m && (status = pair_merge_next(m, &p, err)) == 1) {
		if (count++ && p.key == last.key)
			union_find_join(c->groups, (uint32_t)last.value, (uint32_t)p.value);
		last = p;
	}
	pair_merge_free(m);
	c->result->pairs = count;
	return status;
}

static int find_groups(struct cluster *c, struct error *err)
{
	struct runs *r = calloc(1, sizeof(*r));
	int status = r ? DANA_OK : no_memory(err);

	if (r)
		c->groups = union_find_new(c->folder, (uint32_t)c->result->documents, err);
	if (r && !c->groups)
		status = err->status;
	for (size_t i = 0; i < c->n && status == DANA_OK; i++)
		status = runs_add(c, r, &c->shards[i], err);
	if (status == DANA_OK)
		status = join_rows(c, r, err);
	if (r)
		runs_close(r);
	free(r);
	return status;
}

/* ---- all ---- */

static void cluster_free(struct cluster *c)
{
	for (size_t i = 0; i < c->n; i++)
		free(c->shards[i].first);
	free(c->shards);
	free(c->folder);
	union_find_free(c->groups);
}

int cluster_files(const char *const *paths, size_t n, const char *output, const struct cluster_settings *settings,
		  struct cluster_result *result, struct error *err)
{
	struct cluster c = { .settings = settings, .result = result };

	*result = (struct cluster_result){ 0 };
	c.folder = settings->folder ? strdup(settings->folder) : index_folder(output);
	int status = c.folder ? DANA_OK : no_memory(err);
	if (status == DANA_OK)
		status = look_at_all(&c, paths, n, err);
	if (status == DANA_OK)
		status = find_groups(&c, err);
	if (status == DANA_OK)
		status = cluster_write(&c, output, err);
	cluster_free(&c);
	return status;
}
