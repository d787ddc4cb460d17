/* SPDX-License-Identifier: MIT */
/* Archives to documents: a whole run, as `dana filter` does it. Once in a process, for its signals and its sandbox. */
#ifndef DANA_RUN_RUN_H
#define DANA_RUN_RUN_H

#include "run/jobs.h"
#include "run/settings.h"

/**
 * Returns 0 when the run is over, whatever has become of its inputs: result->failed and the others say it. Else a
 * negative status with a text in `err`: where result->ran is false nothing was done; where it is true the statistics
 * could not be written, or what was kept for --resume could not be removed.
 */
int run_archives(struct run_settings *s, struct run_result *result, struct error *err);

#endif
