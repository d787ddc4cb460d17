/* SPDX-License-Identifier: MIT */
/*
 * Sorted runs: records of one size that begin with two 64-bit numbers, a key and a value, and are sorted by them. What
 * is joined by its hash goes through here: the hash is the key.
 *
 * Any number of records is sorted in bounded memory: as often as it is full, its records become a temporary file, and
 * in the end these files, and sections of others, are merged. At most RUNS_MOST files are open at the same time. One
 * thread.
 *
 *	struct runs *r = runs_new(folder, PAIR_BYTES, memory, err);
 *	runs_put_pair(r, pair, err) ... runs_sort(r, err);
 *	while ((status = runs_next(r, &next, err)) == 1) ...
 */
#ifndef DANA_DEDUP_RUNS_H
#define DANA_DEDUP_RUNS_H

#include "base/ascii.h"
#include "dedup/index_file.h"

struct pair {
	uint64_t key, value;
};

enum { PAIR_BYTES = 16, RUNS_MOST = 64 };

static inline struct pair pair_read(const uint8_t *record)
{
	return (struct pair){ little_endian_64(record), little_endian_64(record + 8) };
}

static inline void pair_write(uint8_t *record, struct pair p)
{
	little_endian_put_64(record, p.key);
	little_endian_put_64(record + 8, p.value);
}

/** Puts a pair into the section under way. */
static inline void pair_put(struct index_writer *w, struct pair p)
{
	uint8_t record[PAIR_BYTES];
	pair_write(record, p);
	index_writer_put(w, record, sizeof(record));
}

struct runs;

/**
 * For records of `record` bytes. Half of `memory` holds records, half is what sorting needs; temporary files are made
 * in `folder`. Pairs are sorted by their keys and stay in the order in which they were put; longer records are sorted
 * by key and value. Returns NULL with `err` set if memory is exhausted.
 */
struct runs *runs_new(const char *folder, uint32_t record, size_t memory, struct error *err);
/** NULL is allowed. */
void runs_free(struct runs *r);
int runs_put(struct runs *r, const void *record, struct error *err);

static inline int runs_put_pair(struct runs *r, struct pair p, struct error *err)
{
	uint8_t record[PAIR_BYTES];
	pair_write(record, p);
	return runs_put(r, record, err);
}

/** A sorted section of a file. */
struct sorted_run {
	const struct index_file *file; /* must stay open; NULL if runs shall open the file `path`, and close it */
	const char *path;
	unsigned section;
	uint64_t base;  /* is added to each value */
	uint64_t limit; /* each value in the file must be below it; 0: any */
};

/** Adds the records of a run. */
int runs_add(struct runs *r, const struct sorted_run *run, struct error *err);
/** Ends the adding. Needed before runs_next. */
int runs_sort(struct runs *r, struct error *err);

#define RUN_OWN SIZE_MAX

/** `from` is right as long as there are RUNS_MOST runs at most: of more the first ones become one. */
struct runs_record {
	struct pair pair;
	const uint8_t *bytes; /* of the record, without the base; valid until the next call */
	size_t from;          /* number of the run, in the order of runs_add; RUN_OWN: of runs_put */
};

/**
 * Returns 1 and the next record: by key, then by value where that rises in each run, then by run; 0 at the end; or a
 * negative status, also if a run is not sorted, breaks its limit or has another checksum.
 */
int runs_next(struct runs *r, struct runs_record *next, struct error *err);

#endif
