/* SPDX-License-Identifier: MIT */
/*
 * Which tables hold data, and what each piece becomes: a part of a paragraph, a cell of a table, code, a formula, a
 * rule. Rules are left out at both ends, twice in a row, and in headings.
 *
 * Example: <h2>One<br>two</h2><p>a<br>b is a heading "One two" and a paragraph of two lines.
 */
#include "extract/structure/compose.h"

#include <stdlib.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "base/status.h"
#include "extract/html/entity.h"
#include "extract/structure/escape.h"
#include "extract/structure/page.h"

/*
 * A table holds data if it has at least two columns, and two rows or a head, and in its cells nothing but short text:
 * no heading, code, quote, list of terms or rule. A cell may hold a table of such text, which is then a part of the
 * cell, where the cells show that the table around it is none of layout (refuse_nests).
 *
 * Example: a page made of one table, with a menu in the left cell and an article in the right one, is not data, since
 * articles have headings, and a table of the article inside of it is judged by itself.
 */

enum { HEAD_CELLS = 2 };

/*
 * Counts a cell that has text, its own or that of a table in it. Columns are counted in `number` of the row, cells with
 * text of their own in its `rows`; of the table, rows in `number`, most columns in `rows`, <th> with text of their own
 * in `columns`.
 */
static void count_cell(struct structure_page *page, const struct container *c, bool own)
{
	struct container *cell = &page->container[c->cell], *row = &page->container[c->row];
	struct container *table = &page->container[c->table];
	if (!c->cell || !c->row || cell->flags & CONTAINER_SEEN)
		return;
	cell->flags |= CONTAINER_SEEN;
	table->flags |= cell->flags & CONTAINER_HEAD_CELL;
	if (own && cell->flags & CONTAINER_HEAD_CELL && table->columns < HEAD_CELLS)
		table->columns++;
	table->number += row->number == 0;
	row->number += cell->columns;
	row->rows = (uint16_t)(row->rows + (own ? cell->columns : 0));
	if (row->number > table->rows)
		table->rows = (uint16_t)(row->number > STRUCTURE_ROWS ? STRUCTURE_ROWS : row->number);
}

/*
 * Counts a piece of a table for the table around that, and for all around this one, which then hold no data. `joins`:
 * the table may become a part of a cell, which happens only once to a page, so that all that is written agrees.
 */
static void count_nested(struct structure_page *page, const struct container *table, const struct piece *piece,
			 bool joins)
{
	const struct container *around = &page->container[table->parent];
	struct container *outer = &page->container[around->table], *cell = &page->container[around->cell];
	if (outer == page->container)
		return;
	count_cell(page, around, false);
	outer->flags |= CONTAINER_NESTS;
	if (!joins || !around->cell || table->flags & CONTAINER_NO_DATA)
		outer->flags |= CONTAINER_NO_DATA;
	cell->number += (int32_t)piece->len;
	while ((outer = &page->container[page->container[outer->parent].table]) != page->container &&
	       !(outer->flags & CONTAINER_NO_DATA))
		outer->flags |= CONTAINER_NO_DATA;
}

/*
 * Finds the tables with tables in their cells that hold no data: a cell has much text, or, with less than two <th> of
 * text, a cell is empty, a row is shorter than others, has no cell without a table, or is the first and has one.
 */
static void refuse_nests(struct structure_page *page)
{
	for (uint32_t i = 1; i < page->n_containers; i++) {
		const struct container *c = &page->container[i];
		struct container *table = &page->container[c->table];
		bool refused = c->kind == CONTAINER_CELL && c->number > STRUCTURE_CELL_TEXT;
		if (!(table->flags & CONTAINER_NESTS))
			continue;
		if (table->columns < HEAD_CELLS && c->kind == CONTAINER_CELL)
			refused |= !(c->flags & CONTAINER_SEEN);
		if (table->columns < HEAD_CELLS && c->kind == CONTAINER_ROW && c->number) {
			const bool first = !(table->flags & CONTAINER_SEEN);
			refused |= c->number != table->rows || c->rows == 0 || (first && c->rows != table->rows);
			table->flags |= CONTAINER_SEEN;
		}
		table->flags |= refused ? CONTAINER_NO_DATA : 0;
	}
}

/*
 * Finds the tables that hold no data since two rows of theirs begin with an empty cell over several columns, and they
 * have no <th>: lists whose entries have two rows. The first such row leaves CONTAINER_LOOSE.
 */
static void refuse_indented(struct structure_page *page)
{
	for (uint32_t i = 1; i < page->n_containers; i++) {
		const struct container *c = &page->container[i];
		struct container *table = &page->container[c->table];
		if (c->kind != CONTAINER_CELL || c->columns < 2 || c->row != i - 1 || c->flags & CONTAINER_SEEN ||
		    page->container[c->row].number == 0 || table->flags & CONTAINER_HEAD_CELL)
			continue;
		table->flags |= table->flags & CONTAINER_LOOSE ? CONTAINER_NO_DATA : CONTAINER_LOOSE;
	}
}

/*
 * Finds the tables that hold no data since their first row is one cell over all columns, another has much text, and
 * they have few rows and no <th>: pages with a title above a menu and an article.
 */
static void refuse_titled(struct structure_page *page)
{
	enum { MUCH_TEXT = 400, FEW_ROWS = 3 };
	uint32_t titled = 0;
	for (uint32_t i = 1; i < page->n_containers; i++) {
		const struct container *c = &page->container[i];
		struct container *table = &page->container[c->table];
		if (c->kind != CONTAINER_CELL || table->flags & CONTAINER_HEAD_CELL || table->number > FEW_ROWS ||
		    page->container[table->parent].table)
			continue;
		if (c->columns >= 2 && c->row == i - 1 && c->row == c->table + 1 && c->columns == table->rows)
			titled = c->table;
		else if (titled && c->table == titled && c->number > MUCH_TEXT)
			table->flags |= CONTAINER_NO_DATA;
	}
}

/* Decides whether a table holds data, and makes one in a cell of data a part of that cell. */
static void judge_table(struct structure_page *page, struct container *c)
{
	const struct container *around = &page->container[c->parent];
	const bool refused = c->flags & (CONTAINER_LAYOUT | CONTAINER_NO_DATA);
	if (page->container[around->table].flags & CONTAINER_DATA && around->cell) {
		c->table = around->table;
		c->row = around->row;
		c->cell = around->cell;
	} else if (!refused && c->rows >= 2 &&
		   (c->number >= 2 || (c->flags & CONTAINER_HEAD_CELL && !(c->flags & CONTAINER_NESTS)))) {
		c->flags |= CONTAINER_DATA;
	}
}

void tables_judge(struct structure_page *page, bool kept_only)
{
	bool nested = false, tables = false;
	for (uint32_t i = 0; i < page->n_containers; i++) {
		struct container *c = &page->container[i];
		c->flags &= (uint16_t)~CONTAINER_WRITTEN;
		if (c->kind == CONTAINER_TABLE)
			c->flags &= (uint16_t)~CONTAINER_HEAD_CELL;
		if (c->kind == CONTAINER_TABLE || c->kind == CONTAINER_ROW || c->kind == CONTAINER_CELL)
			c->number = 0;
		if (c->kind == CONTAINER_TABLE || c->kind == CONTAINER_ROW)
			c->rows = 0;
		if (c->kind == CONTAINER_TABLE)
			c->columns = 0;
	}
	for (uint32_t i = 0; i < page->n_pieces; i++) {
		const struct piece *piece = &page->piece[i];
		if (!piece->kept && kept_only)
			continue;
		const struct container *c = &page->container[piece->container];
		struct container *table = &page->container[c->table];
		if (!c->table)
			continue;
		tables = true;
		if (piece_is_no_data(page, piece))
			table->flags |= CONTAINER_NO_DATA;
		count_nested(page, table, piece, !kept_only);
		count_cell(page, c, true);
		if (c->cell)
			page->container[c->cell].number += (int32_t)piece->len;
		nested |= page->container[page->container[table->parent].table].flags & CONTAINER_NESTS;
	}
	if (nested)
		refuse_nests(page);
	if (tables) {
		refuse_indented(page);
		refuse_titled(page);
	}
	for (uint32_t i = 0; i < page->n_containers; i++) {
		struct container *c = &page->container[i];
		const struct container *table = &page->container[c->table];
		if (c->kind == CONTAINER_TABLE && c->table == i) {
			judge_table(page, c);
		} else if (nested && table->table != c->table) {
			/* in a table that has become a part of a cell */
			c->row = table->row;
			c->cell = table->cell;
			c->table = table->table;
			c->flags &= (uint16_t)~CONTAINER_IN_CAPTION;
		}
	}
}

void compose_items(const struct composed *composed)
{
	struct structure_page *page = composed->page;
	/* a list is loose when an item of it has two blocks of its own; a list of terms is not empty if it has a term
	 */
	for (size_t i = 0; i < composed->n_blocks; i++) {
		uint32_t k = composed->block[i].container;
		struct container *const at = page->container, *terms = &at[at[k].parent];
		if (!composed->block[i].kept)
			continue;
		if (at[k].kind == CONTAINER_TERM && terms->kind == CONTAINER_TERMS)
			terms->flags |= CONTAINER_NONEMPTY;
		while (k && !(compose_holds_blocks(page, &at[k]) && at[k].kind != CONTAINER_NOTE))
			k = at[at[k].parent].line;
		struct container *item = &at[k];
		if (k && item->flags & CONTAINER_NONEMPTY) {
			item->flags |= CONTAINER_TWICE;
			if (item->kind == CONTAINER_ITEM)
				at[item->parent].flags |= CONTAINER_LOOSE;
		}
		item->flags |= k ? CONTAINER_NONEMPTY : 0;
	}
}

/* The kind of a block of text is the kind of the innermost container that begins its lines. */
struct block_facts block_facts_of(const struct composed *composed, const struct composed_block *block)
{
	static const char *const types[] = {
		[BLOCK_TEXT] = "p",       [BLOCK_CODE] = "code", [BLOCK_TABLE] = "table",
		[BLOCK_FORMULA] = "math", [BLOCK_RULE] = "hr",   [BLOCK_PICTURE] = "img",
	};
	const struct structure_page *page = composed->page;
	const struct container *heading = compose_heading(page, block->piece), *c = &page->container[block->container];
	const struct piece *piece = &page->piece[block->piece];
	struct block_facts facts = { .type = types[block->kind] };
	if (block->kind == BLOCK_CODE)
		facts.language = page_argument(page, piece->language, piece->language_len);
	if (block->kind != BLOCK_TEXT)
		return facts;
	if (heading) {
		facts.type = "h";
		facts.number = (unsigned)heading->number;
		facts.has_number = true;
		return facts;
	}
	switch ((enum container_kind)(block->container ? c->kind : CONTAINER_PAGE)) {
	case CONTAINER_ITEM:
		facts.type = "li";
		facts.number = c->flags & CONTAINER_ORDERED && c->number > 0 ? (unsigned)c->number : 0;
		facts.has_number = true;
		facts.depth = c->lists;
		break;
	case CONTAINER_QUOTE:
		facts.type = "quote";
		facts.depth = c->quotes;
		break;
	case CONTAINER_TERM:
		facts.type = "dt";
		break;
	case CONTAINER_MEANING:
		facts.type = "dd";
		break;
	case CONTAINER_NOTE:
		facts.type = "note";
		facts.id = page_argument(page, (uint32_t)c->number, c->rows);
		break;
	default:
		break;
	}
	return facts;
}

/*
 * Text that one <br> divides is one block of several lines; the pieces of a heading are one line.
 *
 * Example: <h2>One<br>two</h2><p>a<br>b is a heading "One two" and a paragraph of two lines.
 */

static void note(struct composed *c, int status)
{
	if (status < 0)
		c->status = status;
}

static void compose_block(struct composed *c, struct composed_block block)
{
	struct composed_block *more = grow_items(c->block, c->n_blocks, &c->cap_blocks, sizeof(*more));
	if (!more) {
		c->status = DANA_ENOMEM;
		return;
	}
	c->block = more;
	c->word = (struct last_word){ 0 };
	block.kept = c->page->piece[block.piece].kept;
	more[c->n_blocks++] = block;
}

/** Returns a block of piece `i`, whose text goes from `text` to the end. */
static struct composed_block compose_block_of(const struct composed *c, uint32_t i, enum block_kind kind, size_t text)
{
	const struct piece *piece = &c->page->piece[i];
	return (struct composed_block){ .text = (uint32_t)text,
					.len = (uint32_t)(c->text.len - text),
					.container = c->page->container[piece->container].line,
					.piece = i,
					.kind = (uint8_t)kind };
}

static void compose_text(struct composed *c, uint32_t i)
{
	enum inline_kind kind;
	const struct structure_page *page = c->page;
	const struct piece *piece = &page->piece[i];
	/* the block that the text continues, with what parts them; NULL if it is a block of its own */
	struct composed_block *last = c->n_blocks ? &c->block[c->n_blocks - 1] : NULL;
	if (last && (last->kind != BLOCK_TEXT || last->kept != piece->kept))
		last = NULL;
	const struct container *heading = last ? compose_heading(page, i) : NULL;
	const char parts = heading ? ' ' : '\n';
	if (last && !(heading ? heading == compose_heading(page, last->piece)
			      : piece->joins && i && page->piece[i - 1].kept == piece->kept &&
					last->container == page->container[piece->container].line))
		last = NULL;
	const size_t start = c->text.len;
	/* for readers without lists of terms a meaning is a line of its term */
	if (!last && page->container[page->container[piece->container].line].kind != CONTAINER_MEANING)
		c->line.open_brackets = 0;
	if (last && parts == '\n' && !c->line.style->plain && c->line.ends_in_text &&
	    escape_ends_in_address(&c->word, slice_of(c->text.data + last->text, last->len)))
		buf_append_byte(&c->text, ' ');
	if (last)
		buf_append_byte(&c->text, (uint8_t)parts);
	const size_t text = c->text.len;
	note(c, inline_append(&c->line, piece, &c->text, &kind));
	if (kind == INLINE_EMPTY)
		c->text.len = start;
	else if (kind == INLINE_TEXT && last)
		last->len = (uint32_t)(c->text.len - last->text);
	else if (kind == INLINE_TEXT)
		compose_block(c, compose_block_of(c, i, BLOCK_TEXT, text));
	if (kind != INLINE_FORMULA)
		return;
	/* a block for each formula: "$$" inside of one is where another begins, and would end it in Markdown */
	for (struct slice rest = slice_skip(buf_slice(&c->text), text); rest.len;) {
		size_t len = slice_until(rest, "$");
		while (len < rest.len && !(len + 1 < rest.len && rest.data[len + 1] == '$'))
			len += 1 + slice_until(slice_skip(rest, len + 1), "$");
		const struct slice tex = slice_trim(slice_first(rest, len));
		struct composed_block block = compose_block_of(c, i, BLOCK_FORMULA, text);
		rest = slice_skip(rest, len + 2);
		if (tex.len == 0)
			continue;
		block.text = (uint32_t)(tex.data - c->text.data);
		block.len = (uint32_t)tex.len;
		compose_block(c, block);
	}
}

/*
 * A data table as rows of equal length. A cell is the text of its pieces, joined by blanks; a cell over several columns
 * is followed by empty ones, one over several rows has empty ones below; short rows are filled, empty ones left out.
 *
 * Example: <tr><td rowspan=2>1<td>2<tr><td>3 makes the rows "1", "2" and "", "3".
 */

/* Text of a cell that has some; in the order of the containers. */
struct cell_text {
	uint32_t cell, text, len;
};

struct grid {
	struct composed *c;
	uint32_t table;
	const struct cell_text *next, *end;
	uint16_t below[STRUCTURE_COLUMNS]; /* rows that a cell above continues for */
	size_t cells;                      /* before this table */
	unsigned columns, rows, column;
	size_t row; /* the row's first cell */
	bool any;   /* the row has text */
	bool foot;  /* there are rows that come last */
	bool full;
};

static void add_cell(struct grid *g, struct slice text, bool head)
{
	struct composed *c = g->c;
	const bool fits = g->column < STRUCTURE_COLUMNS && c->n_cells < STRUCTURE_CELLS;
	struct composed_cell *more = fits ? grow_items(c->cell, c->n_cells, &c->cap_cells, sizeof(*more)) : NULL;
	if (!more) {
		g->full = true;
		c->page->cut |= !fits;
		note(c, fits ? DANA_ENOMEM : DANA_OK);
		return;
	}
	c->cell = more;
	more[c->n_cells++] = (struct composed_cell){ .text = (uint32_t)(text.len ? text.data - c->text.data : 0),
						     .len = (uint32_t)text.len,
						     .head = head };
	g->column++;
	g->any |= text.len != 0;
}

/* Adds the empty cells below cells of rows above. */
static void add_below(struct grid *g)
{
	while (g->column < STRUCTURE_COLUMNS && g->below[g->column] && !g->full) {
		g->below[g->column]--;
		add_cell(g, slice_of(NULL, 0), false);
	}
}

/* Ends a row; one without text is taken back. */
static void end_row(struct grid *g)
{
	struct composed *c = g->c;
	add_below(g);
	if (g->any) {
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
}

/* Makes all rows as long as the longest: from the last one on, since rows move up. */
static void fill_rows(struct grid *g)
{
	struct composed *c = g->c;
	const size_t wanted = g->cells + (size_t)g->rows * g->columns;
	const struct grow_array arrays[] = { GROW_ARRAY(c->cell) };
	if (wanted > STRUCTURE_CELLS) {
		c->page->cut = true;
		return;
	}
	if (wanted > c->cap_cells && grow_arrays(arrays, 1, wanted, &c->cap_cells) < 0) {
		c->status = DANA_ENOMEM;
		return;
	}
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
}

/* Adds the rows that have the flag `foot`, or those without CONTAINER_FOOT. No cell of others continues in them. */
static void add_rows(struct grid *g, uint16_t foot)
{
	const struct composed *c = g->c;
	const struct structure_page *page = c->page;
	uint32_t row = 0;
	memset(g->below, 0, sizeof(g->below));
	for (uint32_t k = g->table + 1; k < page->container[g->table].last && !g->full; k++) {
		const struct container *around = &page->container[k];
		if (around->table != g->table)
			continue;
		const bool is_row = around->kind == CONTAINER_ROW && around->row == k; /* not of a table in a cell */
		if (is_row && row)
			end_row(g);
		if (is_row) {
			g->foot |= around->flags & CONTAINER_FOOT;
			row = (around->flags & CONTAINER_FOOT) == foot ? k : 0;
		}
		if (around->kind != CONTAINER_CELL || around->cell != k || !row || around->row != row)
			continue;
		add_below(g);
		for (unsigned n = 0; n < around->columns && !g->full; n++) {
			struct slice cell = { 0 };
			if (g->column < STRUCTURE_COLUMNS && around->rows > 1)
				g->below[g->column] = (uint16_t)(around->rows - 1);
			while (n == 0 && g->next < g->end && g->next->cell < k)
				g->next++;
			if (n == 0 && g->next < g->end && g->next->cell == k) {
				cell = slice_of(c->text.data + g->next->text, g->next->len);
				g->next++;
			}
			add_cell(g, cell, around->flags & CONTAINER_HEAD_CELL);
		}
	}
	if (row)
		end_row(g);
}

/** Adds the data table that begins with piece *i, and sets *i to the piece after it. */
static void compose_table(struct composed *c, uint32_t table, uint32_t *i)
{
	struct composed_block block = { .container = c->page->container[table].line,
					.piece = *i,
					.cell = (uint32_t)c->n_cells,
					.kind = BLOCK_TABLE };
	struct grid g = { .c = c, .table = table, .cells = c->n_cells, .row = c->n_cells };
	/* the texts of the cells, and the captions as paragraphs before the table */
	const struct structure_page *page = c->page;
	struct cell_text text = { 0 };
	buf_clear(&c->cell_texts);
	c->line.open_brackets = 0;
	for (; *i < page->n_pieces && tables_of_piece(page, &page->piece[*i]) == table; ++*i) {
		const struct container *around = &page->container[page->piece[*i].container];
		enum inline_kind kind;
		if (!page->piece[*i].kept)
			continue;
		if (around->flags & CONTAINER_IN_CAPTION || !around->cell) {
			compose_text(c, *i);
			continue;
		}
		if (text.cell != around->cell) {
			buf_append(&c->cell_texts, &text, text.cell ? sizeof(text) : 0);
			text = (struct cell_text){ .cell = around->cell, .text = (uint32_t)c->text.len };
		}
		const size_t before = c->text.len;
		if (text.len)
			buf_append_byte(&c->text, ' ');
		note(c, inline_append(&c->line, &page->piece[*i], &c->text, &kind));
		if (kind == INLINE_EMPTY)
			c->text.len = before;
		text.len = (uint32_t)(c->text.len - text.text);
	}
	buf_append(&c->cell_texts, &text, text.cell ? sizeof(text) : 0);
	note(c, buf_status(&c->cell_texts));
	g.next = (const struct cell_text *)(const void *)c->cell_texts.data;
	g.end = g.next + c->cell_texts.len / sizeof(*g.next);
	/* rows and cells of the table in the order of the page, but for those of its foot */
	const struct cell_text *first = g.next;
	add_rows(&g, 0);
	if (g.foot) {
		g.next = first;
		add_rows(&g, CONTAINER_FOOT);
	}
	if (g.rows)
		fill_rows(&g);
	if (c->status < 0 || c->n_cells == g.cells)
		return;
	block.cells_end = (uint32_t)c->n_cells;
	compose_block(c, block);
	/* what has no room in the table follows as paragraphs */
	for (; g.full && g.next < g.end; g.next++) {
		block.text = g.next->text;
		block.len = g.next->len;
		block.cell = block.cells_end = 0;
		block.kind = BLOCK_TEXT;
		if (block.len)
			compose_block(c, block);
	}
}

enum { KEEP_BUFFER = 1 << 20 };

/* Code: references decoded, U+00A0 as a blank, no control characters, no white space at the ends of lines. */
static void compose_code(struct composed *c, uint32_t i)
{
	const struct piece *piece = &c->page->piece[i];
	struct slice source = slice_of(c->page->text.data + piece->text, piece->len);
	const size_t text = c->text.len;
	struct buf *out = &c->text;
	size_t end = text; /* after the last line that is not blank */
	for (bool first = true; source.len; first = false) {
		const size_t start = out->len;
		size_t len = 0;
		while (len < source.len && source.data[len] != '\n' && source.data[len] != '\r')
			len++;
		if (piece->raw)
			buf_append(out, source.data, len);
		else
			html_entity_append(out, slice_first(source, len));
		size_t kept = start;
		for (size_t k = start; k < out->len; k++) {
			uint8_t b = out->data[k];
			if (b == 0xC2 && k + 1 < out->len && out->data[k + 1] == 0xA0)
				continue;
			if (b == 0xA0 && k > start && out->data[k - 1] == 0xC2)
				b = ' ';
			if (b == '\t' || b == '\n' || (b >= ' ' && b != 0x7F))
				out->data[kept++] = b;
		}
		while (kept > start && (out->data[kept - 1] == ' ' || out->data[kept - 1] == '\t'))
			kept--;
		out->len = kept;
		end = kept > start ? kept : end;
		if (!first || len)
			buf_append_byte(out, '\n');
		const bool both = len + 1 < source.len && source.data[len] == '\r' && source.data[len + 1] == '\n';
		source = slice_skip(source, len + 1 + both);
	}
	out->len = end;
	if (end != text)
		compose_block(c, compose_block_of(c, i, BLOCK_CODE, text));
}

int compose(struct composed *c, struct structure_page *page, const struct style *style, struct slice url, bool dropped)
{
	c->page = page;
	c->n_blocks = c->n_cells = 0;
	buf_shrink(&c->text, KEEP_BUFFER);
	tables_judge(page, true);
	c->status = inline_begin(&c->line, page, style, url);
	for (uint32_t i = 0; i < page->n_pieces && c->status == DANA_OK;) {
		const struct piece *piece = &page->piece[i];
		if (!piece->kept && !dropped) {
			i++;
			continue;
		}
		const uint32_t table = piece->kept ? tables_of_piece(page, piece) : 0;
		if (table) {
			compose_table(c, table, &i);
			continue;
		}
		const uint32_t at = i++;
		if (piece->kind == PIECE_CODE) {
			compose_code(c, at);
		} else if (piece->kind == PIECE_TEXT) {
			compose_text(c, at);
			/* in plain style the text is without pictures */
			for (uint32_t k = piece->mark; k < piece->marks_end && style->plain && style->images; k++) {
				struct composed_block block = compose_block_of(c, at, BLOCK_PICTURE, c->text.len);
				block.text = k;
				if (page->mark[k].kind != MARK_IMAGE)
					continue;
				note(c, inline_picture(&c->line, &page->mark[k]));
				if (c->line.url.len || c->line.plain.len)
					compose_block(c, block);
			}
		} else if (c->n_blocks && c->block[c->n_blocks - 1].kind != BLOCK_RULE &&
			   !(page->container[piece->container].flags & CONTAINER_IN_HEADING)) {
			compose_block(c, compose_block_of(c, at, BLOCK_RULE, c->text.len));
		}
	}
	while (c->n_blocks && c->block[c->n_blocks - 1].kind == BLOCK_RULE)
		c->n_blocks--;
	return c->status < 0 ? c->status : buf_status(&c->text);
}

void compose_free(struct composed *c)
{
	inline_free(&c->line);
	buf_free(&c->text);
	buf_free(&c->cell_texts);
	free(c->block);
	free(c->cell);
	*c = (struct composed){ 0 };
}
