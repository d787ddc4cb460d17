/* SPDX-License-Identifier: MIT */
/*
 * The file of --metrics: the counters of a run under way as Prometheus reads them (exposition format 0.0.4), for the
 * textfile collector of its node exporter. It is replaced as a whole, so that a reader never sees a part of it.
 * Threads: any; the object has a lock.
 */
#ifndef DANA_RUN_METRICS_FILE_H
#define DANA_RUN_METRICS_FILE_H

#include "archive/stats.h"
#include "base/status.h"

struct metrics_file;

/**
 * Writes the file, with no record counted yet. Returns NULL with a text in `err` on failure: DANA_EIO or DANA_ENOMEM.
 */
struct metrics_file *metrics_file_new(const char *path, struct error *err);
/**
 * Adds what `now` has more than `before`, and writes the file anew when it is 10 seconds old. That it cannot be written
 * then is not a fault: metrics_file_end reports it if it stays so.
 */
void metrics_file_add(struct metrics_file *m, const struct stats *before, const struct stats *now);
/** The run is over, with these counters: writes the file for the last time. */
int metrics_file_end(struct metrics_file *m, const struct stats *all, struct error *err);
/** The file stays. */
void metrics_file_free(struct metrics_file *m);

#endif
