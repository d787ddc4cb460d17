/* SPDX-License-Identifier: MIT */
/*
 * The archives of --watch DIR, as they are finished: a thread looks into the folder, and pipelines take what it has
 * found. Threads: any may take, and stop.
 */
#ifndef DANA_RUN_INPUTS_WATCH_H
#define DANA_RUN_INPUTS_WATCH_H

#include "run/inputs/watch_list.h"
#include "run/settings.h"

struct filter_watch;

/**
 * After the folder of outputs was made. Returns 0; DANA_ECONFIG: INPUTs besides, or what is written there would be
 * taken as an input; DANA_EIO: the folder cannot be read; DANA_ENOMEM.
 */
int filter_watch_open(struct filter_watch **out, const struct run_settings *s, struct error *err);
/**
 * Begins to look. It starts threads: once, after filter_sandbox_enter and signals_start. Returns 0, or a negative
 * status with a text in `err`.
 */
int filter_watch_start(struct filter_watch *w, struct error *err);
/** Waits for the next finished archive, and returns it; NULL if no more are to be taken. Belongs to the watch. */
struct watch_file *filter_watch_next(struct filter_watch *w);
/** What filter_watch_next gave has been done. */
void filter_watch_over(struct filter_watch *w, struct watch_file *file);
/** No more are taken. `watch` is the watch. */
void filter_watch_stop(void *watch);
/**
 * Ends the thread. Once, when no pipeline takes any more. *done_before: archives whose outputs were there. Returns
 * false if a fault was reported.
 */
bool filter_watch_end(struct filter_watch *w, size_t *done_before);
/** NULL allowed. */
void filter_watch_free(struct filter_watch *w);

#endif
