/* SPDX-License-Identifier: MIT */
/* CPU, memory and progress of a run over time, for its report. Threads: any; the object has a lock. */
#ifndef DANA_RUN_TIMELINE_H
#define DANA_RUN_TIMELINE_H

#include "archive/stats.h"
#include "base/buf.h"

struct timeline;

/** Returns NULL if memory is exhausted. */
struct timeline *timeline_new(void);
/** Adds what `now` has more than `before`, and notes a point if the last one is old enough. */
void timeline_add(struct timeline *t, const struct stats *before, const struct stats *now);
/** Notes the last point, and appends all as report_page takes them. */
int timeline_end(struct timeline *t, struct buf *out);
void timeline_free(struct timeline *t);

#endif
