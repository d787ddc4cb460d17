/* SPDX-License-Identifier: MIT */
/*
 * A table holds data if it has at least two columns, and two rows or a head, and in its cells nothing but short text:
 * no heading, code, quote, list of terms, rule or other table.
 *
 * Example: a page made of one table, with a menu in the left cell and an article in the right one, is not data, since
 * articles have headings, and a table of the article inside of it is judged by itself.
 */
#include "extract/structure/tables.h"

/* Bytes of a paragraph that is too long for a cell of data. */
enum { CELL_TEXT_MOST = 1000 };

/* A table inside of others makes all of them flow. */
static void outer_tables_flow(struct structure_page *page, uint32_t table)
{
	for (;;) {
		table = page->container[page->container[table].parent].table;
		if (!table || page->container[table].flags & CONTAINER_NO_DATA)
			return;
		page->container[table].flags |= CONTAINER_NO_DATA;
	}
}

/* Counts the cell of a piece: columns in `number` of the row; rows in `number`, and most columns in `rows`, of the
 * table. */
static void count_cell(struct structure_page *page, const struct container *c)
{
	struct container *cell = &page->container[c->cell], *row = &page->container[c->row];
	struct container *table = &page->container[c->table];
	if (!c->cell || !c->row || cell->flags & CONTAINER_SEEN)
		return;
	cell->flags |= CONTAINER_SEEN;
	table->flags |= cell->flags & CONTAINER_HEAD_CELL;
	table->number += row->number == 0;
	row->number += cell->columns;
	if (row->number > table->rows)
		table->rows = (uint16_t)(row->number > STRUCTURE_ROWS ? STRUCTURE_ROWS : row->number);
}

static void count_piece(struct structure_page *page, const struct piece *piece)
{
	const struct container *c = &page->container[piece->container];
	if (!c->table)
		return;
	if (piece->kind != PIECE_TEXT || piece->len > CELL_TEXT_MOST || c->flags & CONTAINER_FLOWS)
		page->container[c->table].flags |= CONTAINER_NO_DATA;
	outer_tables_flow(page, c->table);
	count_cell(page, c);
}

void tables_judge(struct structure_page *page, bool kept_only)
{
	for (uint32_t i = 0; i < page->n_containers; i++) {
		struct container *c = &page->container[i];
		c->flags &= (uint16_t)~CONTAINER_WRITTEN;
		if (c->kind == CONTAINER_TABLE)
			c->flags &= (uint16_t)~CONTAINER_HEAD_CELL;
		if (c->kind == CONTAINER_TABLE || c->kind == CONTAINER_ROW)
			c->number = 0;
		if (c->kind == CONTAINER_TABLE)
			c->rows = 0;
	}
	for (uint32_t i = 0; i < page->n_pieces; i++) {
		if (page->piece[i].kept || !kept_only)
			count_piece(page, &page->piece[i]);
	}
	for (uint32_t i = 0; i < page->n_containers; i++) {
		struct container *c = &page->container[i];
		if (c->kind == CONTAINER_TABLE && !(c->flags & (CONTAINER_LAYOUT | CONTAINER_NO_DATA)) &&
		    c->rows >= 2 && (c->number >= 2 || c->flags & CONTAINER_HEAD_CELL))
			c->flags |= CONTAINER_DATA;
	}
}
