/* SPDX-License-Identifier: MIT */
/*
 * What each piece becomes: text and tables in compose_text.c and compose_table.c, code and rules here. Rules are left
 * out at both ends, twice in a row, and in headings.
 */
#include "extract/structure/compose.h"

#include <stdlib.h>

#include "extract/html/entity.h"
#include "extract/structure/compose_private.h"
#include "extract/structure/tables.h"

enum { KEEP_BUFFER = 1 << 20 };

/* Appends a line of code: references decoded, U+00A0 as a blank, no control characters, no white space at its end. */
static int append_code_line(struct buf *out, struct slice line, bool raw)
{
	const size_t start = out->len;
	int status = raw ? buf_append(out, line.data, line.len) : html_entity_append(out, line);
	size_t kept = start;
	for (size_t i = start; i < out->len; i++) {
		uint8_t b = out->data[i];
		if (b == 0xC2 && i + 1 < out->len && out->data[i + 1] == 0xA0)
			continue;
		if (b == 0xA0 && i > start && out->data[i - 1] == 0xC2)
			b = ' ';
		if (b == '\t' || b == '\n' || (b >= ' ' && b != 0x7F))
			out->data[kept++] = b;
	}
	while (kept > start && (out->data[kept - 1] == ' ' || out->data[kept - 1] == '\t'))
		kept--;
	out->len = kept;
	return status;
}

static int compose_code(struct composed *c, uint32_t i)
{
	const struct piece *piece = &c->page->piece[i];
	struct slice source = slice_of(c->page->text.data + piece->text, piece->len);
	const size_t text = c->text.len;
	size_t end = text; /* after the last line that is not blank */
	bool first = true;
	while (source.len) {
		size_t len = slice_until(source, "\n");
		len = slice_until(slice_first(source, len), "\r");
		const size_t line = c->text.len;
		if (!(first && len == 0))
			append_code_line(&c->text, slice_first(source, len), piece->raw);
		if (c->text.len > line)
			end = c->text.len;
		size_t both = len + 1 < source.len && source.data[len] == '\r' && source.data[len + 1] == '\n';
		source = slice_skip(source, len + 1 + both);
		if (!(first && len == 0))
			buf_append_byte(&c->text, '\n');
		first = false;
	}
	c->text.len = end;
	if (c->text.failed || end == text)
		return buf_status(&c->text);
	return compose_block(c, compose_block_of(c, i, BLOCK_CODE, text));
}

static int compose_rule(struct composed *c, uint32_t i)
{
	const struct piece *piece = &c->page->piece[i];
	bool after = c->n_blocks && c->block[c->n_blocks - 1].kind != BLOCK_RULE;
	if (!after || c->page->container[piece->container].flags & CONTAINER_IN_HEADING)
		return DANA_OK;
	return compose_block(c, compose_block_of(c, i, BLOCK_RULE, c->text.len));
}

/* Adds the pictures of a piece: in plain style they do not stand in its text. */
static int compose_pictures(struct composed *c, uint32_t i)
{
	const struct piece *piece = &c->page->piece[i];
	int status = DANA_OK;
	for (uint32_t k = piece->mark; k < piece->marks_end && status == DANA_OK; k++) {
		struct composed_block block = compose_block_of(c, i, BLOCK_PICTURE, c->text.len);
		block.text = k;
		if (c->page->mark[k].kind != MARK_IMAGE)
			continue;
		status = inline_picture(&c->line, &c->page->mark[k]);
		if (status == DANA_OK && (c->line.url.len || c->line.plain.len))
			status = compose_block(c, block);
	}
	return status;
}

static int compose_piece(struct composed *c, uint32_t *i)
{
	const struct piece *piece = &c->page->piece[*i];
	const uint32_t table = piece->kept ? tables_of_piece(c->page, piece) : 0;
	if (table)
		return compose_table(c, table, i);
	const uint32_t at = (*i)++;
	switch ((enum piece_kind)piece->kind) {
	case PIECE_CODE:
		return compose_code(c, at);
	case PIECE_RULE:
		return compose_rule(c, at);
	default: {
		int status = compose_text(c, at);
		return status < 0 || !c->line.style->plain || !c->line.style->images ? status : compose_pictures(c, at);
	}
	}
}

int compose(struct composed *c, struct structure_page *page, const struct style *style, struct slice url, bool dropped)
{
	c->page = page;
	c->n_blocks = c->n_cells = 0;
	buf_shrink(&c->text, KEEP_BUFFER);
	tables_judge(page, true);
	int status = inline_begin(&c->line, page, style, url);
	for (uint32_t i = 0; i < page->n_pieces && status == DANA_OK;) {
		if (page->piece[i].kept || dropped)
			status = compose_piece(c, &i);
		else
			i++;
	}
	while (c->n_blocks && c->block[c->n_blocks - 1].kind == BLOCK_RULE)
		c->n_blocks--;
	return status < 0 ? status : buf_status(&c->text);
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
