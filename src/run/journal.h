/* SPDX-License-Identifier: MIT */
/*
 * What a run of `dana filter -O DIR` has completed: DIR/.dana-XXXX.state, where XXXX is a digest of the names of its
 * outputs. FILE.state is removed when FILE is complete; here stay its counters, and what ordered plugins have saved, so
 * that a resumed run knows them. It goes when the run is over and every input was read.
 * Threads: any may add.
 */
#ifndef DANA_RUN_JOURNAL_H
#define DANA_RUN_JOURNAL_H

#include "run/inputs.h"

struct filter_journal;

/**
 * `run`: lines that say what outputs depend on. With `resume`, what an earlier run has noted is read; else it is begun
 * anew. Returns 0; DANA_ECONFIG if an earlier run had other lines; DANA_EIO (also: another run is under way);
 * DANA_ENOMEM.
 */
int filter_journal_open(struct filter_journal **out, const char *folder, const struct filter_inputs *in,
			struct slice run, bool resume, struct error *err);
/** As pipeline_config.complete, and returns as that. */
int filter_journal_add(void *journal, const char *output, struct slice counts, struct error *err);
/**
 * Finds what an earlier run has noted of an output, valid as long as the journal. Returns false if it has noted
 * nothing.
 */
bool filter_journal_find(const struct filter_journal *j, const char *output, struct slice *counts);
/** Removes the file, because nothing is left to resume. Returns 0, or DANA_EIO if it stays. */
int filter_journal_remove(struct filter_journal *j, struct error *err);
void filter_journal_close(struct filter_journal *j);

#endif
