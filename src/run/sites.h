/* SPDX-License-Identifier: MIT */
/* `--site auto`: a table of sites (dedup/site_table.h) from a first pass over the inputs of a run. */
#ifndef DANA_RUN_SITES_H
#define DANA_RUN_SITES_H

#include "base/status.h"

struct inputs;
struct run_settings;
struct site_table;

/** Returns 0, or DANA_ECONFIG for settings with which the inputs are not read twice as they are. */
int sites_check(const struct run_settings *s, struct error *err);
/**
 * A first pass over the inputs of a run, by a process of its own: counts their lines as `dana site learn` does, into a
 * file beside the output, or in the folder for temporary files, which is removed. *table: NULL if it fails, or the
 * inputs have no pages.
 *
 * DANA_ECONFIG: an input cannot be read twice. Before any thread. SIGINT, SIGTERM or SIGHUP in it end both processes
 * with a message, and the file is removed; the exit status is as for a stopped run.
 */
int sites_learn(const struct run_settings *s, const struct inputs *inputs, struct site_table **table,
		struct error *err);

#endif
