/* SPDX-License-Identifier: MIT */
/*
 * What a run of `dana filter -O DIR` has completed: DIR/.dana-XXXX.state, where XXXX stands for the names of its
 * outputs. FILE.state is removed when FILE is complete; here stay its counters, and what ordered plugins have saved, so
 * that a run that is gone on with knows them. It goes when the run is over and every input was read.
 * Threads: any may add.
 */
#ifndef DANA_RUN_JOURNAL_H
#define DANA_RUN_JOURNAL_H

#include "run/inputs/inputs.h"

struct filter_journal;

/**
 * `run`: lines that say what outputs depend on. With `resume` what an earlier run has noted is read: DANA_ECONFIG when
 * it had other lines; else it is begun anew. DANA_EIO (also: another run is under way), DANA_ENOMEM.
 */
int filter_journal_open(struct filter_journal **out, const char *folder, const struct filter_inputs *in,
			struct slice run, bool resume, struct error *err);
/** As pipeline_config.complete. */
int filter_journal_add(void *journal, const char *output, struct slice counts, struct error *err);
/** What was noted of an output by an earlier run; false: nothing. Valid as long as the journal. */
bool filter_journal_find(const struct filter_journal *j, const char *output, struct slice *counts);
/** Removes the file, because nothing is left to go on with. NULL allowed. DANA_EIO when it stays. */
int filter_journal_remove(struct filter_journal *j, struct error *err);
/** NULL allowed. */
void filter_journal_close(struct filter_journal *j);

#endif
