/* SPDX-License-Identifier: MIT */
/*
 * The kept pieces of a page as blocks: paragraphs, headings, code, tables, formulas and rules, in order, each with its
 * text in one buffer. Both writers start from here.
 */
#ifndef DANA_STRUCTURE_COMPOSE_H
#define DANA_STRUCTURE_COMPOSE_H

#include "extract/structure/inline.h"

enum block_kind {
	BLOCK_TEXT, /* also a heading: its container is one then */
	BLOCK_CODE,
	BLOCK_TABLE,
	BLOCK_FORMULA,
	BLOCK_RULE,
	BLOCK_PICTURE, /* in plain style: `text` is the number of its mark */
};

struct composed_block {
	uint32_t text, len;       /* in `text`; lines are parted by LF: one for each <br>, and those of code */
	uint32_t container;       /* the innermost that begins lines in its own way; not a heading */
	uint32_t piece;           /* the first */
	uint32_t cell, cells_end; /* table */
	uint8_t kind;
	bool kept;
};

/** A cell of a table, in the order of rows and columns; all rows of a table have the same number of cells. */
struct composed_cell {
	uint32_t text, len;
	bool ends_row;
};

/** Zeroed it is empty; its memory is used again for the next page. */
struct composed {
	struct structure_page *page;
	struct inline_writer line;
	struct buf text;
	struct composed_block *block;
	struct composed_cell *cell;
	size_t n_blocks, n_cells, cap_blocks, cap_cells;
	struct buf cell_texts; /* of one table: struct composed_cell of each cell with text, and its container */
	int status;            /* DANA_ENOMEM: a part of the page is missing */
};

/**
 * Composes the page by its pieces' `kept`; `dropped`: the others too. `url`: address of the page, may be empty.
 */
int compose(struct composed *c, struct structure_page *page, const struct style *style, struct slice url, bool dropped);
void compose_free(struct composed *c);
/** Sets CONTAINER_DATA of the tables that hold data, by all pieces or only by those that are kept. Linear. */
void tables_judge(struct structure_page *page, bool kept_only);

/** Returns the data table that a piece is in; 0 if it is in none. */
static inline uint32_t tables_of_piece(const struct structure_page *page, const struct piece *piece)
{
	uint32_t table = page->container[piece->container].table;
	return table && page->container[table].flags & CONTAINER_DATA ? table : 0;
}

/** Returns the heading that a piece is in; NULL if none. */
static inline const struct container *compose_heading(const struct structure_page *page, uint32_t piece)
{
	const struct container *c = &page->container[page->piece[piece].container];
	if (!(c->flags & CONTAINER_IN_HEADING))
		return NULL;
	while (c->kind != CONTAINER_HEADING)
		c = &page->container[c->parent];
	return c;
}

/* What a composed block is: its kind, as it is called in the list of blocks, its level or number, and its depth. */

struct block_facts {
	const char *type;
	unsigned number; /* level of a heading, number of an item: 0 without */
	unsigned depth;  /* lists around an item, or quotes around a quote, its own included; 0 for others */
	bool has_number;
	struct slice id, language; /* of a note; of code */
};

struct block_facts block_facts_of(const struct composed *c, const struct composed_block *block);

#endif
