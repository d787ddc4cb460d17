/* SPDX-License-Identifier: MIT */
/*
 * Several files of signatures, in the order of the names of their first inputs, with their documents numbered
 * consecutively.
 */
#ifndef DANA_DEDUP_SHARDS_H
#define DANA_DEDUP_SHARDS_H

#include "dedup/signatures.h"
#include "dedup/store/pairs.h"

/** A file of signatures; it is open only while it is read. */
struct shard {
	const char *path;
	char *first;    /* name of its first input */
	uint64_t base;  /* number of its first document */
	uint32_t count; /* documents */
};

/** Zero-initialised it is empty. */
struct shards {
	struct shard *items;
	size_t n;
	struct bands shape; /* of all */
	uint32_t documents;
};

/**
 * Reads the head of each file. Returns DANA_ECONFIG if two have different shapes or share an input, DANA_ELIMIT if
 * there are more than 4,294,967,295 documents.
 */
int shards_list(struct shards *s, const char *const *paths, size_t n, struct error *err);
void shards_free(struct shards *s);

/** Opens a shard again. Returns DANA_EFORMAT if it has changed. */
int shard_open(const struct shard *s, struct signature_file *f, struct error *err);

/** The buckets of all shards, merged in order; at most PAIR_FAN_IN files are open. */
struct shard_buckets {
	struct index_file files[PAIR_FAN_IN];
	struct pair_run runs[PAIR_FAN_IN];
	size_t n;
	struct pair_merge *merge;
};

/** `folder`: for temporary files, if there are more shards than that. Zero-initialise `b`; close it also on failure. */
int shard_buckets_open(struct shard_buckets *b, const struct shards *s, const char *folder, struct error *err);
void shard_buckets_close(struct shard_buckets *b);

#endif
