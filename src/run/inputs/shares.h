/* SPDX-License-Identifier: MIT */
/* Inputs shared among tasks that know nothing of each other (--shard), and cut into parts (--split-bytes). */
#ifndef DANA_RUN_INPUTS_SHARES_H
#define DANA_RUN_INPUTS_SHARES_H

#include "run/inputs/inputs.h"

/** Share `number` of `count`; count 0: all is one share. */
struct share {
	uint64_t number, count;
};

/**
 * Reads what --shard says: "R/N", or "auto" or "auto/N", which take the number from the environment that a job array of
 * Slurm, or GNU parallel, gives its tasks. Returns 0 or DANA_ECONFIG.
 */
int share_read(const char *text, struct share *share, struct error *err);
/**
 * Cuts inputs into parts of s->inputs.split_bytes (0: leaves them whole), and keeps those of s->inputs.shard (NULL:
 * all). Part k of input i is in share (i + k) mod N: what becomes of one input does not depend on what the others are.
 * A file that is not there is reported, and in->incomplete set. Returns 0; DANA_ECONFIG, also where the size of an
 * input cannot be known; DANA_ENOMEM.
 */
int shares_take(struct filter_inputs *in, const struct run_settings *s, struct error *err);

#endif
