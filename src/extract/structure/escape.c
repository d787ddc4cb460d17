/* SPDX-License-Identifier: MIT */
/*
 * The rules are those of CommonMark and of GFM's strikethrough, each as narrow as it can be: "a < b", "x[0]", "R&D" and
 * "a_b" stay as they are, so that the text can be read and searched.
 *
 * Example: "*a* [b](c) 1 * 2" becomes "\*a\* \[b](c) 1 * 2".
 */
#include "extract/structure/escape.h"

#include "base/ascii.h"
#include "extract/structure/formula_text.h"
#include "extract/structure/letter_kind.h"
#include "extract/structure/text_scan.h"

struct escaper {
	struct buf *out;
	struct slice text;
	const struct escape_rules *rules;
	struct formula_finder formulas;
	size_t bracket; /* the first ']' at or after the place of the last search */
};

static bool is_punctuation(uint8_t c)
{
	return c > ' ' && c < 0x7F && !ascii_is_alpha(c) && !ascii_is_digit(c);
}

static uint8_t byte_at(struct slice s, size_t i)
{
	return i < s.len ? s.data[i] : 0;
}

/* Returns whether '[' at `i` begins what may be a link, an image, a definition or a footnote. */
static bool bracket_opens(struct escaper *e, size_t i)
{
	if (e->rules->brackets || byte_at(e->text, i + 1) == '^')
		return true;
	if (e->bracket <= i) {
		const uint8_t *found = memchr(e->text.data + i, ']', e->text.len - i);
		e->bracket = found ? (size_t)(found - e->text.data) : e->text.len;
	}
	uint8_t after = byte_at(e->text, e->bracket + 1);
	return e->bracket < e->text.len && (after == '(' || after == '[' || after == ':');
}

static bool is_reference(struct slice s)
{
	size_t i = 1 + (byte_at(s, 1) == '#'), from = i;
	while (ascii_is_alpha(byte_at(s, i)) || ascii_is_digit(byte_at(s, i)))
		i++;
	return i > from && byte_at(s, i) == ';';
}

static bool needs_backslash(struct escaper *e, size_t i)
{
	const struct slice t = e->text;
	const uint8_t next = byte_at(t, i + 1);
	switch (t.data[i]) {
	case '\\':
		return i + 1 == t.len || is_punctuation(next);
	case '*':
		return i == 0 || t.data[i - 1] != ' ' || next != ' ';
	case '_':
		return letter_kind_last(slice_first(t, i)) != LETTER_LETTER ||
		       letter_kind_first(slice_skip(t, i + 1)) != LETTER_LETTER;
	case '`':
		return true;
	case '[':
		return bracket_opens(e, i);
	case ']':
		return e->rules->brackets;
	case '<':
		return ascii_is_alpha(next) || next == '/' || next == '!' || next == '?';
	case '&':
		return is_reference(slice_skip(t, i));
	default: /* '~' */
		return e->rules->tildes;
	}
}

int escape_text(struct buf *out, struct slice text, const struct escape_rules *rules)
{
	static const bool special[256] = { ['\\'] = true, ['*'] = true, ['_'] = true, ['`'] = true, ['['] = true,
					   [']'] = true,  ['<'] = true, ['&'] = true, ['~'] = true };
	struct escaper e = { .out = out, .text = text, .rules = rules };
	size_t done = 0;
	for (size_t i = 0; i < text.len; i++) {
		i += text_scan_unmarked(slice_skip(text, i));
		while (i < text.len && !special[text.data[i]] && text.data[i] != '$')
			i++;
		if (i == text.len)
			break;
		const uint8_t c = text.data[i];
		if (rules->formulas && (c == '$' || c == '\\')) {
			struct formula_found found;
			if (formula_find(&e.formulas, text, i, &found)) {
				buf_append(out, text.data + done, i - done);
				formula_write(out, &found);
				i = found.end - 1;
				done = found.end;
				continue;
			}
		}
		if (!special[c] || !needs_backslash(&e, i))
			continue;
		buf_append(out, text.data + done, i - done);
		buf_append_byte(out, '\\');
		done = i;
	}
	return buf_append(out, text.data + done, text.len - done);
}

/* Returns whether a line consists of the bytes of `set` only. */
static bool is_only(struct slice line, const char *set)
{
	size_t i = 0;
	while (i < line.len && strchr(set, line.data[i]) && line.data[i])
		i++;
	return i == line.len;
}

static bool ends_or_blank(struct slice line, size_t at)
{
	return at == line.len || line.data[at] == ' ';
}

/* Returns where the backslash goes; the length of the line if nowhere. */
static size_t backslash_place(struct slice line, bool goes_on)
{
	const uint8_t first = byte_at(line, 0);
	size_t hashes = 0, digits = 0;
	while (hashes < 7 && byte_at(line, hashes) == '#')
		hashes++;
	if (hashes && hashes < 7 && ends_or_blank(line, hashes))
		return 0;
	if (first == '>' || ((first == '-' || first == '+') && ends_or_blank(line, 1)))
		return 0;
	if (first == '-' && line.len >= 3 && is_only(line, "- "))
		return 0;
	if (first == '~' && byte_at(line, 1) == '~' && byte_at(line, 2) == '~')
		return 0;
	/* after a line of text: an underline that makes it a heading, or the second line of a table */
	if (goes_on && ((first == '=' && is_only(line, "= ")) || (line.len && is_only(line, "-:| "))))
		return 0;
	while (digits < 9 && ascii_is_digit(byte_at(line, digits)))
		digits++;
	if (digits && (byte_at(line, digits) == '.' || byte_at(line, digits) == ')') && ends_or_blank(line, digits + 1))
		return digits;
	return line.len;
}

int escape_line(struct buf *out, struct slice line, bool goes_on)
{
	size_t at = backslash_place(line, goes_on);
	buf_append(out, line.data, at);
	if (at < line.len)
		buf_append_byte(out, '\\');
	return buf_append(out, line.data + at, line.len - at);
}
