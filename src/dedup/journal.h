/* SPDX-License-Identifier: MIT */
#ifndef DANA_DEDUP_JOURNAL_H
#define DANA_DEDUP_JOURNAL_H

#include "base/slice.h"
#include "base/status.h"

/*
 * Entries of bytes, one appended after the other: what a run has taken in so far, from which its state can be built
 * again after a kill. A length that was synced is valid for ever: going on from there, later entries are cut off. Each
 * entry has a length (4 bytes) and the lower 4 bytes of its XXH3-64 before it. One thread; a lock keeps others out.
 */

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

/*
 * The journal of a plugin's run, and what a checkpoint says of it. Its first entry names the input that the run began
 * with, so that a journal which another run left is not overwritten; the last one, when the run is over, the file that
 * was made of it.
 *
 * The journal is removed only when the checkpoints of the run are gone: a run that was killed after its file was
 * complete is resumed by doing nothing more. `identity` is that of the file that the run adds to or reads, as it is now
 * (index_file.h); 0 where it has none.
 */

/** Bytes that a checkpoint keeps: identity, length and digest of the journal, 8 each. */
enum { RUN_STATE = 24 };

/** What run_journal_resume returns of a run that was over. */
enum { RUN_FINISHED = 1 };

/**
 * Begins a journal that was opened, or is in memory. One of a run that is over, or with the same first input, is begun
 * anew; one of another run is refused (DANA_ECONFIG): that run may still be resumed.
 */
int run_journal_begin(struct journal *j, struct slice first_input, uint64_t identity, struct error *err);

/** Makes the journal durable, and says where it ends. NULL: there is no journal, only the identity is kept. */
int run_journal_save(struct journal *j, uint64_t identity, uint8_t state[RUN_STATE], struct error *err);

/** `file` is for messages. DANA_ECONFIG when it is not the one that the run began with. */
int run_state_check(struct slice state, const char *file, uint64_t identity, struct error *err);

/**
 * Goes on with the journal from `state`: 0, and journal_next begins with the first entry of the plugin; or
 * RUN_FINISHED: all of it is in the file. DANA_ECONFIG when the file, DANA_EFORMAT when the journal is not that of the
 * run.
 */
int run_journal_resume(struct journal *j, struct slice state, const char *file, uint64_t identity, struct error *err);

/** journal_rewind, and passes over the first entry. */
int run_journal_rewind(struct journal *j, struct error *err);

/** Whether the journal says that its run is over, and the file with this identity is there. */
bool run_journal_is_over(struct journal *j, uint64_t identity);

/** The run is over once the file with this identity is there. As the `call` of struct index_ready; `arg` is the
 * journal. */
int run_journal_end(void *arg, uint64_t identity, struct error *err);

/** Closes, and removes a journal of which nothing is needed: it has no entries, or they are in the file (`is_over`).
 * NULL allowed. */
void run_journal_close(struct journal *j, bool is_over);

#endif
