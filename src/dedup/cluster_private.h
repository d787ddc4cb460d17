/* SPDX-License-Identifier: MIT */
/* What cluster.c and cluster_rows.c share. */
#ifndef DANA_DEDUP_CLUSTER_PRIVATE_H
#define DANA_DEDUP_CLUSTER_PRIVATE_H

#include "dedup/cluster.h"
#include "dedup/shards.h"
#include "dedup/union_find.h"

struct cluster {
	const struct cluster_settings *settings;
	struct cluster_result *result;
	struct shards shards;
	char *folder; /* for temporary files */
	struct union_find *groups;
};

/** Chooses the document to keep of each group, and writes the list of all others. */
int cluster_write(struct cluster *c, const char *output, struct error *err);

#endif
