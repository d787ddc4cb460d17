/* SPDX-License-Identifier: MIT */
/* The file of --stats: opened before any input is read, written when the run has ended. */
#ifndef DANA_RUN_STATS_FILE_H
#define DANA_RUN_STATS_FILE_H

#include <stdio.h>

#include "archive/stats.h"
#include "base/status.h"

/**
 * Opens `path` ("-": standard error; NULL: nothing is asked for, and *file is NULL). What stands in the file stays
 * until filter_stats_write. Returns 0 or DANA_EIO. A named pipe waits for its reader.
 */
int filter_stats_open(FILE **file, const char *path, struct error *err);
/** Closes it as it is when it holds something. Returns false if it does not, and is still open, or does not exist. */
bool filter_stats_keep(FILE *file);
/**
 * Writes the counters in place of what the file held, and closes it. `done`: as stats_json. NULL: nothing. Returns 0,
 * DANA_EIO or DANA_ENOMEM.
 */
int filter_stats_write(FILE *file, const char *path, const struct stats *stats, struct slice done, struct error *err);

#endif
