/* SPDX-License-Identifier: MIT */
/* The table of all methods: the lists of the families, one after the other. */
#ifndef DANA_EXTRACT_TABLE_H
#define DANA_EXTRACT_TABLE_H

#include "extract/method/method.h"

/** Method number `index` in the order in which `dana methods` lists them; NULL after the last. */
const struct method *method_at(size_t index);
/** Splits "danag:gap=40,segment=65" and finds the method. NULL: unknown name. `keys` gets what follows the colon. */
const struct method *method_find(struct slice spec, struct slice *keys);

#endif
