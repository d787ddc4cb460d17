/* SPDX-License-Identifier: MIT */
/* `--site auto`: a table of sites (dedup/site_table.h) from a first pass over the inputs of a run. */
#ifndef DANA_RUN_SITES_H
#define DANA_RUN_SITES_H

#include "base/status.h"

struct run_settings;

/**
 * A first pass over the inputs of a run, by a process of its own: counts their lines as `dana site learn` does, into a
 * file beside the output, or in the folder for temporary files. *path: the file, which the caller removes and whose
 * name it frees; NULL: the inputs have no pages. A signal ends both. Before any thread.
 */
int sites_learn(const struct run_settings *s, char **path, struct error *err);

#endif
