/* SPDX-License-Identifier: MIT */
/*
 * Entries of bytes, one appended after the other: what a run has taken in so far, from which its state can be built
 * again after a kill. A length that was synced is valid for ever: going on from there, later entries are cut off. Each
 * entry has a length (4 bytes) and the lower 4 bytes of its XXH3-64 before it. One thread; a lock keeps others out.
 */
#ifndef DANA_DEDUP_JOURNAL_H
#define DANA_DEDUP_JOURNAL_H

#include "base/slice.h"
#include "base/status.h"

struct journal;

/**
 * Opens PATH for writing; it is made where it is missing, and keeps its first `length` bytes. NULL with `err`:
 * DANA_EIO, also when another run has it open; DANA_EFORMAT when it is shorter than that.
 */
struct journal *journal_open(const char *path, uint64_t length, struct error *err);
/** Appends an entry. The first error latches. */
int journal_put(struct journal *j, struct slice entry, struct error *err);
/** Bytes of all entries so far. */
uint64_t journal_length(const struct journal *j);
/** Makes all entries so far durable. */
int journal_sync(struct journal *j, struct error *err);
/** Begins to read at the first entry. Nothing may be put until the end was reached. */
int journal_rewind(struct journal *j, struct error *err);
/** The next entry, valid until the next call: 1; 0 at the end; negative. */
int journal_next(struct journal *j, struct slice *entry, struct error *err);
/** Closes, and removes the file where `remove` is set. NULL allowed. */
void journal_close(struct journal *j, bool remove);

#endif
