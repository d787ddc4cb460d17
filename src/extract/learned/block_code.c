/* SPDX-License-Identifier: MIT */
/*
 * Code. Where lines are numbered, the numbers are left out as previews are; empty lines between blocks are noted.
 *
 * Example: <pre><div><i>1</i>a</div><div><i>2</i></div><div><i>3</i>b</div></pre> is "a", an empty line and "b".
 */
#include "base/ascii.h"
#include "base/buf.h"
#include "base/status.h"
#include "extract/html/line_numbers.h"
#include "extract/html/white_space.h"
#include "extract/learned/block_builder.h"

/* First classes of elements whose white space style sheets keep: lines of code, or all of them. */
enum { CODE_CLASSES = 11 };
static const char *const code_classes[CODE_CLASSES] = {
	"blob-code",   "cm-content",       "CodeMirror-code", "crayon-pre", "dp-highlighter",    "lines-code",
	"crayon-line", "react-code-lines", "ace_text-layer",  "view-line",  "syntaxhighlighter",
};

void block_code_init(struct block_code *c)
{
	for (size_t i = 0; i < CODE_CLASSES; i++) {
		const uint32_t hash = token_words_first(slice_from_text(code_classes[i]));
		c->class_hash[hash % CODE_SLOTS] = hash;
		c->class_bits |= (uint64_t)1 << (hash & 63);
	}
}

void block_code_reset(struct block_code *c)
{
	c->open = c->leaf = c->cell = false;
	c->first = c->after = c->seen = c->empty = 0;
	buf_clear(&c->gaps);
}

void block_code_free(struct block_code *c)
{
	buf_free(&c->numbers.places);
	buf_free(&c->gaps);
}

static void code_begin(struct blocks *b, enum html_tag tag)
{
	struct block_code *c = &b->builder->code;
	if (tag == HTML_TAG_PRE || c->after != b->n_blocks)
		c->empty = 0;
	c->open = c->leaf = true;
	c->first = c->seen = b->n_blocks;
	line_numbers_reset(&c->numbers);
}

/* Returns the text of a block with the white space before it. */
static struct slice code_text(const struct blocks *b, const struct block *block)
{
	return slice_of(b->text.data + block->text - block->indent, block->indent + block->text_len);
}

/* Leaves out blocks before the code that are nothing but as many numbers as it has lines. */
static void leave_row_out(struct blocks *b)
{
	const struct block_code *c = &b->builder->code;
	uint32_t code = c->first, first = 0, last = 0;
	for (uint32_t one, more = 0; code < b->n_blocks; code++) {
		more = one = 0;
		if (!line_numbers_row(block_text(b, &b->block[code]), &one, &more))
			break;
	}
	uint64_t lines = 0;
	size_t gap = 0;
	for (uint32_t i = code; i < b->n_blocks; i++, lines++) {
		const struct slice text = code_text(b, &b->block[i]);
		for (size_t k = 0; k < text.len; k++)
			lines += text.data[k] == '\n';
	}
	const struct code_gap *gaps = (const struct code_gap *)(const void *)c->gaps.data;
	for (gap = c->gaps.len / sizeof(*gaps); gap && gaps[gap - 1].serial > code; gap--)
		lines += gaps[gap - 1].lines;
	for (uint32_t i = code; i > 0 && lines > 1 && last + UINT64_C(1) - first <= lines; i--) {
		if (!line_numbers_row(block_text(b, &b->block[i - 1]), &first, &last))
			return;
		if (last + UINT64_C(1) - first != lines)
			continue;
		for (i--; i < code; i++)
			block_leave_out(b, b->block[i].text, b->block[i].text + b->block[i].text_len);
		return;
	}
}

static __attribute__((noinline)) void code_end(struct blocks *b)
{
	struct block_code *c = &b->builder->code;
	size_t count, least = SIZE_MAX;
	const struct line_number *all = line_numbers_places(&c->numbers, &count);
	struct number_walk walk = { 0 };
	bool covers = count > 1;
	c->open = false;
	c->after = b->n_blocks;
	for (uint32_t k = c->first; k < b->n_blocks && covers; k++) {
		const struct slice text = code_text(b, &b->block[k]);
		covers = line_numbers_cover(&c->numbers, text, (size_t)(text.data - b->text.data), &walk);
	}
	if (!covers || !line_numbers_end(&c->numbers, &walk)) {
		leave_row_out(b);
		return;
	}
	/* one blank may part numbers from code: indentations are even */
	for (size_t i = 0; i < count; i++) {
		size_t at = all[i].to;
		while (at < b->text.len && b->text.data[at] == ' ')
			at++;
		if (at < b->text.len && b->text.data[at] != '\n' && at - all[i].to < least)
			least = at - all[i].to;
	}
	for (size_t i = 0; i < count; i++) {
		const bool blank =
			least != SIZE_MAX && least % 2 && all[i].to < b->text.len && b->text.data[all[i].to] == ' ';
		block_leave_out(b, all[i].from, all[i].to + blank);
	}
}

/* Ends an element in code, which may be the number of a line. */
static int code_number_end(struct blocks *b, enum html_tag tag)
{
	struct block_code *c = &b->builder->code;
	const bool ended = html_tag_is(tag, TAG_SPLITS);
	const size_t len = b->text.len - c->numbers.begun;
	if (c->numbers.tag != (uint8_t)tag || len == 0 || len > HTML_TAG_NAME_MOST / 2)
		return DANA_OK;
	const struct block *last = b->n_blocks > c->first ? &b->block[b->n_blocks - 1] : NULL;
	if (ended && !last)
		return DANA_OK;
	const size_t begin = ended ? last->text - last->indent : b->builder->indent, end = b->text.len;
	size_t line = end;
	while (line > begin && b->text.data[line - 1] != '\n' && end - line < HTML_TAG_NAME_MOST)
		line--;
	return line_numbers_close(&c->numbers, tag, slice_of(b->text.data + line, end - line), end);
}

void block_code_divide(struct blocks *b, enum html_tag tag, bool closing)
{
	struct block_code *c = &b->builder->code;
	const bool filled = b->n_blocks != c->seen;
	if (filled) {
		const struct code_gap gap = { c->seen, c->empty };
		uint32_t ends = 0; /* of lines after its last word: white space that the end of the block took */
		for (size_t i = b->text.len; i < b->builder->ended; i++)
			ends += b->text.data[i] == '\n';
		if (c->empty && (c->seen > c->first || c->after == c->first) && c->seen &&
		    buf_append(&c->gaps, &gap, sizeof(gap)) < 0)
			b->builder->parts.status = DANA_ENOMEM;
		c->empty = ends + (ends && tag == HTML_TAG_BR) - (ends > 0);
		c->seen = b->n_blocks;
	} else if (tag == HTML_TAG_BR || (closing && c->leaf)) {
		c->empty++;
	}
	if (c->cell && !closing && (tag == HTML_TAG_TD || tag == HTML_TAG_TH) && c->empty)
		c->empty--;
	c->cell = closing && tag != HTML_TAG_TR && (c->leaf || (c->cell && !filled));
	c->leaf = tag != HTML_TAG_BR && !closing;
}

void block_code_start_tag(struct blocks *b, enum html_tag tag)
{
	struct block_builder *t = b->builder;
	if (t->code.open && html_tag_is(tag, TAG_SPLITS))
		block_code_divide(b, tag, false);
	if (t->white.now == WHITE_SPACE_KEPT && !t->code.open)
		code_begin(b, tag);
	else if (t->code.open && !t->white.len)
		code_end(b);
	if (t->code.open)
		line_numbers_open(&t->code.numbers, tag, b->text.len);
}

void block_code_end_tag(struct blocks *b, enum html_tag tag)
{
	struct block_builder *t = b->builder;
	if (t->code.open) {
		if (html_tag_is(tag, TAG_SPLITS))
			block_code_divide(b, tag, true);
		if (code_number_end(b, tag) < 0)
			t->parts.status = DANA_ENOMEM;
	}
	if (t->white.len)
		white_space_end(&t->white, tag);
	if (t->code.open && !t->white.len)
		code_end(b);
}
