/* SPDX-License-Identifier: MIT */
/*
 * Pairs of two 64-bit numbers, a key and a value, in files and in memory, sorted by key. What is joined by its hash
 * goes through here: the hash is the key.
 */
#ifndef DANA_DEDUP_RUNS_H
#define DANA_DEDUP_RUNS_H

#include "base/little_endian.h"
#include "dedup/index_file.h"

struct pair {
	uint64_t key, value;
};

enum { PAIR_BYTES = 16 }; /* in a file: key, value */

static inline bool pair_before(struct pair a, struct pair b)
{
	return a.key < b.key || (a.key == b.key && a.value < b.value);
}

static inline struct pair pair_read(const uint8_t *record)
{
	return (struct pair){ little_endian_64(record), little_endian_64(record + 8) };
}

static inline void pair_put(struct index_writer *w, struct pair p)
{
	uint8_t record[PAIR_BYTES];

	little_endian_put_64(record, p.key);
	little_endian_put_64(record + 8, p.value);
	index_writer_put(w, record, sizeof(record));
}

/** Sorts by key and keeps the order of equal keys. Linear; `spare` has room for `n`. The result is in `pairs`. */
void pairs_sort(struct pair *pairs, struct pair *spare, size_t n);

/** A sorted section of a file. */
struct pair_run {
	struct index_file *file;
	unsigned section;
	uint64_t base;  /* is added to each value */
	uint64_t limit; /* each value in the file must be below it; 0: any */
};

/** Joins sorted runs into one order: by key, then by value where that rises in each run. Reading a run to its end
 * checks its checksum. One thread. */
struct pair_merge;

/** The files must stay open. NULL with `err` when memory is exhausted. */
struct pair_merge *pair_merge_new(const struct pair_run *runs, size_t n, struct error *err);
/** The next pair: 1; 0 at the end; negative, also when a run is not sorted or breaks its limit. */
int pair_merge_next(struct pair_merge *m, struct pair *out, struct error *err);
/** NULL allowed. */
void pair_merge_free(struct pair_merge *m);

/**
 * Sorts any number of pairs in bounded memory: as often as `memory` is full, its pairs become a sorted temporary file
 * in `folder`; pair_sorter_finish merges them. At most PAIR_FAN_IN files are read at the same time.
 */
struct pair_sorter;

enum { PAIR_FAN_IN = 64 };

struct pair_sorter *pair_sorter_new(const char *folder, size_t memory, struct error *err);
int pair_sorter_add(struct pair_sorter *s, struct pair p, struct error *err);
/** Ends the adding. Needed before pair_sorter_next. */
int pair_sorter_finish(struct pair_sorter *s, struct error *err);
/** As pair_merge_next. */
int pair_sorter_next(struct pair_sorter *s, struct pair *out, struct error *err);
/** NULL allowed. */
void pair_sorter_free(struct pair_sorter *s);

/** Merges the runs into a new temporary file, whose section 0 holds the pairs. */
int pair_runs_merge(const struct pair_run *runs, size_t n, const char *folder, struct index_file *merged,
		    struct error *err);

#endif
