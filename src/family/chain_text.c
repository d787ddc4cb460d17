/* SPDX-License-Identifier: MIT */
/* The text of regions at their ends: words that a line's end cut, and the lines between regions. */
#include "base/ascii.h"
#include "base/status.h"
#include "family/chain_state.h"

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

/* Appends a piece of a word to the open chain, where there is room for it and `most` bytes more. */
static int append_word(struct chain_selector *cs, struct slice word, size_t most)
{
	bool fits = cs->open.text.len + word.len + most <= cs->config.max_text;
	return fits ? buf_append(&cs->open.text, word.data, word.len) : DANA_OK;
}

/* A region begins at the pending line `l`: the word that was cut there has begun in the line before. */
static int region_first_word(struct chain_selector *cs, const struct line *l)
{
	if (word_at_start(buf_slice(&l->text)) == 0)
		return DANA_OK;
	int status = chain_line_write(cs, cs->before);
	if (status < 0)
		return status;
	struct slice rest = slice_skip(buf_slice(&cs->before->text), cs->before->given);
	size_t len = word_at_end(rest);
	if (len == 0)
		return DANA_OK;
	return append_word(cs, slice_skip(rest, rest.len - len), l->text.len);
}

int chain_text_begin(struct chain_selector *cs, const struct line *l)
{
	if (cs->open.any && cs->config.gap_fill) /* the text goes on without a break */
		return DANA_OK;
	int status = cs->open.text.len ? buf_append_byte(&cs->open.text, '\n') : DANA_OK;
	return status < 0 ? status : region_first_word(cs, l);
}

int chain_text_end(struct chain_selector *cs, struct line *l)
{
	int status = chain_held_write(cs);
	if (status >= 0)
		status = chain_line_write(cs, l);
	if (status < 0)
		return status;
	size_t len = word_at_start(buf_slice(&l->text)), mark = cs->open.text.len;
	if (len == 0 || word_at_end(buf_slice(&cs->open.text)) == 0)
		return DANA_OK;
	status = append_word(cs, slice_of(l->text.data, len), 0);
	cs->open.mark = cs->open.text.len;
	l->given = cs->open.mark - mark;
	return status;
}

int chain_text_gap(struct chain_selector *cs, struct line *l)
{
	int status = chain_line_write(cs, l);
	if (status < 0)
		return status;
	/* the tentative tail must not grow a chain without bound: it is cut off again where no region follows */
	if (cs->open.text.len + l->text.len > cs->config.max_text)
		return DANA_OK;
	return buf_append(&cs->open.text, l->text.data + l->given, l->text.len - l->given);
}
