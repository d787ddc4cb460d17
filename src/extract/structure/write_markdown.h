/* SPDX-License-Identifier: MIT */
/* A composed page as Markdown: CommonMark with GFM's tables, strikethrough and tasks, and pandoc's notes and terms. */
#ifndef DANA_STRUCTURE_WRITE_MARKDOWN_H
#define DANA_STRUCTURE_WRITE_MARKDOWN_H

#include "extract/structure/compose.h"

/**
 * Appends the blocks as Markdown, without a final line end. At `max` bytes it ends after a whole block, and sets `cut`
 * of the page. Returns 0 or DANA_ENOMEM.
 */
int write_markdown(const struct composed *c, const struct style *style, struct buf *out, size_t max);

#endif
