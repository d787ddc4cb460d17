/* SPDX-License-Identifier: MIT */
/* Counters of a run: measured, in a checkpoint, in the file of --stats, and summed up over several of these. */
#ifndef DANA_RUN_STATS_FILE_H
#define DANA_RUN_STATS_FILE_H

#include <stdio.h>

#include "archive/stats.h"
#include "base/buf.h"
#include "base/status.h"

/* Counters of a run: measured, and in the form in which a checkpoint keeps them. */

struct fields;

/** Sets cpu_seconds and peak_rss_bytes of this process, and seconds from `wall_seconds`. */
void stats_measure(struct stats *s, double wall_seconds);
/** Appends the counters, but for times and memory, as fields (run/state_file.h). */
void stats_save(const struct stats *s, struct buf *list);
/** Reads them; s->plugins is set already. Sets list->bad if they are not. */
void stats_load(struct stats *s, struct fields *list);

/* The files of --stats and --report: opened before any input is read, written when the run has ended. */

struct report_file {
	const char *option; /* "--stats", for messages */
	const char *path;   /* "-": standard error; NULL: nothing is wanted */
	FILE *file;         /* NULL: not open */
};

/** Opens the file of f->path. What it holds stays until report_file_write. A named pipe waits for its reader. */
int report_file_open(struct report_file *f, struct error *err);
/** Closes it as it is when it holds something. Returns false if it does not, and is still open, or does not exist. */
bool report_file_keep(struct report_file *f);
/** Writes `content` in place of what the file held, and closes it. Without an open file: nothing. */
int report_file_write(struct report_file *f, struct slice content, struct error *err);

/*
 * Sums of what --stats has written for several runs. Counters are added, as are times; peak_rss_bytes and what plugins
 * report (a number with a fraction) are the largest of all. Of words that only some runs have, those are added.
 */

struct stats_merge;

struct stats_merge *stats_merge_new(void);
/**
 * Adds one or more lines of --stats; `name` is their file's, for messages, and borrowed. Returns 0, DANA_EFORMAT:
 * they are not what --stats writes; DANA_ENOMEM.
 */
int stats_merge_add(struct stats_merge *m, const char *name, struct slice lines, struct error *err);
/**
 * Returns how many of the shares 0 to N - 1 of N are in no line, for each N of which one is, and appends the names of
 * the first: "1/3, 2/3". Failures latch in `names`.
 */
uint64_t stats_merge_missing(struct stats_merge *m, struct buf *names);
/** Appends the sums as a line of --stats. Returns 0; DANA_ECONFIG: an input was read by two runs; DANA_ENOMEM. */
int stats_merge_json(struct stats_merge *m, struct buf *out, struct error *err);
/**
 * Returns the name of the first file with a line without `report`, which the sums then have not either; NULL if all
 * lines have one.
 */
const char *stats_merge_without_report(const struct stats_merge *m);
void stats_merge_free(struct stats_merge *m);

/*
 * The file of --metrics: the counters of a run under way as Prometheus reads them (exposition format 0.0.4), for the
 * textfile collector of its node exporter. It is replaced as a whole, so that a reader never sees a part of it.
 * Threads: any; the object has a lock.
 */

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
