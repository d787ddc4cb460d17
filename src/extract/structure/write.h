/* SPDX-License-Identifier: MIT */
/*
 * A composed page as Markdown (CommonMark with GFM's tables, strikethrough and tasks, and pandoc's notes and terms),
 * and as a list of blocks: in JSON, and as an array of struct dana_structure_block with all texts in one buffer.
 */
#ifndef DANA_EXTRACT_STRUCTURE_WRITE_H
#define DANA_EXTRACT_STRUCTURE_WRITE_H

#include "dana/dana.h"
#include "extract/structure/compose.h"

/**
 * Appends the blocks as Markdown, without a final line end. At `max` bytes it ends after a whole block, and sets `cut`
 * of the page.
 */
int write_markdown(const struct composed *c, const struct style *style, struct buf *out, size_t max);
/**
 * Appends an array with an object for each block of a page that was composed in plain style. Beyond `max` bytes it ends
 * after a whole block, and sets `cut` of the page.
 */
int write_blocks(struct composed *c, struct buf *out, size_t max);

/** Zeroed it is empty; its memory is used again for the next page. */
struct block_list {
	struct buf blocks; /* struct dana_structure_block each */
	struct buf cells;  /* struct dana_view each */
	struct buf texts, scratch;
};

/** Lists the blocks of a page that was composed in plain style. */
int list_blocks(struct composed *c, struct block_list *list);
void block_list_free(struct block_list *list);

#endif
