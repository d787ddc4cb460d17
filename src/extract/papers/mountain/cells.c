/* SPDX-License-Identifier: MIT */
/*
 * The score of a cell needs the bytes of source between it and its neighbours, and the gap after it is known only when
 * the next cell begins. So one cell always waits for it (`waiting`). Example: a cell of 100 bytes with gaps of 40 bytes
 * before and 60 after it has a span of 100 + (40 + 60) / 2 = 150 bytes, and its characters are divided by that: text
 * with much markup around it scores less.
 */
#include "extract/papers/mountain/cells.h"

#include "base/utf8.h"

/* True for marks that divide sentences or parts of them, wherever they are. */
static bool is_mark(uint32_t c)
{
	switch (c) {
	case '!':
	case '?':
	case ';':
	case 0x3002: /* ideographic full stop */
	case 0xFF01: /* full-width ! ? ; : , */
	case 0xFF1F:
	case 0xFF1B:
	case 0xFF1A:
	case 0xFF0C:
	case 0x3001: /* ideographic comma */
	case 0x060C: /* Arabic comma, semicolon, question mark, full stop */
	case 0x061B:
	case 0x061F:
	case 0x06D4:
	case 0x0964: /* danda */
		return true;
	default:
		return false;
	}
}

/* True for marks that count only before white space and at the end: elsewhere they belong to numbers and addresses. */
static bool is_late_mark(uint32_t c)
{
	return c == '.' || c == ',' || c == ':';
}

static bool is_stop(uint32_t c)
{
	return c == '.' || c == '!' || c == '?' || c == 0x3002 || c == 0xFF01 || c == 0xFF1F || c == 0x2026 ||
	       c == 0x061F || c == 0x06D4 || c == 0x0964;
}

/* True for characters that may follow the full stop. */
static bool is_closing(uint32_t c)
{
	switch (c) {
	case '"':
	case '\'':
	case ')':
	case ']':
	case '}':
	case 0x00BB: /* right guillemet */
	case 0x2019: /* right quotes */
	case 0x201D:
	case 0x300D: /* corner brackets */
	case 0x300F:
	case 0x3009: /* angle brackets */
	case 0x300B:
	case 0x3011: /* lenticular bracket */
	case 0xFF09: /* full-width parenthesis */
		return true;
	default:
		return false;
	}
}

/* Equation 1. */
static double score(const struct mountain_cells *m, uint64_t right)
{
	double chars = (double)m->chars, dense = (double)m->dense;
	double length = dense / 12 + (chars - dense) / 75; /* L / gamma: 12 for Chinese, 75 for English */
	double span = (double)(m->end - m->start) + ((double)m->left + (double)right) / 2;
	return (length + (double)m->marks) * (m->stop ? 1.5 : 1) * (m->link ? 0.5 : 1) * (chars / span);
}

/* Finishes the waiting cell: the gap after it is `right` bytes. */
static int settle(struct mountain_cells *m, uint64_t right)
{
	if (!m->waiting)
		return 0;
	uint64_t blanks = m->left / MOUNTAIN_BLANK;
	struct mountain_cell cell = { .score = (float)score(m, right),
				      .text_end = (uint32_t)m->text.buf.len,
				      .blanks =
					      blanks < MOUNTAIN_BLANKS_MOST ? (uint32_t)blanks : MOUNTAIN_BLANKS_MOST };
	m->waiting = false;
	m->last_end = m->end;
	return buf_append(&m->cells, &cell, sizeof(cell));
}

static int begin_cell(struct mountain_cells *m, const struct token_word *word)
{
	int status = m->waiting ? settle(m, word->unit - m->end) : 0;
	m->open = true;
	m->start = word->unit;
	m->left = word->unit - m->last_end;
	m->chars = m->dense = m->marks = 0;
	m->mark_waits = m->stop = false;
	m->link = word->link;
	return status;
}

static void count_chars(struct mountain_cells *m, struct slice text)
{
	for (size_t i = 0; i < text.len;) {
		uint32_t c;
		i += utf8_decode(slice_skip(text, i), &c);
		m->marks += is_mark(c);
		m->mark_waits = is_late_mark(c);
		m->dense += token_char_is_word(c);
		if (!is_closing(c))
			m->stop = is_stop(c);
	}
}

static int take_word(struct token_stream *t, const struct token_word *word)
{
	struct mountain_cells *m = (struct mountain_cells *)t;
	if (!m->open && mountain_cells_count(m) + m->waiting >= MOUNTAIN_CELLS) {
		m->text.truncated = true;
		return 0;
	}
	int status = m->open ? 0 : begin_cell(m, word);
	bool space = m->chars && word->space;
	m->marks += m->mark_waits && space;
	m->chars += word->chars + space;
	count_chars(m, word->text);
	return status < 0 ? status : page_text_add(&m->text, word);
}

static int take_tag(struct token_stream *t, const struct token_tag *tag)
{
	(void)t;
	(void)tag;
	return 0;
}

static void end_cell(struct mountain_cells *m, uint64_t at)
{
	m->open = false;
	m->waiting = true;
	m->end = at;
	m->marks += m->mark_waits;
	m->mark_waits = false;
}

/* Everything that is not visible text ends a cell where it begins, in however many pieces it comes. */
static int take_gap(struct token_stream *t, const struct html_run *run)
{
	struct mountain_cells *m = (struct mountain_cells *)t;
	if (m->open)
		end_cell(m, run->offset);
	return 0;
}

static const struct token_stream_ops ops = { .word = take_word, .tag = take_tag, .gap = take_gap };

void mountain_cells_reset(struct mountain_cells *m)
{
	token_stream_reset(&m->stream, &ops);
	page_text_reset(&m->text);
	buf_shrink(&m->cells, PAGE_KEEPS);
	buf_clear(&m->cells);
	m->open = m->waiting = false;
	m->start = m->end = m->left = m->last_end = 0;
}

void mountain_cells_init(struct mountain_cells *m, const struct method_env *env)
{
	*m = (struct mountain_cells){ 0 };
	page_text_init(&m->text, env);
	mountain_cells_reset(m);
}

int mountain_cells_finish(struct mountain_cells *m)
{
	int status = token_stream_finish(&m->stream);
	uint64_t end = m->stream.source_end;
	if (status < 0)
		return status;
	if (m->open)
		end_cell(m, end);
	return settle(m, end - m->end);
}

void mountain_cells_free(struct mountain_cells *m)
{
	page_text_free(&m->text);
	buf_free(&m->cells);
}
