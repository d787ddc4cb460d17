/* SPDX-License-Identifier: MIT */
/* What `dana filter` says at the end of a run. */
#ifndef DANA_CLI_FILTER_END_H
#define DANA_CLI_FILTER_END_H

#include "config/filter_options.h"
#include "pipeline/stats.h"

/** Two lines for people who watch: what was written, skipped and damaged; how fast, and where it went. */
void filter_end_summary(const struct filter_settings *s, const struct stats *stats);
/** A signal has ended the run: what lies in FILE.part, or in the folder. */
void filter_end_stopped(const struct filter_settings *s, const struct stats *stats);

#endif
