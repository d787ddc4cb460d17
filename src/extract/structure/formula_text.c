/* SPDX-License-Identifier: MIT */
/*
 * The delimiters of MathJax and KaTeX: \(..\), \[..\], $$..$$, \begin{X}..\end{X}, and $..$ by pandoc's rule, by which
 * "$5 or $6" has none: no blank after the first, none before the second, and no digit after it.
 */
#include "extract/structure/formula_text.h"

#include "base/ascii.h"

enum {
	DOLLAR_MOST = 400,
	ENVIRONMENT_MOST = 8 << 10,
	UNENDED_MOST = 16, /* environments without an end in one text, each of which was searched */
};

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

/* Finds \begin{X}..\end{X} with the same X: the delimiters are part of the formula. */
static bool find_environment(struct formula_finder *finder, struct slice text, size_t at, struct formula_found *found)
{
	static const char begin[] = "\\begin{", end[] = "\\end{";
	const size_t opening = sizeof(begin) - 1, closing = sizeof(end) - 1;
	const struct slice rest = slice_first(slice_skip(text, at), ENVIRONMENT_MOST);
	size_t name = 0, from;
	if (finder->no_end >= UNENDED_MOST || rest.len < opening || !slice_is(slice_first(rest, opening), begin))
		return false;
	while (opening + name < rest.len &&
	       (ascii_is_alpha(rest.data[opening + name]) || rest.data[opening + name] == '*'))
		name++;
	if (name == 0 || opening + name == rest.len || rest.data[opening + name] != '}')
		return false;
	const struct slice named = slice_first(slice_skip(rest, opening), name + 1);
	for (from = opening + name + 1; from + closing + name < rest.len; from++) {
		from += slice_until(slice_skip(rest, from), "\\");
		const struct slice here = slice_skip(rest, from);
		if (here.len <= closing + name || !slice_is(slice_first(here, closing), end) ||
		    !slice_equal(slice_first(slice_skip(here, closing), name + 1), named))
			continue;
		const size_t len = from + closing + name + 1;
		*found = (struct formula_found){ slice_first(rest, len), at + len, true };
		return true;
	}
	finder->no_end++;
	return false;
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
		return first == '$' ? find_dollar(text, at, found)
				    : second == 'b' && find_environment(finder, text, at, found);
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
