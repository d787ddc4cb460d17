/* SPDX-License-Identifier: MIT */
/*
 * A data table as rows of equal length. A cell is the text of its pieces, joined by blanks; a cell over several columns
 * is followed by empty ones, one over several rows has empty ones below; short rows are filled, empty ones left out.
 *
 * Example: <tr><td rowspan=2>1<td>2<tr><td>3 makes the rows "1", "2" and "", "3".
 */
#include "base/grow.h"
#include "extract/structure/compose_private.h"
#include "extract/structure/tables.h"

/* Text of a cell that has some; in the order of the containers. */
struct cell_text {
	uint32_t cell, text, len;
};

struct grid {
	struct composed *c;
	uint32_t table;
	const struct cell_text *next, *end;
	uint16_t below[STRUCTURE_COLUMNS]; /* rows that a cell above goes on for */
	size_t cells;                      /* before this table */
	unsigned columns, rows, column;
	size_t row; /* the row's first cell */
	bool any;   /* the row has text */
	bool full;
};

static int add_cell(struct grid *g, struct slice text)
{
	struct composed *c = g->c;
	if (g->column >= STRUCTURE_COLUMNS || c->n_cells >= STRUCTURE_CELLS) {
		c->page->cut = g->full = true;
		return DANA_OK;
	}
	struct composed_cell *more = grow_items(c->cell, c->n_cells, &c->cap_cells, sizeof(*more));
	if (!more)
		return DANA_ENOMEM;
	c->cell = more;
	more[c->n_cells++] = (struct composed_cell){ .text = (uint32_t)(text.len ? text.data - c->text.data : 0),
						     .len = (uint32_t)text.len };
	g->column++;
	g->any |= text.len != 0;
	return DANA_OK;
}

/* Adds the empty cells below those that go on from rows above. */
static int add_below(struct grid *g)
{
	int status = DANA_OK;
	while (status == DANA_OK && g->column < STRUCTURE_COLUMNS && g->below[g->column] && !g->full) {
		g->below[g->column]--;
		status = add_cell(g, slice_of(NULL, 0));
	}
	return status;
}

/* Returns the text of a cell, and passes it. */
static struct slice text_of_cell(struct grid *g, uint32_t cell)
{
	while (g->next < g->end && g->next->cell < cell)
		g->next++;
	if (g->next == g->end || g->next->cell != cell)
		return slice_of(NULL, 0);
	const struct cell_text *text = g->next++;
	return slice_of(g->c->text.data + text->text, text->len);
}

static int take_cell(struct grid *g, uint32_t number)
{
	const struct container *cell = &g->c->page->container[number];
	int status = add_below(g);
	for (unsigned i = 0; i < cell->columns && status == DANA_OK && !g->full; i++) {
		if (g->column < STRUCTURE_COLUMNS && cell->rows > 1)
			g->below[g->column] = (uint16_t)(cell->rows - 1);
		status = add_cell(g, i == 0 ? text_of_cell(g, number) : slice_of(NULL, 0));
	}
	return status;
}

/* Ends a row; one without text is taken back. */
static int end_row(struct grid *g)
{
	struct composed *c = g->c;
	int status = add_below(g);
	if (status == DANA_OK && g->any) {
		c->cell[c->n_cells - 1].ends_row = true;
		g->columns = g->column > g->columns ? g->column : g->columns;
		g->rows++;
	} else {
		c->n_cells = g->row;
	}
	g->full |= g->rows == STRUCTURE_ROWS;
	g->row = c->n_cells;
	g->column = 0;
	g->any = false;
	return status;
}

/* Goes through rows and cells of the table in the order of the page. */
static int take_rows(struct grid *g)
{
	const struct structure_page *page = g->c->page;
	int status = DANA_OK;
	uint32_t row = 0;
	for (uint32_t i = g->table + 1; i < page->container[g->table].last && status == DANA_OK && !g->full; i++) {
		const struct container *c = &page->container[i];
		if (c->table != g->table)
			continue;
		if (c->kind == CONTAINER_ROW && row)
			status = end_row(g);
		if (c->kind == CONTAINER_ROW)
			row = i;
		else if (c->kind == CONTAINER_CELL && c->row == row && status == DANA_OK)
			status = take_cell(g, i);
	}
	return status < 0 || !row ? status : end_row(g);
}

/* Makes all rows as long as the longest: from the last one on, since rows move up. */
static int fill_rows(struct grid *g)
{
	struct composed *c = g->c;
	const size_t wanted = g->cells + (size_t)g->rows * g->columns;
	if (wanted > STRUCTURE_CELLS) {
		c->page->cut = true;
		return DANA_OK;
	}
	const struct grow_array arrays[] = { GROW_ARRAY(c->cell) };
	if (wanted > c->cap_cells && grow_arrays(arrays, 1, wanted, &c->cap_cells) < 0)
		return DANA_ENOMEM;
	size_t from = c->n_cells, to = wanted;
	while (from > g->cells && from != to) {
		size_t len = 1;
		while (from - len > g->cells && !c->cell[from - len - 1].ends_row)
			len++;
		for (size_t i = len; i < g->columns; i++)
			c->cell[--to] = (struct composed_cell){ .ends_row = i == len };
		for (size_t i = 0; i < len; i++) {
			c->cell[--to] = c->cell[--from];
			c->cell[to].ends_row &= len == g->columns;
		}
	}
	c->n_cells = wanted;
	return DANA_OK;
}

/* Writes the texts of the cells, and the captions as paragraphs before the table; *i ends after the last piece. */
static int write_texts(struct composed *c, uint32_t table, uint32_t *i)
{
	const struct structure_page *page = c->page;
	int status = DANA_OK;
	struct cell_text text = { 0 };
	buf_clear(&c->cell_texts);
	c->line.open_brackets = 0;
	for (; *i < page->n_pieces && tables_of_piece(page, &page->piece[*i]) == table && status == DANA_OK; ++*i) {
		const struct container *around = &page->container[page->piece[*i].container];
		enum inline_kind kind;
		if (!page->piece[*i].kept)
			continue;
		if (around->flags & CONTAINER_IN_CAPTION || !around->cell) {
			status = compose_text(c, *i);
			continue;
		}
		bool more = text.cell == around->cell;
		if (text.cell && !more)
			buf_append(&c->cell_texts, &text, sizeof(text));
		if (!more)
			text = (struct cell_text){ .cell = around->cell, .text = (uint32_t)c->text.len };
		const size_t before = c->text.len;
		if (text.len)
			buf_append_byte(&c->text, ' ');
		status = inline_append(&c->line, &page->piece[*i], &c->text, &kind);
		if (kind == INLINE_EMPTY)
			c->text.len = before;
		text.len = (uint32_t)(c->text.len - text.text);
	}
	if (text.cell)
		buf_append(&c->cell_texts, &text, sizeof(text));
	return status < 0 ? status : buf_status(&c->cell_texts);
}

/* What has no room in the table follows as paragraphs. */
static int write_rest(struct grid *g)
{
	int status = DANA_OK;
	const uint32_t piece = g->c->n_blocks ? g->c->block[g->c->n_blocks - 1].piece : 0;
	for (; g->full && g->next < g->end && status == DANA_OK; g->next++) {
		if (g->next->len)
			status = compose_block(
				g->c, (struct composed_block){ .text = g->next->text,
							       .len = g->next->len,
							       .container = g->c->page->container[g->table].line,
							       .piece = piece });
	}
	return status;
}

int compose_table(struct composed *c, uint32_t table, uint32_t *i)
{
	const uint32_t first = *i;
	struct grid g = { .c = c, .table = table, .cells = c->n_cells, .row = c->n_cells };
	int status = write_texts(c, table, i);
	g.next = (const struct cell_text *)(const void *)c->cell_texts.data;
	g.end = g.next + c->cell_texts.len / sizeof(*g.next);
	if (status == DANA_OK)
		status = take_rows(&g);
	if (status == DANA_OK && g.rows)
		status = fill_rows(&g);
	if (status < 0 || c->n_cells == g.cells)
		return status;
	status = compose_block(c, (struct composed_block){ .container = c->page->container[table].line,
							   .piece = first,
							   .cell = (uint32_t)g.cells,
							   .cells_end = (uint32_t)c->n_cells,
							   .kind = BLOCK_TABLE });
	return status < 0 ? status : write_rest(&g);
}
