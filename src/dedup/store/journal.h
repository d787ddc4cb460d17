/* SPDX-License-Identifier: MIT */
/*
 * Entries of bytes, one appended after the other: what a run has taken in so far, from which its state can be built
 * again after a kill. A length that was synced is valid for ever: going on from there, later entries are cut off. Each
 * entry has a length (4 bytes) and the lower 4 bytes of its XXH3-64 before it. One thread; a lock keeps others out.
 */
#ifndef DANA_DEDUP_STORE_JOURNAL_H
#define DANA_DEDUP_STORE_JOURNAL_H

#include "base/slice.h"
#include "base/status.h"

struct journal;

/**
 * Opens PATH, which is made where it is missing, with all that is in it. NULL with `err`: DANA_EIO, also when another
 * run has it open.
 */
struct journal *journal_open(const char *path, struct error *err);
/** A place between two entries, and what stands before it. All zero: the beginning. */
struct journal_mark {
	uint64_t length, digest; /* bytes of all entries; a hash of them */
};

/** The end of what was put. Of a journal that was opened with entries in it only after journal_cut. */
struct journal_mark journal_mark(const struct journal *j);
/** Begins to read at the first entry, and reads up to the mark. DANA_EFORMAT when other entries stand before it. */
int journal_read_to(struct journal *j, struct journal_mark mark, struct error *err);
/** Keeps what stands before the mark. DANA_EFORMAT when there is less. */
int journal_cut(struct journal *j, struct journal_mark mark, struct error *err);
/** A journal in memory: nothing of it is on disk. NULL when memory is exhausted. */
struct journal *journal_new(void);
/** Appends an entry. The first error latches. */
int journal_put(struct journal *j, struct slice entry, struct error *err);
/** As it was opened; "journal" for one in memory. */
const char *journal_path(const struct journal *j);
/** Bytes of all entries so far; the place of the next one. */
uint64_t journal_length(const struct journal *j);
/** Makes all entries so far durable, and the name of the file. */
int journal_sync(struct journal *j, struct error *err);
/** Begins to read at the first entry. Nothing may be put until the end was reached. */
int journal_rewind(struct journal *j, struct error *err);
/** The next entry, valid until the next call: 1; 0 at the end; negative. */
int journal_next(struct journal *j, struct slice *entry, struct error *err);
/** The place of the entry that journal_next returns next. */
uint64_t journal_position(const struct journal *j);
/** The entry at a place, valid until the next call; journal_next is not disturbed. */
int journal_entry_at(struct journal *j, uint64_t place, struct slice *entry, struct error *err);
/** Closes, and removes the file where `remove` is set. NULL allowed. */
void journal_close(struct journal *j, bool remove);

#endif
