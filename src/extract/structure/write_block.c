/* SPDX-License-Identifier: MIT */
/* The lines of each kind of block; their texts are escaped already, but for what begins a line. */
#include "extract/structure/write_block.h"

#include "base/status.h"
#include "extract/structure/escape.h"

static int append_line(struct buf *out, struct slice line, const struct style *style, bool goes_on)
{
	return style->escape ? escape_line(out, line, goes_on) : buf_append(out, line.data, line.len);
}

/* A backslash at the end of a line is a <br>. */
static int write_paragraph(struct slice text, const struct style *style, struct buf *out)
{
	bool goes_on = false;
	while (text.len) {
		size_t len = slice_until(text, "\n");
		append_line(out, slice_first(text, len), style, goes_on);
		if (len < text.len)
			buf_append_text(out, "\\\n");
		text = slice_skip(text, len + 1);
		goes_on = true;
	}
	return buf_status(out);
}

/* Number signs at the end of a heading would be read as its end. */
static int write_heading(const struct container *heading, struct slice text, struct buf *out)
{
	size_t end = text.len;
	for (int i = 0; i < heading->number; i++)
		buf_append_byte(out, '#');
	buf_append_byte(out, ' ');
	while (end && text.data[end - 1] == '#')
		end--;
	if (end && text.data[end - 1] != ' ')
		end = text.len;
	buf_append(out, text.data, end);
	if (end < text.len)
		buf_append_byte(out, '\\');
	return buf_append(out, text.data + end, text.len - end);
}

/* Returns the length of the fence: longer than each run of backticks that begins a line. */
static size_t fence_length(struct slice text)
{
	size_t fence = 3;
	while (text.len) {
		size_t len = slice_until(text, "\n"), blank = 0, ticks = 0;
		while (blank < len && (text.data[blank] == ' ' || text.data[blank] == '\t'))
			blank++;
		while (blank + ticks < len && text.data[blank + ticks] == '`')
			ticks++;
		fence = ticks >= fence ? ticks + 1 : fence;
		text = slice_skip(text, len + 1);
	}
	return fence;
}

static int write_code(const struct composed *c, const struct composed_block *block, struct slice text, struct buf *out)
{
	const struct piece *piece = &c->page->piece[block->piece];
	const struct slice language = page_argument(c->page, piece->language, piece->language_len);
	const size_t fence = fence_length(text);
	for (size_t i = 0; i < fence; i++)
		buf_append_byte(out, '`');
	buf_append(out, language.data, language.len);
	buf_append_byte(out, '\n');
	buf_append(out, text.data, text.len);
	buf_append_byte(out, '\n');
	for (size_t i = 0; i < fence; i++)
		buf_append_byte(out, '`');
	return buf_status(out);
}

static void append_cell(struct buf *out, struct slice text)
{
	while (text.len) {
		size_t len = slice_until(text, "|");
		buf_append(out, text.data, len);
		if (len < text.len)
			buf_append_text(out, "\\|");
		text = slice_skip(text, len + 1);
	}
}

static int write_table(const struct composed *c, const struct composed_block *block, struct buf *out)
{
	unsigned columns = 0;
	bool head = true;
	buf_append_text(out, "| ");
	for (size_t i = block->cell; i < block->cells_end; i++) {
		const struct composed_cell *cell = &c->cell[i];
		append_cell(out, slice_of(c->text.data + cell->text, cell->len));
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
	return buf_status(out);
}

/* A line for each row. */
static int write_rows(const struct composed *c, const struct composed_block *block, const struct style *style,
		      struct buf *out)
{
	struct buf line = { 0 };
	bool goes_on = false;
	for (size_t i = block->cell; i < block->cells_end; i++) {
		const struct composed_cell *cell = &c->cell[i];
		if (cell->len && line.len)
			buf_append_text(&line, " | ");
		buf_append(&line, c->text.data + cell->text, cell->len);
		if (!cell->ends_row)
			continue;
		if (goes_on)
			buf_append_text(out, escape_ends_in_address(buf_slice(out)) ? " \\\n" : "\\\n");
		append_line(out, buf_slice(&line), style, goes_on);
		buf_clear(&line);
		goes_on = true;
	}
	int status = buf_status(&line);
	buf_free(&line);
	return status < 0 ? status : buf_status(out);
}

int write_block(const struct composed *c, const struct composed_block *block, const struct style *style,
		struct buf *out)
{
	const struct slice text = slice_of(c->text.data + block->text, block->len);
	const struct container *heading = compose_heading(c->page, block->piece);
	switch ((enum block_kind)block->kind) {
	case BLOCK_CODE:
		return write_code(c, block, text, out);
	case BLOCK_TABLE:
		return style->rows ? write_rows(c, block, style, out) : write_table(c, block, out);
	case BLOCK_FORMULA:
		buf_append_text(out, "$$\n");
		if (style->escape)
			escape_tex_line(out, text);
		else
			buf_append(out, text.data, text.len);
		return buf_append_text(out, "\n$$");
	case BLOCK_RULE:
		return buf_append_text(out, "***");
	default:
		return heading ? write_heading(heading, text, out) : write_paragraph(text, style, out);
	}
}
