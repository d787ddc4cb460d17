/* SPDX-License-Identifier: MIT */
/*
 * Sums of what --stats has written for several runs. Counters are added, as are times; peak_rss_bytes and what plugins
 * report (a number with a fraction) are the largest of all. Of words that only some runs have, those are added.
 */
#ifndef DANA_RUN_STATS_MERGE_H
#define DANA_RUN_STATS_MERGE_H

#include "base/buf.h"
#include "base/status.h"

struct stats_merge;

/** Returns NULL if memory is exhausted. */
struct stats_merge *stats_merge_new(void);
/**
 * Adds one or more lines of --stats; `name` is that of their file, for messages, and borrowed. Returns 0, DANA_EFORMAT:
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
/** NULL allowed. */
void stats_merge_free(struct stats_merge *m);

#endif
