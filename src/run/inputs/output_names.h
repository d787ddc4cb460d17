/* SPDX-License-Identifier: MIT */
/* The names of outputs in the folder of -O, made from the names of inputs. */
#ifndef DANA_RUN_INPUTS_OUTPUT_NAMES_H
#define DANA_RUN_INPUTS_OUTPUT_NAMES_H

#include "base/slice.h"
#include "base/status.h"

/** The base name of an input ("stdin" for "-"). DANA_ECONFIG when it is not fit for an output. */
int output_names_base(const char *input, struct slice *base, struct error *err);
/** Takes `suffix` off the end of the name, unless nothing would be left. */
bool output_names_cut(struct slice *name, const char *suffix);
/**
 * A sorted copy of the names of the outputs of `inputs`, which the caller frees. DANA_ECONFIG when two are the same,
 * DANA_ENOMEM.
 */
int output_names_sort(const char *const *names, const char *const *inputs, size_t n, const char ***sorted,
		      struct error *err);
/** For qsort and bsearch of names. */
int output_names_compare(const void *a, const void *b);

#endif
