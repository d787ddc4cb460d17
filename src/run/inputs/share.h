/* SPDX-License-Identifier: MIT */
/* Which share of the inputs a task takes: what --shard says, or the variables of a job array of Slurm. */
#ifndef DANA_RUN_INPUTS_SHARE_H
#define DANA_RUN_INPUTS_SHARE_H

#include <stdint.h>

#include "base/status.h"

/** Share `number` of `count`, the first is 0; count 0: all is one share. */
struct share {
	uint64_t number, count;
};

/**
 * Reads what --shard says: "R/N", or "auto/N", which takes the number from GNU parallel. Returns 0 or DANA_ECONFIG.
 */
int share_read(const char *text, struct share *share, struct error *err);
/**
 * Returns the share of a task of a job array of Slurm: of SLURM_ARRAY_TASK_COUNT, by its place in the array. Count 0
 * where this variable or SLURM_ARRAY_TASK_ID is not set. Returns 0, or DANA_ECONFIG: the places are not known.
 */
int share_of_array(struct share *share, struct error *err);

#endif
