/* SPDX-License-Identifier: MIT */
/* What the columns `blocks` and `problems` hold lists of (doc/FORMATS.md, "Arrow"). */
#ifndef DANA_ARROW_ITEM_TYPES_H
#define DANA_ARROW_ITEM_TYPES_H

#include "archive/arrow/column.h"

/** A block of a page: the members of its JSON object (doc/MARKDOWN.md, "Blocks"), null where it does not have them. */
extern const struct column_type item_block_type;
/** A text in a list. */
extern const struct column_type item_text_type;

#endif
