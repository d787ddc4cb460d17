/* SPDX-License-Identifier: MIT */
/*
 * The journal of a plugin's run: its first entry names the input that the run began with, so that a journal which
 * another run left is not overwritten.
 */
#ifndef DANA_DEDUP_RUN_JOURNAL_H
#define DANA_DEDUP_RUN_JOURNAL_H

#include "dedup/journal.h"

/**
 * Begins a journal that was opened, or is in memory. One that a run with the same first input has left is begun anew; one
 * of another run is refused (DANA_ECONFIG): that run may still be resumed.
 */
int run_journal_begin(struct journal *j, struct slice first_input, struct error *err);
/** Goes on with a journal of which `length` bytes count; journal_next begins with the first entry of the plugin. */
int run_journal_resume(struct journal *j, uint64_t length, struct error *err);
/** journal_rewind, and passes over the first entry. */
int run_journal_rewind(struct journal *j, struct error *err);

#endif
