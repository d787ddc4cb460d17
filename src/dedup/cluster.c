/* SPDX-License-Identifier: MIT */
/*
 * The sorted buckets of all files are merged, and rows that share a bucket are joined (union_find.h); cluster_rows.c
 * chooses what is kept and writes the list.
 */
#include "config.h"

#include "dedup/cluster.h"

#include <stdlib.h>

#include "base/file/path.h"
#include "dedup/cluster_private.h"

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
