/* SPDX-License-Identifier: MIT */
/*
 * The journal of a plugin's run: what the run has taken in so far, entry after entry, from which its state can be built
 * again after a kill. Its first entry names the input that the run began with, so that a journal which another run has
 * left is not overwritten; the last one, when the run is over, the file that was made of it.
 *
 * Both are the journal's own: journal_next does not return them. Each entry has its length (4 bytes) and the lower 4
 * bytes of its XXH3-64 before it. A length that a checkpoint has kept is valid for ever: a run that resumes there cuts
 * off what follows.
 *
 * The file is removed only when the checkpoints of the run are gone: a run that was killed after its file was complete
 * is resumed by doing nothing more. `identity` is what the file that the run adds to or reads is known by, as it is now
 * (index_file.h); 0 where it has none. One thread; a lock keeps other runs out.
 */
#ifndef DANA_DEDUP_JOURNAL_H
#define DANA_DEDUP_JOURNAL_H

#include "base/slice.h"
#include "base/status.h"

struct journal;

enum {
	JOURNAL_STATE = 24,   /* bytes that a checkpoint keeps: identity, length and digest of the journal, 8 each */
	JOURNAL_FINISHED = 1, /* returned by journal_resume */
};

/**
 * Opens PATH, which is made if it is missing, with all that is in it; without a path the journal is in memory. Returns
 * NULL with `err` set, DANA_EIO also if another run has it open.
 */
struct journal *journal_open(const char *path, struct error *err);
/**
 * Begins the journal of a run, unless this run has begun it already. What is there is dropped if its run is over, or
 * began with the same input; DANA_ECONFIG if it is of another run, which may still be resumed.
 */
int journal_begin(struct journal *j, struct slice first_input, uint64_t identity, struct error *err);
/** Returns whether this run has begun the journal, or resumed it unfinished. */
bool journal_is_begun(const struct journal *j);
/** Appends an entry. The first error latches. */
int journal_put(struct journal *j, struct slice entry, struct error *err);
/** Returns the bytes of all entries so far, which is the position of the next one. */
uint64_t journal_length(const struct journal *j);
/** Starts to read at the first entry. Nothing may be put until the end was reached. */
int journal_rewind(struct journal *j, struct error *err);
/** Returns 1 and the next entry, which is valid until the next call; 0 at the end; or a negative status. */
int journal_next(struct journal *j, struct slice *entry, struct error *err);
/** Returns the position of the entry that journal_next returns next. */
uint64_t journal_position(const struct journal *j);
/** Reads the entry at a position; it is valid until the next call. journal_next is not disturbed. */
int journal_entry_at(struct journal *j, uint64_t position, struct slice *entry, struct error *err);

/** Makes the journal durable and writes what a checkpoint keeps of it. Without a journal only the identity is kept. */
int journal_save(struct journal *j, uint64_t identity, uint8_t state[JOURNAL_STATE], struct error *err);
/** `file` is for messages. DANA_ECONFIG if it is not the file that the run began with. */
int journal_state_check(struct slice state, const char *file, uint64_t identity, struct error *err);
/**
 * Resumes from a checkpoint; journal_next then begins with the first entry. Returns 0, or JOURNAL_FINISHED if all of it
 * is in the file already; DANA_ECONFIG if the file, DANA_EFORMAT if the journal belongs to another run.
 */
int journal_resume(struct journal *j, struct slice state, const char *file, uint64_t identity, struct error *err);
/**
 * Notes that the run is over once the file with this identity exists. A `call` of struct index_ready; `arg` is the
 * journal.
 */
int journal_end(void *arg, uint64_t identity, struct error *err);
/** For a run without a page: whether the journal that was found is of a run that is over. */
void journal_look_if_over(struct journal *j, uint64_t identity);
/**
 * Closes the journal, and removes its file if nothing of it is needed: it has no entries, or its run is over and so are
 * the checkpoints (`run_is_over`). NULL is allowed.
 */
void journal_close(struct journal *j, bool run_is_over);

#endif
