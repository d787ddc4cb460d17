/* SPDX-License-Identifier: MIT */
/* The text of regions at their ends: words that a line's end cut, and the lines between regions. */
#include "base/ascii.h"
#include "base/status.h"
#include "extract/family/chain_state.h"

static size_t word_at_start(struct slice text)
{
	size_t n = 0;
	while (n < text.len && !ascii_is_space(text.data[n]))
		n++;
	return n;
}

static size_t word_at_end(struct slice text)
{
	size_t n = 0;
	while (n < text.len && !ascii_is_space(text.data[text.len - 1 - n]))
		n++;
	return n;
}

/* Appends a piece of a word to the open chain if it has room for it and `most` more bytes. */
static int append_word(struct chain_selector *cs, struct slice word, size_t most)
{
	bool fits = cs->open.text.len + word.len + most <= cs->config.max_text;
	return fits ? buf_append(&cs->open.text, word.data, word.len) : DANA_OK;
}

static void between_add(struct chain_selector *cs, struct slice rest)
{
	for (size_t i = 0; i < rest.len && cs->between != BETWEEN_TEXT; i++) {
		uint8_t c = rest.data[i];
		enum between what = c == '\n' ? BETWEEN_LINE : ascii_is_space(c) ? BETWEEN_BLANK : BETWEEN_TEXT;
		cs->between = what > cs->between ? what : cs->between;
	}
}

int chain_text_between(struct chain_selector *cs)
{
	if (cs->index <= cs->end + 1)
		return DANA_OK;
	int status = chain_line_write(cs, cs->before);
	if (status >= 0)
		between_add(cs, slice_skip(buf_slice(&cs->before->text), cs->before->given));
	return status;
}

/* Separates two regions. If nothing was left out between them they are one text, with the page's white space there. */
static int part_regions(struct chain_selector *cs)
{
	if (cs->open.text.len == 0 || cs->between == BETWEEN_NOTHING)
		return DANA_OK;
	return buf_append_byte(&cs->open.text, cs->between == BETWEEN_BLANK ? ' ' : '\n');
}

int chain_text_begin(struct chain_selector *cs, const struct line *l)
{
	if (cs->open.any && cs->config.gap_fill) /* the text continues without a break */
		return DANA_OK;
	bool begun = word_at_start(buf_slice(&l->text)) != 0, goes_on = cs->open.any && cs->between != BETWEEN_TEXT;
	int status = begun || goes_on ? chain_line_write(cs, cs->before) : DANA_OK;
	if (status < 0)
		return status;
	/* the word that is cut at the line's start began in the line before */
	struct slice rest = slice_skip(buf_slice(&cs->before->text), cs->before->given);
	size_t len = begun ? word_at_end(rest) : 0;
	if (goes_on)
		between_add(cs, slice_first(rest, rest.len - len));
	status = part_regions(cs);
	return status < 0 || !len ? status : append_word(cs, slice_skip(rest, rest.len - len), l->text.len);
}

int chain_text_end(struct chain_selector *cs, struct line *l)
{
	int status = chain_held_write(cs);
	if (status >= 0)
		status = chain_line_write(cs, l);
	if (status < 0)
		return status;
	size_t len = word_at_start(buf_slice(&l->text)), mark = cs->open.text.len;
	if (len && word_at_end(buf_slice(&cs->open.text))) {
		status = append_word(cs, slice_of(l->text.data, len), 0);
		cs->open.mark = cs->open.text.len;
		l->given = cs->open.mark - mark;
	}
	/* usually it is clear at once that text is left out; the last word may still go to the next region */
	struct slice rest = slice_skip(buf_slice(&l->text), l->given);
	cs->between = BETWEEN_NOTHING;
	between_add(cs, slice_first(rest, rest.len - word_at_end(rest)));
	return status;
}

int chain_text_gap(struct chain_selector *cs, struct line *l)
{
	int status = chain_line_write(cs, l);
	if (status < 0)
		return status;
	/* the tentative tail must not grow without bound: it is cut off again if no region follows */
	if (cs->open.text.len + l->text.len > cs->config.max_text)
		return DANA_OK;
	return buf_append(&cs->open.text, l->text.data + l->given, l->text.len - l->given);
}
