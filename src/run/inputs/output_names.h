/* SPDX-License-Identifier: MIT */
/* The names of outputs in the folder of -O, made from the names of inputs. */
#ifndef DANA_RUN_INPUTS_OUTPUT_NAMES_H
#define DANA_RUN_INPUTS_OUTPUT_NAMES_H

#include "base/slice.h"
#include "base/status.h"

/** Finds the base name of an input ("stdin" for "-"). Returns 0, or DANA_ECONFIG if it is not fit for an output. */
int output_names_base(const char *input, struct slice *base, struct error *err);
/** Takes `suffix` off the end of the name, unless nothing would be left. Returns whether it did. */
bool output_names_cut(struct slice *name, const char *suffix);
/**
 * Makes a sorted copy of the names of the outputs of `inputs`, which the caller frees. Returns 0; DANA_ECONFIG if two
 * are the same; or DANA_ENOMEM.
 */
int output_names_sort(const char *const *names, const char *const *inputs, size_t n, const char ***sorted,
		      struct error *err);
/** Returns the order of two names, for qsort and bsearch. */
int output_names_compare(const void *a, const void *b);

#endif
