/* SPDX-License-Identifier: MIT */
/* Counters of a run: measured, and in the form in which a checkpoint keeps them. */
#ifndef DANA_RUN_STATS_STATE_H
#define DANA_RUN_STATS_STATE_H

#include "archive/stats.h"

struct fields;

/** Sets cpu_seconds and peak_rss_bytes of this process, and seconds from `wall_seconds`. */
void stats_measure(struct stats *s, double wall_seconds);
/** Appends the counters, but for times and memory, as fields (run/checkpoint/fields.h). */
void stats_save(const struct stats *s, struct buf *list);
/** Reads them; s->plugins is set already. Sets list->bad if they are not. */
void stats_load(struct stats *s, struct fields *list);

#endif
