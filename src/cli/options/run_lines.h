/* SPDX-License-Identifier: MIT */
/*
 * What the outputs of a run depend on, as lines "word value" (run/state_file.h): a run may be resumed only
 * where they are the same.
 */
#ifndef DANA_CONFIG_RUN_LINES_H
#define DANA_CONFIG_RUN_LINES_H

#include "cli/options/filter_options.h"

/** Appends the options that change outputs (those that are not option.apart). Returns 0 or DANA_ENOMEM. */
int run_lines_options(const struct filter_settings *s, struct buf *out);

#endif
