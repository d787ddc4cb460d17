/* SPDX-License-Identifier: MIT */
/*
 * Inputs shared among tasks that know nothing of each other (--shard, or a job array of Slurm), and cut into parts
 * (--split-bytes).
 */
#ifndef DANA_RUN_INPUTS_SHARES_H
#define DANA_RUN_INPUTS_SHARES_H

#include "run/inputs/inputs.h"

/**
 * Cuts inputs into parts of s->inputs.split_bytes (0: leaves them whole), and keeps those of s->inputs.shard; if that
 * is NULL, with --list those of this task of a job array, which a notice says, else all. Sets in->share. Part k of
 * input i is in share (i + k) mod N: what becomes of one input does not depend on what the others are. A file that is
 * not there is reported, and in->incomplete set. Returns 0; DANA_ECONFIG, also where the size of an input cannot be
 * known; DANA_ENOMEM.
 */
int shares_take(struct filter_inputs *in, const struct run_settings *s, struct error *err);

#endif
