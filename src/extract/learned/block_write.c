/* SPDX-License-Identifier: MIT */
/* The text of blocks as it is written: with formulas, and with white space where it does not collapse. */
#include "extract/learned/block_builder.h"
#include "extract/method/text_writer.h"

int block_source(const struct blocks *b, const struct block *block, struct buf *to)
{
	if (block_formulas_any(&b->builder->formulas))
		return block_formulas_source(b, block, to);
	return block_part_source(b, block->text - block->indent, block->text + block->text_len, to);
}

int blocks_write_after(const struct blocks *b, const struct block *block, struct text_writer *out)
{
	const bool any = block_formulas_any(&b->builder->formulas);
	return any ? block_formulas_after(b, block->serial, out) : DANA_OK;
}

/* Returns whether a line, with its LF, has nothing but kept white space. */
static bool is_empty_line(struct slice line)
{
	size_t i = 0;
	while (i < line.len && (line.data[i] == TEXT_BLANK || line.data[i] == TEXT_TAB || line.data[i] == ' '))
		i++;
	return i < line.len && line.data[i] == '\n';
}

/* Writes text line by line: those that are empty count where text of the block is before and after them. */
static int write_lines(struct slice source, struct text_writer *out)
{
	const size_t start = out->out.len;
	int status = DANA_OK;
	while (source.len && status >= 0) {
		const uint8_t *lf = memchr(source.data, '\n', source.len);
		const struct slice line = slice_first(source, lf ? (size_t)(lf - source.data) + 1 : source.len);
		if (is_empty_line(line))
			status = out->out.len > start ? text_writer_empty_line(out) : DANA_OK;
		else
			status = text_writer_kept(out, line);
		source = slice_skip(source, line.len);
	}
	return status;
}

int block_write(const struct blocks *b, const struct block *block, struct text_writer *out)
{
	const uint32_t from = block->text - block->indent, end = block->text + block->text_len;
	int status;
	if (!block_space_is_kept(b, from, end) && !block_formulas_any(&b->builder->formulas)) {
		status = text_writer_wrapped(out, block_text(b, block));
	} else {
		struct buf source = { 0 };
		status = block_source(b, block, &source);
		if (status == DANA_OK)
			status = write_lines(buf_slice(&source), out);
		buf_free(&source);
	}
	return status < 0 ? status : text_writer_break(out);
}
