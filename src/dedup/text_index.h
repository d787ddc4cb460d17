/* SPDX-License-Identifier: MIT */
/*
 * An index of texts (INDEX_TEXTS): the hashes of all texts that runs have kept, and where each was first seen. Sections:
 *
 *	0  text: "small=0\n", whether texts were compared in small letters
 *	1  TEXT_INDEX_BYTES each, sorted by hash: upper and lower half of the XXH3-128 (8 each), the origin (origin.h)
 *	2  names of files, 3 strings (origin.h)
 */
#ifndef DANA_DEDUP_TEXT_INDEX_H
#define DANA_DEDUP_TEXT_INDEX_H

#include "dedup/store/journal.h"
#include "dedup/store/origin.h"

enum { TEXT_INDEX_SETTINGS, TEXT_INDEX_RECORDS, TEXT_INDEX_NAMES, TEXT_INDEX_STRINGS };
enum { TEXT_INDEX_BYTES = 16 + ORIGIN_BYTES };

/** An index that is open; several threads may look up at the same time. */
struct text_index {
	struct index_file file;
	struct origin_names names;
	uint64_t count;
	bool small;
};

/** Opens and compares all checksums. */
int text_index_open(struct text_index *t, const char *path, struct error *err);
/** The same for a file that is open as t->file; all else in *t is zero. It is closed when this fails. */
int text_index_adopt(struct text_index *t, struct error *err);
void text_index_close(struct text_index *t);
/** 1: found, and *first is where; 0: not found; negative. `id` holds the spelling of an id. */
int text_index_find(const struct text_index *t, struct hash128 hash, struct buf *id, struct origin *first,
		    struct error *err);

/** Entries of a journal of texts: written by text_entry_put. */
struct text_entry {
	struct hash128 hash;
	struct origin origin;
};

/** 0 or DANA_ENOMEM. */
int text_entry_put(struct buf *out, const struct text_entry *e);
/** False: it is no such entry. Slices point into it. */
bool text_entry_get(struct slice entry, struct text_entry *e);

/**
 * Makes an index of the entries of a journal from the one that comes next (journal_next): a temporary file in `folder`.
 * `memory`: for sorting. No hash may stand in two entries.
 */
int text_index_of_journal(struct journal *j, bool small, const char *folder, size_t memory, struct index_file *index,
			  struct error *err);

enum { TEXT_INDEX_MOST = 64 }; /* files that are merged at a time */

/** One index of several, open files; of equal hashes the one of the first file stays. `ready`: NULL allowed. */
int text_indexes_merge(const struct text_index *const *indexes, size_t n, const char *output, bool force,
		       const struct index_ready *ready, struct error *err);

#endif
