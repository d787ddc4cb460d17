/* SPDX-License-Identifier: MIT */
/* Inputs of `dana filter` from indexes of archives (--cdx): files, and the pieces of them that are wanted. */
#ifndef DANA_RUN_INPUTS_INDEXES_H
#define DANA_RUN_INPUTS_INDEXES_H

#include "run/inputs/inputs.h"

/**
 * Adds the files and records that the indexes name and --cdx-match takes. Lines that cannot be read are reported, and
 * set in->incomplete. With --output-dir the pieces of a file stand together. Returns 0, DANA_ECONFIG, DANA_EIO or
 * DANA_ENOMEM.
 */
int filter_index_read(struct filter_inputs *in, const struct run_settings *s, struct network *network,
		      struct error *err);

#endif
