/* SPDX-License-Identifier: MIT */
/*
 * A composed page as elements: HTML, XML in the vocabulary of trafilatura, TEI. All that a format is are the rows of
 * MARKUP (compose.h); one writer opens and closes what the containers of each block ask for, so that every result is
 * well-formed.
 *
 * Example: <ul><li>a<p>b</ul> is <ul><li><p>a</p><p>b</p></li></ul> in HTML, and list, item and p in the others.
 */
#include <stdio.h>

#include "base/status.h"
#include "base/utf8.h"
#include "extract/structure/compose.h"

#define IN_HTML(name, a, b, c, d, e, f) [MARKUP_##name] = { a, b },
#define IN_XML(name, a, b, c, d, e, f) [MARKUP_##name] = { c, d },
#define IN_TEI(name, a, b, c, d, e, f) [MARKUP_##name] = { e, f },

const struct markup markup_html = { { MARKUP(IN_HTML) } };
const struct markup markup_xml = { { MARKUP(IN_XML) } };
const struct markup markup_tei = { { MARKUP(IN_TEI) } };

void markup_text(struct buf *out, struct slice text)
{
	for (size_t start = 0, i = 0; i <= text.len; i++) {
		const uint8_t c = i < text.len ? text.data[i] : 0;
		const char *instead = NULL;
		if (c == '<')
			instead = "&lt;";
		else if (c == '>')
			instead = "&gt;";
		else if (c == '&')
			instead = "&amp;";
		else if (c == '"')
			instead = "&quot;";
		else if ((c < ' ' && c != '\t' && c != '\n') || c == 0x7F)
			instead = "";
		else if (c >= 0xBE && i >= 2 && c <= 0xBF && text.data[i - 1] == 0xBF && text.data[i - 2] == 0xEF)
			instead = "\xBD"; /* U+FFFE and U+FFFF are no characters of XML */
		if (!instead)
			continue;
		buf_append(out, text.data + start, i - start);
		buf_append_text(out, instead);
		start = i + 1;
	}
}

static void append_tag(struct buf *out, const char *tag, struct slice first, struct slice second)
{
	for (const char *hole; (hole = strchr(tag, '%')); tag = hole + 1) {
		buf_append(out, tag, (size_t)(hole - tag));
		markup_text(out, first);
		first = second;
	}
	buf_append_text(out, tag);
}

void markup_begin(struct buf *out, const struct markup *m, enum markup_element element, struct slice first,
		  struct slice second)
{
	append_tag(out, m->tags[element][0], first, second);
}

void markup_end(struct buf *out, const struct markup *m, enum markup_element element, struct slice first)
{
	append_tag(out, m->tags[element][1], first, first);
}

/*
 * The elements around a block, from the page inwards. Items outside of a list, text of a list outside of its items, and
 * the same of lists of terms get the element that is missing.
 */

enum { AROUND_MOST = 3 * (2 * STRUCTURE_LISTS + STRUCTURE_QUOTES + 2), NUMBER_MOST = 12 };

struct around {
	uint32_t container; /* which it is, or, with `implied`, in which it is missing */
	enum markup_element element;
	uint32_t terms; /* of a list of terms: how many have begun */
	bool implied;
};

struct markup_writer {
	const struct composed *c;
	const struct markup *markup;
	struct buf *out;
	struct around open[AROUND_MOST], next[AROUND_MOST];
	unsigned n_open, n_next;
};

static void add(struct markup_writer *w, uint32_t container, enum markup_element element, bool implied)
{
	if (w->n_next < AROUND_MOST)
		w->next[w->n_next++] =
			(struct around){ .container = container, .element = element, .implied = implied };
}

static bool is_list(enum markup_element element)
{
	return element == MARKUP_LIST || element == MARKUP_ORDERED || element == MARKUP_ORDERED_FROM;
}

/* Adds what is missing between the elements so far and the next one. */
static void add_missing(struct markup_writer *w, uint32_t container, bool item, bool term)
{
	const struct around *last = w->n_next ? &w->next[w->n_next - 1] : NULL;
	if (last && is_list(last->element) && !item)
		add(w, last->container, MARKUP_ITEM, true);
	else if (last && last->element == MARKUP_TERMS && !term)
		add(w, last->container, MARKUP_MEANING, true);
	last = w->n_next ? &w->next[w->n_next - 1] : NULL;
	if (item && !(last && is_list(last->element)))
		add(w, container, MARKUP_LIST, true);
	if (term && !(last && last->element == MARKUP_TERMS))
		add(w, container, MARKUP_TERMS, true);
}

static void find_around(struct markup_writer *w, uint32_t container)
{
	const struct container *all = w->c->page->container;
	NOT_ZEROED uint32_t chain[AROUND_MOST];
	unsigned n = 0;
	w->n_next = 0;
	for (uint32_t k = container; k && n + 1 < AROUND_MOST / 3; k = all[all[k].parent].line) {
		chain[n++] = k;
		if ((all[k].kind == CONTAINER_TERM || all[k].kind == CONTAINER_MEANING) &&
		    all[all[k].parent].kind == CONTAINER_TERMS)
			chain[n++] = all[k].parent;
	}
	while (n--) {
		const struct container *c = &all[chain[n]];
		const bool item = c->kind == CONTAINER_ITEM;
		const bool term = c->kind == CONTAINER_TERM || c->kind == CONTAINER_MEANING;
		enum markup_element element = MARKUP_LIST;
		add_missing(w, c->parent, item, term);
		if (c->kind == CONTAINER_LIST && c->flags & CONTAINER_ORDERED)
			element = MARKUP_ORDERED;
		else if (item)
			element = MARKUP_ITEM;
		else if (c->kind == CONTAINER_QUOTE)
			element = MARKUP_QUOTE;
		else if (c->kind == CONTAINER_TERMS)
			element = MARKUP_TERMS;
		else if (term)
			element = c->kind == CONTAINER_TERM ? MARKUP_TERM : MARKUP_MEANING;
		else if (c->kind == CONTAINER_NOTE)
			element = MARKUP_NOTE;
		/* a list that begins with another number than 1 */
		if (item && w->n_next && w->next[w->n_next - 1].element == MARKUP_ORDERED && c->number != 1)
			w->next[w->n_next - 1].element = MARKUP_ORDERED_FROM;
		add(w, chain[n], element, false);
	}
	add_missing(w, 0, false, false);
}

static struct slice number_text(char memory[NUMBER_MOST], int number)
{
	const int len = snprintf(memory, NUMBER_MOST, "%d", number);
	return slice_of(memory, (size_t)len);
}

static void close_to(struct markup_writer *w, unsigned depth)
{
	const bool ends_line = depth == 0 && w->n_open;
	while (w->n_open > depth)
		markup_end(w->out, w->markup, w->open[--w->n_open].element, slice_of(NULL, 0));
	if (ends_line)
		buf_append_byte(w->out, '\n');
}

/* Closes and opens elements until those around the block are open. */
static void open_around(struct markup_writer *w, uint32_t container)
{
	const struct structure_page *page = w->c->page;
	unsigned same = 0;
	find_around(w, container);
	while (same < w->n_open && same < w->n_next && w->open[same].container == w->next[same].container &&
	       w->open[same].implied == w->next[same].implied &&
	       (w->open[same].element == w->next[same].element || is_list(w->open[same].element)))
		same++;
	close_to(w, same);
	for (; same < w->n_next; same++) {
		const struct around *a = &w->next[same];
		const struct container *c = &page->container[a->container];
		char memory[NUMBER_MOST];
		struct slice argument = slice_of(NULL, 0);
		struct around *list = w->n_open ? &w->open[w->n_open - 1] : NULL;
		if (a->element == MARKUP_TERM && list)
			list->terms++;
		if (a->element == MARKUP_ORDERED_FROM)
			argument = number_text(memory, page->container[w->next[same + 1].container].number);
		else if (a->element == MARKUP_TERM || a->element == MARKUP_MEANING)
			argument = number_text(memory, list && list->terms ? (int)list->terms : 1);
		else if (a->element == MARKUP_NOTE)
			argument = page_argument(page, (uint32_t)c->number, c->rows);
		markup_begin(w->out, w->markup, a->element, argument, argument);
		if (!a->implied && c->flags & CONTAINER_TASK)
			buf_append_text(w->out, c->flags & CONTAINER_DONE ? "[x] " : "[ ] ");
		w->open[w->n_open++] = *a;
	}
}

static void append_lines(struct markup_writer *w, struct slice text)
{
	while (text.len) {
		const size_t len = slice_until(text, "\n");
		buf_append(w->out, text.data, len);
		if (len < text.len)
			markup_begin(w->out, w->markup, MARKUP_BREAK, slice_of(NULL, 0), slice_of(NULL, 0));
		text = slice_skip(text, len + 1);
	}
}

static void append_table(struct markup_writer *w, const struct composed_block *block)
{
	const struct slice none = slice_of(NULL, 0);
	for (size_t i = block->cell; i < block->cells_end; i++) {
		const struct composed_cell *cell = &w->c->cell[i];
		const enum markup_element element = cell->head ? MARKUP_HEAD_CELL : MARKUP_CELL;
		if (i == block->cell || cell[-1].ends_row)
			markup_begin(w->out, w->markup, MARKUP_ROW, none, none);
		markup_begin(w->out, w->markup, element, none, none);
		buf_append(w->out, w->c->text.data + cell->text, cell->len);
		markup_end(w->out, w->markup, element, none);
		if (cell->ends_row)
			markup_end(w->out, w->markup, MARKUP_ROW, none);
	}
}

static void append_block(struct markup_writer *w, const struct composed_block *block)
{
	const struct structure_page *page = w->c->page;
	const struct slice text = slice_of(w->c->text.data + block->text, block->len);
	const struct container *heading = compose_heading(page, block->piece);
	const struct piece *piece = &page->piece[block->piece];
	enum markup_element element = MARKUP_PARAGRAPH;
	char memory[NUMBER_MOST];
	struct slice argument = slice_of(NULL, 0);
	open_around(w, block->container);
	if (block->kind == BLOCK_CODE) {
		argument = page_argument(page, piece->language, piece->language_len);
		element = argument.len ? MARKUP_CODE_IN : MARKUP_CODE;
	} else if (block->kind == BLOCK_TABLE) {
		element = MARKUP_TABLE;
	} else if (block->kind == BLOCK_FORMULA) {
		element = MARKUP_FORMULA;
	} else if (block->kind == BLOCK_RULE) {
		element = MARKUP_RULE;
	} else if (heading) {
		element = MARKUP_HEADING;
		argument = number_text(memory, heading->number);
	}
	/* an item with one block is its text */
	const struct around *last = w->n_open ? &w->open[w->n_open - 1] : NULL;
	const bool bare = element == MARKUP_PARAGRAPH && last && last->element != MARKUP_QUOTE &&
			  last->element != MARKUP_NOTE && !last->implied &&
			  !(page->container[last->container].flags & CONTAINER_TWICE);
	if (!bare)
		markup_begin(w->out, w->markup, element, argument, argument);
	if (block->kind == BLOCK_TABLE)
		append_table(w, block);
	else if (block->kind == BLOCK_CODE)
		markup_text(w->out, text);
	else if (block->kind != BLOCK_RULE)
		append_lines(w, text);
	if (!bare)
		markup_end(w->out, w->markup, element, argument);
	if (w->n_open == 0)
		buf_append_byte(w->out, '\n');
}

int write_markup(const struct composed *c, const struct markup *markup, struct buf *out, size_t max)
{
	struct markup_writer w = { .c = c, .markup = markup, .out = out };
	const size_t start = out->len;
	bool mended;
	int status = DANA_OK;
	compose_items(c);
	for (size_t i = 0; i < c->n_blocks && status == DANA_OK; i++) {
		/* a block that is too much is taken back, with what it has opened and closed */
		NOT_ZEROED struct around open[AROUND_MOST];
		const unsigned n_open = w.n_open;
		const size_t before = out->len;
		if (!c->block[i].kept)
			continue;
		memcpy(open, w.open, n_open * sizeof(*open));
		append_block(&w, &c->block[i]);
		status = buf_status(out);
		if (status == DANA_OK && out->len - start > max) {
			out->len = before;
			memcpy(w.open, open, n_open * sizeof(*open));
			w.n_open = n_open;
			c->page->cut = true;
			break;
		}
	}
	close_to(&w, 0);
	markup_end(out, markup, MARKUP_PAGE, slice_of(NULL, 0));
	if (status == DANA_OK)
		status = buf_status(out);
	return status < 0 ? status : utf8_mend(out, start, &mended);
}
