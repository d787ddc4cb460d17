/* SPDX-License-Identifier: MIT */
/* `--revisits resolve` for the inputs of a run. Ownership: the table borrows inputs and settings. */
#ifndef DANA_RUN_REVISITS_H
#define DANA_RUN_REVISITS_H

#include "base/status.h"

struct inputs;
struct revisit_table;
struct run_settings;

/** Returns 0, or DANA_ECONFIG for inputs that are not read twice as they are. */
int revisits_check(const struct run_settings *s, const struct inputs *in, struct error *err);
/**
 * Reads the heads of all inputs, on this thread. An input that cannot be read is left out, as the run reports it. A
 * signal ends the pass: then the table is not whole. Returns 0 or DANA_ENOMEM.
 */
int revisits_learn(struct revisit_table **out, const struct run_settings *s, const struct inputs *in,
		   struct error *err);

#endif
