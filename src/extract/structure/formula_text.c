/* SPDX-License-Identifier: MIT */
/*
 * The delimiters of MathJax and KaTeX: \(..\), \[..\], $$..$$, and $..$ by pandoc's rule, by which "$5 or $6" has none:
 * no blank after the first, none before the second, and no digit after it.
 */
#include "extract/structure/formula_text.h"

#include "base/ascii.h"

enum { DOLLAR_MOST = 400 };

/* Finds a closing delimiter of two bytes, not directly at `from`. *none remembers that no other follows. */
static bool find_close(struct slice text, size_t from, const char *close, bool *none, size_t *at)
{
	for (size_t i = from + 1; !*none && i + 1 < text.len; i++) {
		const uint8_t *found = memchr(text.data + i, close[0], text.len - 1 - i);
		if (!found)
			break;
		i = (size_t)(found - text.data);
		if (found[1] == (uint8_t)close[1]) {
			*at = i;
			return true;
		}
	}
	*none = true;
	return false;
}

static bool find_dollar(struct slice text, size_t at, struct formula_found *found)
{
	size_t i = at + 1;
	if (at && (text.data[at - 1] == '$' || text.data[at - 1] == '\\' || text.data[at - 1] == '_' ||
		   text.data[at - 1] >= 0x80 || ascii_is_alpha(text.data[at - 1]) || ascii_is_digit(text.data[at - 1])))
		return false;
	if (i >= text.len || text.data[i] == ' ')
		return false;
	while (i < text.len && text.data[i] != '$' && i - at <= DOLLAR_MOST)
		i++;
	if (i >= text.len || text.data[i] != '$' || i == at + 1 || text.data[i - 1] == ' ' || text.data[i - 1] == '\\')
		return false;
	if (i + 1 < text.len && (text.data[i + 1] == '$' || ascii_is_digit(text.data[i + 1])))
		return false;
	*found = (struct formula_found){ .tex = slice_of(text.data + at + 1, i - at - 1), .end = i + 1 };
	return true;
}

bool formula_find(struct formula_finder *finder, struct slice text, size_t at, struct formula_found *found)
{
	const uint8_t first = text.data[at], second = at + 1 < text.len ? text.data[at + 1] : 0;
	size_t close = 0;
	bool round = first == '\\' && second == '(', square = first == '\\' && second == '[';
	bool dollars = first == '$' && second == '$';
	if (!((round && find_close(text, at + 2, "\\)", &finder->no_round, &close)) ||
	      (square && find_close(text, at + 2, "\\]", &finder->no_square, &close)) ||
	      (dollars && find_close(text, at + 2, "$$", &finder->no_dollars, &close))))
		return first == '$' && find_dollar(text, at, found);
	*found = (struct formula_found){ .tex = slice_trim(slice_of(text.data + at + 2, close - at - 2)),
					 .end = close + 2,
					 .display = !round };
	return true;
}

bool formula_is_all(struct slice text, struct slice *tex)
{
	struct formula_finder finder = { 0 };
	struct formula_found found;
	if (text.len < 5 || !formula_find(&finder, text, 0, &found) || !found.display || found.end != text.len)
		return false;
	*tex = found.tex;
	return true;
}

int formula_write(struct buf *out, const struct formula_found *found)
{
	const char *mark = found->display ? "$$" : "$";
	buf_append_text(out, mark);
	buf_append(out, found->tex.data, found->tex.len);
	return buf_append_text(out, mark);
}
