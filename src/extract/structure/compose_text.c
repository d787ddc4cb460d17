/* SPDX-License-Identifier: MIT */
/*
 * Text that one <br> divides is one block of several lines; the pieces of a heading are one line.
 *
 * Example: <h2>One<br>two</h2><p>a<br>b is a heading "One two" and a paragraph of two lines.
 */
#include "base/ascii.h"
#include "base/grow.h"
#include "extract/structure/compose_private.h"
#include "extract/structure/escape.h"

int compose_block(struct composed *c, struct composed_block block)
{
	struct composed_block *more = grow_items(c->block, c->n_blocks, &c->cap_blocks, sizeof(*more));
	if (!more)
		return DANA_ENOMEM;
	c->block = more;
	block.kept = c->page->piece[block.piece].kept;
	more[c->n_blocks++] = block;
	return DANA_OK;
}

struct composed_block compose_block_of(const struct composed *c, uint32_t i, enum block_kind kind, size_t text)
{
	const struct piece *piece = &c->page->piece[i];
	return (struct composed_block){ .text = (uint32_t)text,
					.len = (uint32_t)(c->text.len - text),
					.container = c->page->container[piece->container].line,
					.piece = i,
					.kind = (uint8_t)kind };
}

/* Returns the block that the text of piece `i` goes on, with what parts them; NULL if it is a block of its own. */
static struct composed_block *block_before(struct composed *c, uint32_t i, char *parts)
{
	const struct structure_page *page = c->page;
	struct composed_block *last = c->n_blocks ? &c->block[c->n_blocks - 1] : NULL;
	const struct piece *piece = &page->piece[i];
	if (!last || last->kind != BLOCK_TEXT || last->kept != piece->kept)
		return NULL;
	const struct container *heading = compose_heading(page, i);
	*parts = heading ? ' ' : '\n';
	if (heading)
		return heading == compose_heading(page, last->piece) ? last : NULL;
	bool joins = piece->joins && i && page->piece[i - 1].kept == piece->kept &&
		     last->container == page->container[piece->container].line;
	return joins ? last : NULL;
}

/* Adds a block for each formula: "$$" inside of one is where another begins, and would end it in Markdown. */
static int add_formulas(struct composed *c, uint32_t i, size_t text)
{
	struct slice rest = slice_of(c->text.data + text, c->text.len - text);
	int status = DANA_OK;
	while (rest.len && status == DANA_OK) {
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
		status = compose_block(c, block);
	}
	return status;
}

int compose_text(struct composed *c, uint32_t i)
{
	enum inline_kind kind;
	char parts = '\n';
	struct composed_block *last = block_before(c, i, &parts);
	const size_t start = c->text.len;
	/* for readers without lists of terms a meaning is a line of its term */
	if (!last && c->page->container[c->page->container[c->page->piece[i].container].line].kind != CONTAINER_MEANING)
		c->line.open_brackets = 0;
	if (last && parts == '\n' && !c->line.style->plain && c->line.ends_in_text &&
	    escape_ends_in_address(slice_of(c->text.data + last->text, last->len)))
		buf_append_byte(&c->text, ' ');
	if (last)
		buf_append_byte(&c->text, (uint8_t)parts);
	const size_t text = c->text.len;
	int status = inline_append(&c->line, &c->page->piece[i], &c->text, &kind);
	if (status < 0 || kind == INLINE_EMPTY) {
		c->text.len = start;
		return status;
	}
	if (last && kind == INLINE_TEXT) {
		last->len = (uint32_t)(c->text.len - last->text);
		return DANA_OK;
	}
	if (kind == INLINE_FORMULA)
		return add_formulas(c, i, text);
	return compose_block(c, compose_block_of(c, i, BLOCK_TEXT, text));
}
