/* SPDX-License-Identifier: MIT */
/*
 * How far a run is, for a line on a terminal. Several pipelines add to one object.
 * Threads: any; the object has a lock.
 */
#ifndef DANA_PIPELINE_PROGRESS_H
#define DANA_PIPELINE_PROGRESS_H

#include "pipeline/stats.h"

enum { PROGRESS_TICK_MS = 500 };

struct progress;

/**
 * `total`: bytes of all inputs, 0 = unknown. `draw(arg, line)` gets a line of at most 79 columns at most twice a
 * second, never from two threads at once.
 */
struct progress *progress_new(uint64_t total, void (*draw)(void *arg, const char *line), void *arg);
/** Adds what `now` has more than `before`, sets *before = *now, and draws when it is time. */
void progress_add(struct progress *p, struct stats *before, const struct stats *now);
/** NULL allowed. */
void progress_free(struct progress *p);

#endif
