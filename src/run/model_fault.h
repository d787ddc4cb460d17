/* SPDX-License-Identifier: MIT */
/* Why a file cannot be the model of a method, in words. */
#ifndef DANA_RUN_MODEL_FAULT_H
#define DANA_RUN_MODEL_FAULT_H

#include "base/slice.h"

/**
 * Returns what is wrong with the content of a file that the method refuses as its model, and what would be right; NULL
 * if it does not refuse it. This is known of mountain, whose models of sites are read during the run, not of learned.
 */
const char *model_fault(struct slice method, struct slice file);

#endif
