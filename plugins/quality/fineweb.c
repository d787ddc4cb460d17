/* SPDX-License-Identifier: MIT */
/* FineWeb's rules: lines that end sentences, short lines, repeated lines, lists. */
#include "base/utf8.h"
#include "plugins/quality/measure.h"

enum { SHORT_LINE = 30 };

int fineweb_measure(struct scratch *s, struct text text, double measures[RULES])
{
	uint64_t ended = 0, small = 0, bytes = 0;
	struct line_walk walk = { 0, 0 };
	struct line line;

	if (!lines_begin(&s->lines, text) || !count_duplicate_lines(&s->lines, &s->seen))
		return -1;
	const struct duplicates d = s->lines.found;
	if (!d.parts)
		return 0;
	while (next_line(&s->lines, &walk, &line)) {
		ended += ends_sentence(line);
		small += line.len <= SHORT_LINE ||
			 (line.len <= 4 * SHORT_LINE && count_chars(line.data, line.len) <= SHORT_LINE);
		bytes += line.len;
	}
	/* Thai and Lao have no marks that end a sentence. */
	if (2 * s->words.unpunctuated <= s->words.spaced + s->words.unspaced)
		measures[RULE_PUNCT_LINES] = (double)ended / (double)d.parts;
	measures[RULE_SHORT_LINES] = (double)small / (double)d.parts;
	/*
	 * The characters of a text that lost no lines are already counted. Characters outside of lines are line ends,
	 * one each.
	 */
	const uint64_t chars = text.data == s->kept.data ? utf8_count(slice_of(text.data, text.len)) : s->words.chars;
	measures[RULE_DUP_CHARS] = (double)d.chars / (double)(chars - (text.len - bytes));
	if (words_all(&s->words))
		measures[RULE_NEWLINES] = (double)(d.parts - 1) / (double)words_all(&s->words);
	return 0;
}
