/* SPDX-License-Identifier: MIT */
/* The files of a run of `dana filter`, none of which may be another one. */
#ifndef DANA_RUN_INPUTS_PATHS_H
#define DANA_RUN_INPUTS_PATHS_H

#include "run/inputs/inputs.h"

/**
 * Returns 0, or DANA_ECONFIG: an output (with --force) --stats or --metrics would write over an input, or the latter
 * over what belongs to an output or each other; DANA_ENOMEM.
 */
int filter_paths_check(const struct filter_inputs *in, const struct run_settings *s, struct error *err);

#endif
