/* SPDX-License-Identifier: MIT */
/* Functions of compose_text.c and compose_table.c; with a status they return 0 or DANA_ENOMEM. */
#ifndef DANA_STRUCTURE_COMPOSE_PRIVATE_H
#define DANA_STRUCTURE_COMPOSE_PRIVATE_H

#include "base/status.h"
#include "extract/structure/compose.h"

/** Returns a block of piece `i`, whose text goes from `text` to the end. */
struct composed_block compose_block_of(const struct composed *c, uint32_t i, enum block_kind kind, size_t text);
/** Adds a block. */
int compose_block(struct composed *c, struct composed_block block);
/** Adds the data table that begins with piece *i, and sets *i to the piece after it. */
int compose_table(struct composed *c, uint32_t table, uint32_t *i);
/** Adds the text of a piece as a paragraph. */
int compose_text(struct composed *c, uint32_t i);

#endif
