/* SPDX-License-Identifier: MIT */
/*
 * An index of texts (INDEX_TEXTS): the hashes of all texts that runs have kept, and where each was first seen.
 * Sections:
 *
 * 	0  text: "small=0\n", small=1 if case was ignored
 * 	1  TEXT_INDEX_BYTES each, sorted by hash: upper and lower half of the XXH3-128 (8 each), the origin (origin.h)
 * 	2  names of files, 3 strings (origin.h)
 */
#ifndef DANA_DEDUP_TEXT_INDEX_H
#define DANA_DEDUP_TEXT_INDEX_H

#include "dedup/journal.h"
#include "dedup/origin.h"
#include "dedup/runs.h"

enum { TEXT_INDEX_SETTINGS, TEXT_INDEX_RECORDS, TEXT_INDEX_NAMES, TEXT_INDEX_STRINGS };
enum { TEXT_INDEX_BYTES = 16 + ORIGIN_BYTES };

/** An index that is open; several threads may look up at the same time. */
struct text_index {
	struct index_file file;
	struct origin_names names;
	uint64_t count;
	bool small;
};

/** Opens the index and verifies all checksums. */
int text_index_open(struct text_index *t, const char *path, struct error *err);
void text_index_close(struct text_index *t);
/** Returns 1 if found, with the origin in *first; 0 if not; or a negative status. `id` is memory for the id. */
int text_index_find(const struct text_index *t, struct hash128 hash, struct buf *id, struct origin *first,
		    struct error *err);

/** An entry of a journal of texts, written by text_entry_put. */
struct text_entry {
	struct hash128 hash;
	struct origin origin;
};

/** Appends an entry. Returns 0 or DANA_ENOMEM. */
int text_entry_put(struct buf *out, const struct text_entry *e);
/** Reads an entry; slices point into it. Returns false if it is not a valid entry. */
bool text_entry_get(struct slice entry, struct text_entry *e);

/**
 * Adds the entries of a journal, which are read from its next one on, to the index `old`, NULL if there was none, and
 * writes all as `output`, over what is there. `memory`: for sorting, in parts of which there are few. No two texts may
 * have the same hash.
 */
int text_index_add(const struct text_index *old, struct journal *j, bool small, const char *output, size_t memory,
		   const struct index_ready *ready, struct error *err);
/** Merges up to RUNS_MOST indexes into one; of equal hashes the first index has the one that is kept. */
int text_indexes_merge(const char *const *paths, size_t n, const char *output, bool force, struct error *err);

#endif
