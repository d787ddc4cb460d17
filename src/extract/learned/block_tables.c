/* SPDX-License-Identifier: MIT */
/*
 * Tables of data. In the text the cells of a row are on one line, parted by tabs, as browsers copy them. Tables of
 * layout are not: their cells hold parts of a page. Which table holds data is decided as for Markdown
 * (structure/compose.c), by the blocks of the whole table, whether they are kept or not.
 *
 * Example: <table><tr><th>Part<th>Length<tr><td>Rope<td>12 m</table> is "Part" TAB "Length" and "Rope" TAB "12 m".
 */
#include "base/status.h"
#include "extract/learned/block_builder.h"

enum {
	PARAGRAPH_MOST = 1000, /* bytes of a block in a cell of data */
	TITLED_ROWS = 3,       /* most rows of a layout with a title in its first one, */
	TITLED_TEXT = 400,     /* and least bytes of the text in a cell below it */
	INDENTS = 2,           /* rows that begin with an empty wide cell: entries of two rows, no data */
	DEEPEST = 4,           /* tables around a block that are looked at for cells beside prose */
	PROSE_LEAST = 300,     /* units of prose beside a cell of links, */
	LINKS_LEAST = 2,       /* which has so many of them, */
	UNITS_MOST = 600,      /* and so many units */
};

int block_tables_open(struct blocks *b, enum html_tag tag, const struct attribute_facts *facts, uint32_t element)
{
	struct block_builder *t = b->builder;
	struct block_element *e = &b->element[element];
	if (tag != HTML_TAG_TABLE && !e->cell)
		return DANA_OK; /* a cell without a table */
	struct block_cell *all = grow_items(t->cell, t->n_cells, &t->cap_cells, sizeof(*all));
	if (!all)
		return DANA_ENOMEM;
	t->cell = all;
	struct block_cell *cell = &all[t->n_cells];
	*cell = (struct block_cell){ .around = e->cell, .head = tag == HTML_TAG_TH };
	if (tag == HTML_TAG_TABLE) {
		t->row++;
		cell->table = t->n_cells + 1;
		cell->columns = facts->columns > 1 ? facts->columns : 0;
		cell->refused = facts->no_table;
	} else {
		const struct block_cell *last = cell - 1; /* its table comes before it */
		cell->table = all[e->cell - 1].table;
		cell->row = t->row;
		cell->columns = facts->columns > 1 ? facts->columns : 1;
		cell->place = last->row == cell->row && last->table == cell->table ? last->place + 1 : 0;
	}
	e->cell = ++t->n_cells;
	return DANA_OK;
}

void block_tables_refuse(struct blocks *b)
{
	const uint32_t cell = b->element[open_elements_top(&b->builder->open)].cell;
	struct block_cell *all = b->builder->cell;
	if (cell)
		all[all[cell - 1].table - 1].refused = true;
}

/* Refuses the tables around a table in which there is text. */
static void refuse_around(struct block_cell *all, const struct block_cell *table)
{
	while (table->around) {
		struct block_cell *outer = &all[all[table->around - 1].table - 1];
		if (outer->nests)
			return;
		outer->nests = outer->refused = true;
		table = outer;
	}
}

/* Counts a block in its table. */
static void count_block(struct block_cell *all, const struct block *block, uint32_t number)
{
	struct block_cell *cell = &all[number - 1], *table = &all[cell->table - 1];
	const struct block_cell *first = cell - cell->place;
	if (!table->seen)
		refuse_around(all, table);
	table->seen = true;
	table->refused |= block->text_len > PARAGRAPH_MOST;
	if (table->refused || cell == table)
		return;
	cell->bytes += block->text_len;
	if (cell->bytes > TITLED_TEXT && table->rows > 1)
		table->much = true;
	if (cell->seen)
		return;
	cell->seen = true;
	table->head |= cell->head;
	if (table->row_now != cell->row) {
		table->row_now = cell->row;
		table->row_columns = 0;
		table->rows++;
		if (table->rows == 1 && cell == first)
			table->title = cell->columns;
		table->indents += cell != first && first->columns > 1;
	}
	table->row_columns += cell->columns;
	table->columns = table->row_columns > table->columns ? table->row_columns : table->columns;
}

/* Counts the units of a block in the cells around it. */
static void count_units(struct block_cell *all, const struct block *block, uint32_t number)
{
	for (int depth = 0; number && depth < DEEPEST; depth++) {
		struct block_cell *cell = &all[number - 1], *table = &all[cell->table - 1];
		cell->units += block->counts.units;
		cell->linked += block->linked;
		cell->links += block->links;
		cell->prose += block->prose;
		if (cell != table && (!table->main || cell->prose > all[table->main - 1].prose))
			table->main = number;
		number = table->around;
	}
}

bool block_tables_beside(const struct blocks *b, const struct block *block)
{
	const struct block_cell *all = b->builder->cell;
	uint32_t number = b->element[block->element].cell;
	for (int depth = 0; number && depth < DEEPEST; depth++) {
		const struct block_cell *cell = &all[number - 1], *table = &all[cell->table - 1];
		const struct block_cell *main = table->main ? &all[table->main - 1] : cell;
		if (cell != main && cell->row == main->row && main->prose >= PROSE_LEAST && !table->data &&
		    cell->links >= LINKS_LEAST && cell->units <= UNITS_MOST &&
		    10 * (uint64_t)cell->linked >= 8 * (uint64_t)cell->units)
			return true;
		number = table->around;
	}
	return false;
}

void block_tables_judge(struct blocks *b)
{
	const uint32_t count = b->builder->n_cells;
	struct block_cell *all = b->builder->cell;
	uint32_t kept = 0;
	for (uint32_t i = 0; i < b->n_blocks && count; i++) {
		const struct block *block = &b->block[i];
		const uint32_t number = b->element[block->element].cell;
		if (!number)
			continue;
		count_block(all, block, number);
		count_units(all, block, number);
		/* code */
		while (kept < b->n_kept && b->kept[kept].to <= block->text)
			kept++;
		if (kept < b->n_kept && b->kept[kept].from < block->text + block->text_len &&
		    b->kept[kept].space == WHITE_SPACE_KEPT)
			all[all[number - 1].table - 1].refused = true;
	}
	for (uint32_t i = 0; i < count; i++) {
		struct block_cell *c = &all[i];
		const bool titled =
			!c->head && c->rows <= TITLED_ROWS && c->title > 1 && c->title == c->columns && c->much;
		c->data = c->table == i + 1 && !c->refused && !titled && (c->indents < INDENTS || c->head) &&
			  c->columns > 1 && (c->rows > 1 || c->head);
	}
}

bool block_tables_any(const struct blocks *b)
{
	return b->builder->n_cells;
}

uint32_t block_tables_data(const struct blocks *b, const struct block *block)
{
	const struct block_cell *all = b->builder->cell;
	const uint32_t number = b->element[block->element].cell, table = number ? all[number - 1].table : 0;
	return table && all[table - 1].data ? table : 0;
}

uint32_t block_tables_tabs(const struct blocks *b, const struct block *block, const struct block *before, bool *joins)
{
	const struct block_cell *all = b->builder->cell;
	uint32_t tabs = 0;
	const uint32_t number = b->element[block->element].cell, last = before ? b->element[before->element].cell : 0;
	*joins = false;
	if (!number || number == last)
		return 0;
	const struct block_cell *cell = &all[number - 1];
	if (!cell->row || !all[cell->table - 1].data)
		return 0;
	*joins = last && all[last - 1].table == cell->table && all[last - 1].row == cell->row;
	if (*joins)
		return cell->place - all[last - 1].place;
	/* empty cells at the beginning of the row */
	for (uint32_t i = 0; i < cell->place && !all[number - 1 - cell->place + i].seen; i++)
		tabs++;
	return tabs == cell->place ? tabs : 0;
}
