/* SPDX-License-Identifier: MIT */
/* Which tables of a page hold data; others only place things on the screen, and are written as if they were not there.
 */
#ifndef DANA_STRUCTURE_TABLES_H
#define DANA_STRUCTURE_TABLES_H

#include "extract/structure/page.h"

/** Sets CONTAINER_DATA of the tables that hold data, by all pieces or only by those that are kept. Linear. */
void tables_judge(struct structure_page *page, bool kept_only);

/** Returns the data table that a piece is in; 0 if it is in none. */
static inline uint32_t tables_of_piece(const struct structure_page *page, const struct piece *piece)
{
	uint32_t table = page->container[piece->container].table;
	return table && page->container[table].flags & CONTAINER_DATA ? table : 0;
}

#endif
