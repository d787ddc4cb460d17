/* SPDX-License-Identifier: MIT */
/*
 * The rules are those of CommonMark and of GFM's extensions, each as narrow as it can be: "a < b", "x[0]", "R&D" and
 * "a_b" stay as they are, so that the text can be read and searched.
 *
 * GFM makes links of bare addresses, up to the next blank or '<' and with all marks and backslashes in between. So the
 * address itself gets a backslash where one of these follows in the same word: "http\://x/\*".
 *
 * Example: "*a* [b](c) 1 * 2" becomes "\*a\* \[b](c) 1 * 2".
 */
#include "extract/structure/escape.h"

#include "base/ascii.h"
#include "extract/structure/formula_text.h"
#include "extract/structure/letter_kind.h"
#include "extract/structure/text_scan.h"
#include "extract/structure/url.h"

struct escaper {
	struct buf *out;
	struct slice text;
	const struct escape_rules *rules;
	struct formula_finder formulas;
	size_t bracket; /* the first ']' at or after the place of the last search */
	size_t done;    /* text that is written */
	bool followed;
};

static bool is_punctuation(uint8_t c)
{
	return c > ' ' && c < 0x7F && !ascii_is_alpha(c) && !ascii_is_digit(c);
}

static uint8_t byte_at(struct slice s, size_t i)
{
	return i < s.len ? s.data[i] : 0;
}

/*
 * Returns whether '[' at `i` begins what may be a link, an image, a definition or a footnote: what is after the text is
 * not known.
 */
static bool bracket_opens(struct escaper *e, size_t i)
{
	if (byte_at(e->text, i + 1) == '^')
		return true;
	if (e->bracket <= i) {
		const uint8_t *found = memchr(e->text.data + i, ']', e->text.len - i);
		e->bracket = found ? (size_t)(found - e->text.data) : e->text.len;
	}
	uint8_t after = byte_at(e->text, e->bracket + 1);
	return e->bracket == e->text.len || after == '(' || after == '[' || after == ':';
}

static bool bracket_needs_backslash(struct escaper *e, size_t i)
{
	size_t *open = e->rules->open;
	if (e->rules->brackets != BRACKETS_THAT_LINK)
		return e->rules->brackets == BRACKETS_ALL;
	if (e->text.data[i] == '[') {
		const bool opens = bracket_opens(e, i);
		*open += !opens;
		return opens;
	}
	if (*open && byte_at(e->text, i + 1) == '(')
		return true;
	*open -= *open != 0;
	return false;
}

bool escape_is_reference(struct slice s)
{
	size_t i = 1 + (byte_at(s, 1) == '#'), from = i;
	while (ascii_is_alpha(byte_at(s, i)) || ascii_is_digit(byte_at(s, i)))
		i++;
	return i > from && byte_at(s, i) == ';';
}

/* Returns whether '<' at `i` may begin a tag, an address or a mailbox; `followed`: the text is not all of it. */
static bool angle_opens(struct slice s, size_t i, bool followed)
{
	const uint8_t next = byte_at(s, i + 1);
	size_t at = i + 1;
	if (ascii_is_alpha(next) || next == '/' || next == '!' || next == '?')
		return true;
	while (url_is_mailbox_byte(byte_at(s, at)))
		at++;
	return at == s.len ? followed : at > i + 1 && s.data[at] == '@';
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
	case ']':
		return bracket_needs_backslash(e, i);
	case '<':
		return angle_opens(t, i, e->followed);
	case '&':
		return escape_is_reference(slice_skip(t, i));
	default: /* '~' */
		return e->rules->tildes;
	}
}

/* Returns whether the byte at `i` belongs to what a bare address begins with, "http:" or "www.", and can have a
 * backslash. */
static bool begins_address(struct slice s, size_t i)
{
	if (s.data[i] == ':' && i && byte_at(s, i + 1) == '/' && byte_at(s, i + 2) == '/')
		return ascii_lower(s.data[i - 1]) == 'p' || ascii_lower(s.data[i - 1]) == 's';
	return s.data[i] == '.' && i >= 3 && slice_is(slice_of(s.data + i - 3, 3), "www") &&
	       (i == 3 || !(ascii_is_alpha(s.data[i - 4]) || ascii_is_digit(s.data[i - 4])));
}

/* Returns where the word begins that ends at `to`; not before `from`. */
static size_t word_before(struct slice s, size_t from, size_t to)
{
	while (to > from && s.data[to - 1] != ' ' && s.data[to - 1] != '<')
		to--;
	return to;
}

/* Writes the text up to `to`, where something comes that must not become a part of an address. */
static void write_until(struct escaper *e, size_t to)
{
	size_t i = e->rules->in_link ? to : word_before(e->text, e->done, to);
	for (; i < to; i++) {
		if ((e->text.data[i] != ':' && e->text.data[i] != '.') || !begins_address(e->text, i))
			continue;
		buf_append(e->out, e->text.data + e->done, i - e->done);
		buf_append_byte(e->out, '\\');
		e->done = i;
	}
	buf_append(e->out, e->text.data + e->done, to - e->done);
	e->done = to;
}

bool escape_ends_in_address(struct slice line)
{
	for (size_t i = word_before(line, 0, line.len); i < line.len; i++) {
		if (begins_address(line, i))
			return true;
	}
	return false;
}

/* Returns whether TeX gets a blank after its byte at `i`, which has no meaning there. */
static bool needs_blank(struct slice tex, size_t i)
{
	const uint8_t next = byte_at(tex, i + 1);
	switch (tex.data[i]) {
	case '<':
		return angle_opens(tex, i, true);
	case '[':
		return next == '^' || (next == '\\' && byte_at(tex, i + 2) == '^');
	case ']':
		return next == '(' || next == '[' || next == ':';
	case '&':
		return escape_is_reference(slice_skip(tex, i));
	case ':':
	case '.':
		return begins_address(tex, i);
	default:
		return false;
	}
}

/*
 * Returns the name of a character of TeX that cannot be written as it is; NULL if it can. `escaped`: a backslash is
 * before it, which makes a backtick an accent.
 */
static const char *name_in_tex(uint8_t c, bool escaped, const struct escape_rules *rules)
{
	if (c == '`')
		return escaped ? "grave " : "\\lq{}";
	if (rules->brackets != BRACKETS_ALL || escaped)
		return NULL;
	return c == '[' ? "\\lbrack{}" : c == ']' ? "\\rbrack{}" : NULL;
}

int escape_tex(struct buf *out, struct slice tex, const struct escape_rules *rules)
{
	bool escaped = false;
	for (size_t i = 0; i < tex.len; i++) {
		const uint8_t c = tex.data[i];
		const char *name = name_in_tex(c, escaped, rules);
		if (name)
			buf_append_text(out, name);
		else
			buf_append_byte(out, c);
		if (needs_blank(tex, i))
			buf_append_byte(out, ' ');
		if (!escaped && !name) {
			*rules->open += c == '[';
			*rules->open -= c == ']' && *rules->open;
		}
		escaped = c == '\\' && !escaped;
	}
	return buf_status(out);
}

static void write_formula(struct escaper *e, const struct formula_found *found)
{
	const char *mark = found->display ? "$$" : "$";
	buf_append_text(e->out, mark);
	escape_tex(e->out, found->tex, e->rules);
	buf_append_text(e->out, mark);
}

int escape_text(struct buf *out, struct slice text, const struct escape_rules *rules, bool followed)
{
	static const bool special[256] = { ['\\'] = true, ['*'] = true, ['_'] = true, ['`'] = true, ['['] = true,
					   [']'] = true,  ['<'] = true, ['&'] = true, ['~'] = true };
	struct escaper e = { .out = out, .text = text, .rules = rules, .followed = followed };
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
				write_until(&e, i);
				write_formula(&e, &found);
				i = found.end - 1;
				e.done = found.end;
				continue;
			}
		}
		if (!special[c] || !needs_backslash(&e, i))
			continue;
		write_until(&e, i);
		buf_append_byte(out, '\\');
	}
	if (followed)
		write_until(&e, text.len);
	return buf_append(out, text.data + e.done, text.len - e.done);
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
	if (first == '[' && byte_at(line, 2) == ']' && strchr(" xX", byte_at(line, 1)) && ends_or_blank(line, 3))
		return 0; /* the box of a task */
	/* after a line of text: an underline that makes it a heading, or the second line of a table */
	if (goes_on && ((first == '=' && is_only(line, "= ")) || (line.len && is_only(line, "-:| "))))
		return 0;
	while (digits < 9 && ascii_is_digit(byte_at(line, digits)))
		digits++;
	if (digits && (byte_at(line, digits) == '.' || byte_at(line, digits) == ')') && ends_or_blank(line, digits + 1))
		return digits;
	return line.len;
}

int escape_tex_line(struct buf *out, struct slice line)
{
	if (backslash_place(line, true) < line.len)
		buf_append_text(out, "{}");
	return buf_append(out, line.data, line.len);
}

int escape_line(struct buf *out, struct slice line, bool goes_on)
{
	size_t at = backslash_place(line, goes_on);
	buf_append(out, line.data, at);
	if (at < line.len)
		buf_append_byte(out, '\\');
	return buf_append(out, line.data + at, line.len - at);
}
