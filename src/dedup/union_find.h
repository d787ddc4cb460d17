/* SPDX-License-Identifier: MIT */
/*
 * Which of the numbers 0 to n - 1 are joined, directly or by others (disjoint sets): 4 bytes for each, in a temporary
 * file that is mapped into memory, so that the system may move what is not in use to disk. One thread.
 */
#ifndef DANA_DEDUP_UNION_FIND_H
#define DANA_DEDUP_UNION_FIND_H

#include <stdint.h>

#include "base/status.h"

struct union_find;

/** The file is made in `folder`, with all of its space, and has no name. NULL with `err` when that fails. */
struct union_find *union_find_new(const char *folder, uint32_t n, struct error *err);
/** NULL allowed. */
void union_find_free(struct union_find *u);
void union_find_join(struct union_find *u, uint32_t a, uint32_t b);
/** The least number that `a` is joined with; `a` where there is none below it. */
uint32_t union_find_first(struct union_find *u, uint32_t a);

#endif
