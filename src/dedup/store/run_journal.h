/* SPDX-License-Identifier: MIT */
/*
 * The journal of a plugin's run, and what a checkpoint says of it. Its first entry names the input that the run began
 * with, so that a journal which another run left is not overwritten; the last one, when the run is over, the file that
 * was made of it.
 *
 * The journal is removed only when the checkpoints of the run are gone: a run that was killed after its file was
 * complete is resumed by doing nothing more. `identity` is that of the file that the run adds to or reads, as it is now
 * (index_file.h); 0 where it has none.
 */
#ifndef DANA_DEDUP_STORE_RUN_JOURNAL_H
#define DANA_DEDUP_STORE_RUN_JOURNAL_H

#include "dedup/store/journal.h"

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
