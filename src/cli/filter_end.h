/* SPDX-License-Identifier: MIT */
/* What `dana filter` says at the end of a run. */
#ifndef DANA_CLI_FILTER_END_H
#define DANA_CLI_FILTER_END_H

#include "cli/options/filter_options.h"
#include "run/jobs.h"

/** Two lines for people who watch: what was written, skipped and damaged; how fast, and where it went. */
void filter_end_summary(const struct filter_settings *s, const struct stats *stats);
/** A signal has ended the run: what lies in FILE.part, or in the folder, and how to go on. */
void filter_end_stopped(const struct filter_settings *s, const struct filter_result *result);
/** With --resume: what an earlier run had done. */
void filter_end_resumed(const struct filter_settings *s, const struct filter_result *result);
/** A fault has ended the run, or an output: that it can be gone on with. */
void filter_end_failed(const struct filter_settings *s, const struct filter_result *result);

#endif
