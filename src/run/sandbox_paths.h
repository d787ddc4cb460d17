/* SPDX-License-Identifier: MIT */
/* The one place that lists what a run of `dana filter` opens once it has begun (--sandbox). */
#ifndef DANA_RUN_SANDBOX_PATHS_H
#define DANA_RUN_SANDBOX_PATHS_H

#include "run/inputs/inputs.h"

struct plugins;

/**
 * Denies all else to the rest of the process, by --sandbox. Before any thread is started, when plugins are loaded and
 * files that are read as a whole (lists, the configuration) are read. Returns 0; DANA_ECONFIG: what --sandbox require
 * asks for is not there; DANA_ENOMEM.
 */
int filter_sandbox_enter(const struct run_settings *s, const struct filter_inputs *in, const struct plugins *plugins,
			 struct error *err);

#endif
