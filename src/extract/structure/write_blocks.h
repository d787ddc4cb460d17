/* SPDX-License-Identifier: MIT */
/* A composed page as JSON: a list of blocks, each with its kind, its place in lists and quotes, and its text. */
#ifndef DANA_STRUCTURE_WRITE_BLOCKS_H
#define DANA_STRUCTURE_WRITE_BLOCKS_H

#include "extract/structure/compose.h"

/**
 * Appends an array with an object for each block of a page that was composed in plain style. Beyond `max` bytes it ends
 * after a whole block, and sets `cut` of the page. Returns 0 or DANA_ENOMEM.
 */
int write_blocks(struct composed *c, struct buf *out, size_t max);

#endif
