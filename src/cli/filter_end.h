/* SPDX-License-Identifier: MIT */
/* What `dana filter` says at the end of a run. */
#ifndef DANA_CLI_FILTER_END_H
#define DANA_CLI_FILTER_END_H

#include "run/run.h"

/** What was written, skipped and damaged; after a signal or a fault what is left, and how to go on. */
void filter_end(const struct run_settings *s, const struct run_result *result);

#endif
