/* SPDX-License-Identifier: MIT */
/*
 * Writes a composed page as Markdown.
 *
 * Blocks are written one after the other; what begins their lines (quotes, items) follows from their containers, and
 * what is between two of them from the containers that they share. Lines are never wrapped and cells never padded.
 *
 * Example: the items "a" and "b" of a list are parted by no blank line, unless one of the list's items has a second
 * block: then they all are.
 */
#include "base/ascii.h"
#include "base/cpu.h"
#include "base/status.h"
#include "base/utf8.h"
#include "extract/structure/compose.h"
#include "extract/structure/escape.h"

/* The lines of each kind of block; their texts are escaped already, but for what begins a line. */

static void append_line(struct buf *out, struct slice line, const struct style *style, bool goes_on)
{
	if (style->escape)
		escape_line(out, line, goes_on);
	else
		buf_append(out, line.data, line.len);
}

/* Appends a heading; number signs at its end would be read as the end. */
static void append_heading(struct buf *out, int level, struct slice text)
{
	size_t end = text.len;
	for (int i = 0; i < level; i++)
		buf_append_byte(out, '#');
	buf_append_byte(out, ' ');
	while (end && text.data[end - 1] == '#')
		end--;
	if (end && text.data[end - 1] != ' ')
		end = text.len;
	buf_append(out, text.data, end);
	buf_append(out, "\\", end < text.len);
	buf_append(out, text.data + end, text.len - end);
}

/** Appends the lines of a block, parted by LF; nothing if it is empty. */
static void write_block(const struct composed *c, const struct composed_block *block, const struct style *style,
			struct buf *out)
{
	const struct slice text = slice_of(c->text.data + block->text, block->len);
	const struct container *heading = compose_heading(c->page, block->piece);
	const struct piece *piece = &c->page->piece[block->piece];
	if (block->kind == BLOCK_CODE) {
		/* the fence is longer than each run of backticks that begins a line */
		const struct slice language = page_argument(c->page, piece->language, piece->language_len);
		size_t fence = 3;
		for (struct slice rest = text; rest.len;) {
			size_t len = slice_until(rest, "\n"), blank = 0, ticks = 0;
			while (blank < len && (rest.data[blank] == ' ' || rest.data[blank] == '\t'))
				blank++;
			while (blank + ticks < len && rest.data[blank + ticks] == '`')
				ticks++;
			fence = ticks >= fence ? ticks + 1 : fence;
			rest = slice_skip(rest, len + 1);
		}
		for (size_t i = 0; i < fence; i++)
			buf_append_byte(out, '`');
		buf_append(out, language.data, language.len);
		buf_append_byte(out, '\n');
		buf_append(out, text.data, text.len);
		buf_append_byte(out, '\n');
		for (size_t i = 0; i < fence; i++)
			buf_append_byte(out, '`');
	} else if (block->kind == BLOCK_TABLE && style->rows) {
		/* a line for each row */
		struct buf line = { 0 };
		struct last_word word = { 0 };
		bool goes_on = false;
		for (size_t i = block->cell; i < block->cells_end; i++) {
			const struct composed_cell *cell = &c->cell[i];
			if (cell->len && line.len)
				buf_append_text(&line, " | ");
			buf_append(&line, c->text.data + cell->text, cell->len);
			if (!cell->ends_row)
				continue;
			if (goes_on)
				buf_append_text(out, escape_ends_in_address(&word, buf_slice(out)) ? " \\\n" : "\\\n");
			append_line(out, buf_slice(&line), style, goes_on);
			buf_latch(out, buf_status(&line));
			buf_clear(&line);
			goes_on = true;
		}
		buf_free(&line);
	} else if (block->kind == BLOCK_TABLE) {
		unsigned columns = 0;
		bool head = true;
		buf_append_text(out, "| ");
		for (size_t i = block->cell; i < block->cells_end; i++) {
			const struct composed_cell *cell = &c->cell[i];
			struct slice rest = slice_of(c->text.data + cell->text, cell->len);
			while (rest.len) {
				size_t len = slice_until(rest, "|");
				buf_append(out, rest.data, len);
				buf_append(out, "\\|", len < rest.len ? 2 : 0);
				rest = slice_skip(rest, len + 1);
			}
			columns += head;
			buf_append_text(out, cell->ends_row ? " |" : " | ");
			if (cell->ends_row && head) {
				buf_append_text(out, "\n|");
				while (columns--)
					buf_append_text(out, " --- |");
				head = false;
			}
			if (cell->ends_row && i + 1 < block->cells_end)
				buf_append_text(out, "\n| ");
		}
	} else if (block->kind == BLOCK_FORMULA) {
		buf_append_text(out, "$$\n");
		if (style->escape)
			escape_tex_line(out, text);
		else
			buf_append(out, text.data, text.len);
		buf_append_text(out, "\n$$");
	} else if (block->kind == BLOCK_RULE) {
		buf_append_text(out, "***");
	} else if (heading) {
		append_heading(out, heading->number, text);
	} else {
		/* a backslash at the end of a line is a <br> */
		struct slice rest = text;
		for (bool goes_on = false; rest.len; goes_on = true) {
			size_t len = slice_until(rest, "\n");
			append_line(out, slice_first(rest, len), style, goes_on);
			if (len < rest.len)
				buf_append_text(out, "\\\n");
			rest = slice_skip(rest, len + 1);
		}
	}
}

/* Containers around a block that begin its lines: at most as many as the limits of lists and quotes allow. */
enum { CHAIN_MOST = 2 * STRUCTURE_LISTS + STRUCTURE_QUOTES + 2 };

struct container_chain {
	uint32_t at[CHAIN_MOST]; /* the outermost first */
	unsigned len;
};

struct markdown {
	const struct composed *c;
	struct structure_page *page;
	const struct style *style;
	struct buf *out;
	struct buf body, first, rest;  /* of the block: its lines, what begins the first and the others */
	struct buf shared;             /* what begins lines between it and the one before */
	struct container_chain before; /* of the block before */
	bool any, before_is_text, before_is_heading;
};

static const struct container *at(const struct markdown *m, uint32_t number)
{
	return &m->page->container[number];
}

static void chain_of(const struct markdown *m, uint32_t container, struct container_chain *chain)
{
	NOT_ZEROED uint32_t reversed[CHAIN_MOST];
	chain->len = 0;
	for (uint32_t k = container; k && chain->len < CHAIN_MOST; k = at(m, at(m, k)->parent)->line)
		reversed[chain->len++] = k;
	for (unsigned i = 0; i < chain->len; i++)
		chain->at[i] = reversed[chain->len - 1 - i];
}

/*
 * Readers without lists of terms take a meaning for text: what is indented by two meanings is code for them, and what
 * another block than a paragraph begins with is text when it follows ": ". So a meaning has a mark only if it begins
 * with a paragraph, and one in a meaning indents nothing, or has no mark if that has none to itself.
 */

/* Markdown has no items with numbers below 0: they are written without. */
static bool has_number(const struct container *c)
{
	return c->kind == CONTAINER_ITEM && c->flags & CONTAINER_ORDERED && c->number >= 0;
}

static bool has_mark(const struct markdown *m, uint32_t number)
{
	const struct container *c = at(m, number);
	return compose_holds_blocks(m->page, c) && !(c->kind == CONTAINER_MEANING && c->flags & CONTAINER_LOOSE);
}

/* Returns how many meanings with a mark are around container `i` of a chain, up to what those readers indent, too. */
static unsigned meanings_around(const struct markdown *m, const struct container_chain *chain, unsigned i)
{
	unsigned meanings = 0;
	while (i-- && at(m, chain->at[i])->kind != CONTAINER_QUOTE && at(m, chain->at[i])->kind != CONTAINER_ITEM &&
	       at(m, chain->at[i])->kind != CONTAINER_NOTE)
		meanings += at(m, chain->at[i])->kind == CONTAINER_MEANING && has_mark(m, chain->at[i]);
	return meanings;
}

/* Takes the marks from the meanings that begin with this block and can have none; `text`: it is a paragraph. */
static void find_mark(struct markdown *m, const struct container_chain *chain, bool text)
{
	unsigned first = chain->len; /* from here on the block is in terms and meanings only */
	while (first && (at(m, chain->at[first - 1])->kind == CONTAINER_TERM ||
			 at(m, chain->at[first - 1])->kind == CONTAINER_MEANING))
		first--;
	for (unsigned i = 0; i < chain->len; i++) {
		struct container *c = &m->page->container[chain->at[i]];
		if (c->kind == CONTAINER_MEANING && has_mark(m, chain->at[i]) && !(c->flags & CONTAINER_SEEN) &&
		    (!text || i < first || meanings_around(m, chain, i) > 1))
			c->flags |= CONTAINER_LOOSE;
	}
}

/* Appends what begins a line in a container of a chain, whose marker is on a line before. */
static void append_inside(const struct markdown *m, const struct container_chain *chain, unsigned i, struct buf *to)
{
	const struct container *c = at(m, chain->at[i]);
	if (c->kind == CONTAINER_QUOTE)
		buf_append_text(to, "> ");
	size_t width = has_mark(m, chain->at[i]) ? 2 : 0; /* of the marker, by which what follows in it is indented */
	if (c->kind == CONTAINER_MEANING && meanings_around(m, chain, i))
		width = 0;
	if (width && c->kind == CONTAINER_NOTE)
		width = 4;
	if (width && has_number(c)) {
		width = 3;
		for (int n = c->number; n > 9; n /= 10)
			width++;
	}
	for (; width > 0; width--)
		buf_append_byte(to, ' ');
}

static void trim(struct buf *line, size_t start)
{
	while (line->len > start && line->data[line->len - 1] == ' ')
		line->len--;
}

/* Returns whether the block before is in no other list or quote than this one: it may be its term. */
static bool is_below_term(const struct markdown *m, const struct container_chain *chain)
{
	unsigned i = 0;
	while (i < chain->len && i < m->before.len && chain->at[i] == m->before.at[i])
		i++;
	while (i < m->before.len &&
	       (at(m, m->before.at[i])->kind == CONTAINER_TERM || at(m, m->before.at[i])->kind == CONTAINER_MEANING))
		i++;
	return i == m->before.len;
}

/* Returns whether no blank line comes before a block that begins with an item's marker. */
static bool is_tight(const struct markdown *m, const struct container_chain *own, uint32_t new_item)
{
	const struct container *item = at(m, new_item);
	bool beside = false, inside = false; /* an item of the same list is before it; one that its list is in */
	uint32_t before = 0;                 /* the innermost item of the block before */
	NOT_ZEROED struct container_chain chain;
	if (!new_item || !m->before_is_text)
		return false;
	if (item->kind == CONTAINER_MEANING)
		return is_below_term(m, own);
	if (item->kind != CONTAINER_ITEM)
		return false;
	for (unsigned i = 0; i < m->before.len; i++) {
		const struct container *c = at(m, m->before.at[i]);
		before = c->kind == CONTAINER_ITEM ? m->before.at[i] : before;
		beside |= c->kind == CONTAINER_ITEM && c->parent == item->parent && has_number(c) == has_number(item);
	}
	if (beside)
		return !(at(m, item->parent)->flags & CONTAINER_LOOSE);
	if (has_number(item) && item->number != 1)
		return false; /* after a line of text only a list from 1 on is one */
	chain_of(m, at(m, item->parent)->line, &chain);
	for (unsigned i = 0; i < chain.len; i++)
		inside |= chain.at[i] == before;
	if (!before || m->before_is_heading || !inside)
		return false;
	return !(at(m, at(m, before)->parent)->flags & CONTAINER_LOOSE) || !(at(m, before)->flags & CONTAINER_TWICE);
}

/* Returns the first place from `i` on of another container than those of lists of terms that have no mark. */
static unsigned skip_terms(const struct markdown *m, const struct container_chain *chain, unsigned i)
{
	while (at(m, chain->at[i])->kind == CONTAINER_TERM ||
	       (at(m, chain->at[i])->kind == CONTAINER_MEANING && !has_mark(m, chain->at[i])))
		i++;
	return i;
}

/* Returns whether a list begins directly after another one, of which it would be read as a part. */
static bool is_next_list(const struct markdown *m, const struct container_chain *chain, uint32_t new_item)
{
	const struct container_chain *b = &m->before;
	unsigned i = 0, k = 0;
	if (b->len < 2 || chain->len < 2 || chain->at[chain->len - 1] != new_item)
		return false;
	const uint32_t item = b->at[b->len - 1], was = b->at[b->len - 2], is = chain->at[chain->len - 2];
	if (at(m, item)->kind != CONTAINER_ITEM || at(m, new_item)->kind != CONTAINER_ITEM || was == is ||
	    at(m, was)->kind != CONTAINER_LIST || at(m, is)->kind != CONTAINER_LIST ||
	    has_number(at(m, item)) != has_number(at(m, new_item)))
		return false;
	for (;; i++, k++) {
		i = skip_terms(m, b, i);
		k = skip_terms(m, chain, k);
		if (b->at[i] == was || b->at[i] != chain->at[k])
			return b->at[i] == was && chain->at[k] == is;
	}
}

static void append_trimmed(struct buf *out, const struct buf *line, const char *more)
{
	size_t start = out->len;
	buf_append(out, line->data, line->len);
	buf_append_text(out, more);
	trim(out, start);
	buf_append_byte(out, '\n');
}

/* Writes what comes between the block before and this one. */
static void part(struct markdown *m, const struct container_chain *chain, uint32_t new_item)
{
	buf_append_byte(m->out, '\n');
	const bool next_list = is_next_list(m, chain, new_item);
	if (!next_list && is_tight(m, chain, new_item))
		return;
	buf_clear(&m->shared);
	for (unsigned i = 0; i < chain->len && i < m->before.len && chain->at[i] == m->before.at[i]; i++)
		append_inside(m, chain, i, &m->shared);
	append_trimmed(m->out, &m->shared, "");
	if (next_list) {
		append_trimmed(m->out, &m->shared, "<!-- -->");
		append_trimmed(m->out, &m->shared, "");
	}
}

/*
 * Readers without footnotes take "[^1]: word" and "[^1]: word (title)" for the definition of a link. A reference to a
 * blank ends that; text that is an address makes the link that it is.
 */
static void mend_note(struct markdown *m)
{
	struct buf *body = &m->body;
	if (body->data[0] == '<' && body->len > 1 && !ascii_is_alpha(body->data[1])) {
		buf_append_byte(body, 0);
		memmove(body->data + 1, body->data, body->len - 1);
		body->data[0] = '\\';
	}
	const struct slice text = buf_slice(body), line = slice_first(text, slice_until(text, "\n"));
	const size_t word = slice_until(line, " ");
	const uint8_t first = word + 1 < line.len ? line.data[word + 1] : 0, last = text.data[text.len - 1];
	const bool title = (first == '(' && last == ')') || (first == last && (first == '"' || first == '\''));
	if ((word < line.len && !title) ||
	    (word == text.len && text.data[0] == '<' && memchr(text.data, ':', text.len)))
		return;
	const size_t at = title ? text.len : word - (word < text.len);
	buf_clear(&m->shared);
	buf_append(&m->shared, text.data + at, text.len - at);
	body->len = at;
	buf_append_text(body, " &#32;");
	buf_append(body, m->shared.data, m->shared.len);
}

static int append_block(struct markdown *m, const struct composed_block *block)
{
	NOT_ZEROED struct container_chain chain;
	const bool heading = compose_heading(m->page, block->piece) != NULL;
	const bool text = block->kind == BLOCK_TEXT && !heading;
	buf_clear(&m->body);
	write_block(m->c, block, m->style, &m->body);
	if (m->body.len == 0)
		return buf_status(&m->body);
	chain_of(m, block->container, &chain);
	find_mark(m, &chain, text);
	/* what begins the block's lines */
	uint32_t new_item = 0; /* the innermost item whose marker is among it, 0 if it has none */
	buf_clear(&m->first);
	buf_clear(&m->rest);
	for (unsigned i = 0; i < chain.len; i++) {
		struct container *c = &m->page->container[chain.at[i]];
		if (has_mark(m, chain.at[i]) && !(c->flags & CONTAINER_SEEN)) {
			c->flags |= CONTAINER_SEEN;
			new_item = chain.at[i];
			struct buf *to = &m->first;
			struct slice name;
			if (c->kind == CONTAINER_MEANING) {
				buf_append_text(to, ": ");
			} else if (c->kind == CONTAINER_NOTE) {
				name = page_argument(m->page, (uint32_t)c->number, c->rows);
				buf_printf(to, "[^%.*s]: ", (int)name.len, (const char *)name.data);
			} else if (has_number(c)) {
				buf_printf(to, "%d. ", c->number);
			} else {
				buf_append_text(to, "- ");
			}
			if (c->flags & CONTAINER_TASK)
				buf_append_text(to, c->flags & CONTAINER_DONE ? "[x] " : "[ ] ");
		} else {
			append_inside(m, &chain, i, &m->first);
		}
		append_inside(m, &chain, i, &m->rest);
		if (new_item == chain.at[i] && (c->kind == CONTAINER_NOTE || c->flags & CONTAINER_TASK) &&
		    !(text && i + 1 == chain.len)) {
			/* a block other than a paragraph begins below the name of its note, the box of its task */
			trim(&m->first, 0);
			buf_append_byte(&m->first, '\n');
			const size_t start = m->first.len;
			buf_append(&m->first, m->rest.data, m->rest.len);
			trim(&m->first, start);
			buf_append_byte(&m->first, '\n');
			buf_append(&m->first, m->rest.data, m->rest.len);
		}
	}
	if (m->any)
		part(m, &chain, new_item);
	if (new_item && new_item == block->container && at(m, new_item)->kind == CONTAINER_NOTE && text &&
	    m->style->escape)
		mend_note(m);
	if (m->first.failed || m->rest.failed || m->shared.failed || m->body.failed)
		return DANA_ENOMEM;
	/* append the body's lines, each after what begins it */
	struct slice rest = buf_slice(&m->body);
	for (bool first = true; rest.len || first; first = false) {
		const size_t len = slice_until(rest, "\n"), start = m->out->len;
		const struct buf *begin = first ? &m->first : &m->rest;
		buf_append(m->out, begin->data, begin->len);
		buf_append(m->out, rest.data, len);
		if (len == 0 && !first)
			trim(m->out, start);
		if (len < rest.len)
			buf_append_byte(m->out, '\n');
		rest = slice_skip(rest, len + 1);
	}
	m->any = true;
	m->before = chain;
	m->before_is_text = block->kind == BLOCK_TEXT;
	m->before_is_heading = heading;
	return buf_status(m->out);
}

/* Writes the title of the page before its first block. */
static void append_title(struct markdown *m, struct slice title)
{
	size_t open = 0;
	const struct escape_rules rules = { .formulas = m->page->formulas, .open = &open };
	if (m->style->escape)
		escape_text(&m->body, title, &rules, false);
	else
		buf_append(&m->body, title.data, title.len);
	buf_latch(m->out, buf_status(&m->body));
	append_heading(m->out, 1, buf_slice(&m->body));
	m->any = m->before_is_heading = true;
}

int write_markdown(const struct composed *c, const struct style *style, struct slice title, struct buf *out, size_t max)
{
	struct markdown m = { .c = c, .page = c->page, .style = style, .out = out };
	const size_t start = out->len;
	bool mended;
	int status = DANA_OK;
	compose_items(c);
	if (title.len)
		append_title(&m, title);
	for (size_t i = 0; i < c->n_blocks && status == DANA_OK; i++) {
		const size_t before = out->len;
		if (!c->block[i].kept)
			continue;
		status = append_block(&m, &c->block[i]);
		if (status == DANA_OK)
			status = utf8_mend(out, before, &mended);
		if (status == DANA_OK && out->len - start > max) {
			out->len = before;
			c->page->cut = true;
			break;
		}
	}
	buf_free(&m.body);
	buf_free(&m.first);
	buf_free(&m.rest);
	buf_free(&m.shared);
	return status < 0 ? status : buf_status(out);
}
