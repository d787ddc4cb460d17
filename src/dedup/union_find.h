/* SPDX-License-Identifier: MIT */
/*
 * Disjoint sets of the numbers 0 to n - 1: 4 bytes for each, in a temporary file that is mapped into memory, so that
 * the system may move unused parts to disk. One thread.
 */
#ifndef DANA_DEDUP_UNION_FIND_H
#define DANA_DEDUP_UNION_FIND_H

#include <stdint.h>

#include "base/status.h"

struct union_find;

/** Makes the nameless file in `folder`, with all of its space. Returns NULL with `err` set if that fails. */
struct union_find *union_find_new(const char *folder, uint32_t n, struct error *err);
/** NULL allowed. */
void union_find_free(struct union_find *u);
void union_find_join(struct union_find *u, uint32_t a, uint32_t b);
/** Returns the least number in the set of `a`. */
uint32_t union_find_first(struct union_find *u, uint32_t a);

#endif
