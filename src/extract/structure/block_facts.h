/* SPDX-License-Identifier: MIT */
/* What a composed block is: its kind, as it is called in the list of blocks, its level or number, and its depth. */
#ifndef DANA_STRUCTURE_BLOCK_FACTS_H
#define DANA_STRUCTURE_BLOCK_FACTS_H

#include "extract/structure/compose.h"

struct block_facts {
	const char *type;
	unsigned number; /* level of a heading, number of an item: 0 without */
	unsigned depth;  /* lists around an item, or quotes around a quote, its own included; 0 for others */
	bool has_number;
	struct slice id, language; /* of a note; of code */
};

struct block_facts block_facts_of(const struct composed *c, const struct composed_block *block);

#endif
