/* SPDX-License-Identifier: MIT */
/* `--revisits resolve` for the inputs of a run. Ownership: the object borrows inputs, settings and the network. */
#ifndef DANA_RUN_REVISITS_H
#define DANA_RUN_REVISITS_H

#include <stdbool.h>

#include "base/status.h"

struct inputs;
struct network;
struct revisit_source;
struct revisits;
struct run_settings;

/** Returns 0, or DANA_ECONFIG for inputs that are not read twice as they are. */
int revisits_check(const struct run_settings *s, const struct inputs *in, struct error *err);
/**
 * Reads the heads of all inputs, on this thread. An input that cannot be read is left out, as the run reports it. A
 * signal ends the pass: then not all are known. `network`: NULL where all inputs are files. Returns 0, or a negative
 * status with its text in `err`.
 */
int revisits_learn(struct revisits **out, const struct run_settings *s, const struct inputs *in,
		   struct network *network, struct error *err);
const struct revisit_source *revisits_source(const struct revisits *r);
/** Returns whether a server has failed, so that revisits were only counted; a message was given. */
bool revisits_failed(const struct revisits *r);
/** NULL is allowed. */
void revisits_free(struct revisits *r);

#endif
