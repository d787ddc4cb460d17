/* SPDX-License-Identifier: MIT */
/*
 * How far a run is, for a line on a terminal. Several pipelines add to one object.
 * Threads: any; the object has a lock.
 */
#ifndef DANA_RUN_PROGRESS_H
#define DANA_RUN_PROGRESS_H

#include "archive/stats.h"

enum { PROGRESS_TICK_MS = 500 };

struct progress;

/**
 * `total`: bytes of all inputs, 0 = unknown. `draw(arg, line)` gets a line that leaves the last of the terminal's
 * `columns(arg)` (at least 2) free, at most twice a second, never from two threads at once. On a narrow terminal the
 * line has fewer parts. Returns NULL if memory is exhausted.
 */
struct progress *progress_new(uint64_t total, void (*draw)(void *arg, const char *line), unsigned (*columns)(void *arg),
			      void *arg);
/** Draws now: the terminal has another size. */
void progress_redraw(struct progress *p);
/** Adds what an earlier run has done, which took no time of this one. */
void progress_pass(struct progress *p, const struct stats *done);
/** Adds what `now` has more than `before`, and draws when it is time. */
void progress_add(struct progress *p, const struct stats *before, const struct stats *now);
/** NULL allowed. */
void progress_free(struct progress *p);

#endif
