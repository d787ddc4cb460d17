/* SPDX-License-Identifier: MIT */
/* One block as Markdown, as if it stood alone. */
#ifndef DANA_STRUCTURE_WRITE_BLOCK_H
#define DANA_STRUCTURE_WRITE_BLOCK_H

#include "extract/structure/compose.h"

/** Appends the lines of a block, parted by LF; nothing if it is empty. Returns 0 or DANA_ENOMEM. */
int write_block(const struct composed *c, const struct composed_block *block, const struct style *style,
		struct buf *out);

#endif
