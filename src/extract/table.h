/* SPDX-License-Identifier: MIT */
/* The table of all methods: the lists of the families, one after the other. */
#ifndef DANA_EXTRACT_TABLE_H
#define DANA_EXTRACT_TABLE_H

#include "extract/method.h"

/** Returns method number `index` in the order of `dana methods`; NULL after the last. */
const struct method *method_at(size_t index);
/**
 * Splits "danag:gap=40,segment=65" and finds the method. Returns NULL if the name is unknown. `keys` gets the text
 * after the colon.
 */
const struct method *method_find(struct slice spec, struct slice *keys);

#endif
