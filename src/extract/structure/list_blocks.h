/* SPDX-License-Identifier: MIT */
/* A composed page as an array of struct dana_structure_block, with all texts in one buffer. */
#ifndef DANA_STRUCTURE_LIST_BLOCKS_H
#define DANA_STRUCTURE_LIST_BLOCKS_H

#include "dana/dana.h"
#include "extract/structure/compose.h"

/** Zeroed it is empty; its memory is used again for the next page. */
struct block_list {
	struct buf blocks; /* struct dana_structure_block each */
	struct buf cells;  /* struct dana_view each */
	struct buf texts, scratch;
};

/** Lists the blocks of a page that was composed in plain style. Returns 0 or DANA_ENOMEM. */
int list_blocks(struct composed *c, struct block_list *list);
void block_list_free(struct block_list *list);

#endif
