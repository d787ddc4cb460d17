/* SPDX-License-Identifier: MIT */
/* FineWeb's rules: lines that end sentences, short lines, repeated lines, lists. */
#include "plugins/quality/measure.h"

enum { SHORT_LINE = 30 };

int fineweb_measure(struct scratch *s, struct text text, double measures[RULES])
{
	uint64_t ended = 0, small = 0, bytes = 0;
	struct duplicates d = s->lines.found;
	struct line line;

	if (s->lines.text != text.data && !count_duplicates(&s->seen, text, 1, &d))
		return -1;
	if (!d.parts)
		return 0;
	for (size_t at = 0; next_part(text, 1, &at, &line);) {
		ended += ends_sentence(line);
		small += line.len <= SHORT_LINE ||
			 (line.len <= 4 * SHORT_LINE && count_chars(line.data, line.len) <= SHORT_LINE);
		bytes += line.len;
	}
	/* Thai and Lao have no marks that end a sentence. */
	if (2 * s->words.unpunctuated <= s->words.spaced + s->words.unspaced)
		measures[RULE_PUNCT_LINES] = (double)ended / (double)d.parts;
	measures[RULE_SHORT_LINES] = (double)small / (double)d.parts;
	/* What is not of a line is line ends, one character each. */
	measures[RULE_DUP_CHARS] = (double)d.chars / (double)(count_chars(text.data, text.len) - (text.len - bytes));
	if (words_all(&s->words))
		measures[RULE_NEWLINES] = (double)(d.parts - 1) / (double)words_all(&s->words);
	return 0;
}
