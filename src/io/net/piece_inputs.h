/* SPDX-License-Identifier: MIT */
/*
 * What is known of the inputs whose pieces are fetched: the version of the file, from the first reply, and why an input
 * has failed. Kept for the inputs of a batch. One owner, no threads inside. Zeroed: nothing is known.
 */
#ifndef DANA_IO_NET_PIECE_INPUTS_H
#define DANA_IO_NET_PIECE_INPUTS_H

#include <stddef.h>

#include "base/slice.h"

struct piece_inputs {
	struct piece_input *first;
};

/** Keeps the reason of an input's first failure. Returns 0 or DANA_ENOMEM. */
int piece_inputs_failed(struct piece_inputs *all, size_t input, const char *why);
/**
 * Keeps the version of an input, in the form of source_identity, unless it is known already. Returns 0 or DANA_ENOMEM.
 */
int piece_inputs_version(struct piece_inputs *all, size_t input, struct slice version);
/** Returns why the input has failed; NULL if it is not known. Valid until piece_inputs_forget. */
const char *piece_inputs_fault(const struct piece_inputs *all, size_t input);
/** Returns its version; NULL if it is not known. Valid as above. */
const char *piece_inputs_known(const struct piece_inputs *all, size_t input);
/** Forgets all inputs but the version of `kept` (SIZE_MAX: none). */
void piece_inputs_forget(struct piece_inputs *all, size_t kept);

#endif
