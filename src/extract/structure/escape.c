/* SPDX-License-Identifier: MIT */
/*
 * Escapes text for Markdown.
 *
 * The rules follow CommonMark and GFM's extensions, each as narrow as it can be: "a < b", "x[0]", "R&D" and
 * "a_b" stay as they are, so that the text can be read and searched.
 *
 * GFM makes links of bare addresses, up to the next blank or '<' and with all marks and backslashes in between. So the
 * address itself gets a backslash where one of these follows in the same word: "http\://x/\*".
 *
 * Example: "*a* [b](c) 1 * 2" becomes "\*a\* \[b](c) 1 * 2".
 */
#include "extract/structure/escape.h"

#include "base/ascii.h"
#include "base/utf8.h"

/* Formulas that stand in the text between delimiters, for a program that shows them when the page is read. */

/** Zeroed at the start of a text: which closing delimiters it is known not to have any more. */
struct formula_finder {
	bool no_round, no_square, no_dollars;
	unsigned no_end; /* environments that nothing ends */
};

struct formula_found {
	struct slice tex;
	size_t end; /* after the closing delimiter */
	bool display;
};

/*
 * Readers of Markdown carry tables of Unicode's punctuation, of different versions and with or without symbols. So only
 * what all of them agree on is called a letter or punctuation; emphasis at the rest is left out where it would matter.
 */

struct range {
	uint32_t first, last;
};

static bool is_in(const struct range *ranges, size_t count, uint32_t c)
{
	size_t from = 0;
	while (from < count) {
		size_t middle = (from + count) / 2;
		if (c > ranges[middle].last)
			from = middle + 1;
		else if (c < ranges[middle].first)
			count = middle;
		else
			return true;
	}
	return false;
}

/* Letters and digits without gaps. */
static const struct range letters[] = {
	{ 0xC0, 0xD6 },     { 0xD8, 0xF6 },     { 0xF8, 0x2C1 },    { 0x370, 0x373 },   { 0x376, 0x377 },
	{ 0x37B, 0x37D },   { 0x388, 0x38A },   { 0x38E, 0x3A1 },   { 0x3A3, 0x3F5 },   { 0x3F7, 0x481 },
	{ 0x48A, 0x52F },   { 0x531, 0x556 },   { 0x561, 0x587 },   { 0x5D0, 0x5EA },   { 0x620, 0x64A },
	{ 0x660, 0x669 },   { 0x66E, 0x66F },   { 0x671, 0x6D3 },   { 0x6F0, 0x6FC },   { 0x904, 0x939 },
	{ 0x966, 0x96F },   { 0x985, 0x98C },   { 0xE01, 0xE30 },   { 0xE40, 0xE46 },   { 0x10A0, 0x10C5 },
	{ 0x10D0, 0x10FA }, { 0x1E00, 0x1F15 }, { 0x3041, 0x3096 }, { 0x30A1, 0x30FA }, { 0x30FC, 0x30FE },
	{ 0x3105, 0x312F }, { 0x3400, 0x4DBF }, { 0x4E00, 0x9FFC }, { 0xAC00, 0xD7A3 }, { 0xF900, 0xFA6D },
	{ 0xFF10, 0xFF19 }, { 0xFF21, 0xFF3A }, { 0xFF41, 0xFF5A }, { 0xFF66, 0xFF9D }, { 0x20000, 0x2A6DD },
};

/* Punctuation in all versions of Unicode. */
static const struct range punctuation[] = {
	{ 0xA1, 0xA1 },     { 0xA7, 0xA7 },     { 0xAB, 0xAB },     { 0xB6, 0xB7 },     { 0xBB, 0xBB },
	{ 0xBF, 0xBF },     { 0x60C, 0x60D },   { 0x61B, 0x61B },   { 0x61F, 0x61F },   { 0x66A, 0x66D },
	{ 0x6D4, 0x6D4 },   { 0x964, 0x965 },   { 0x2010, 0x2027 }, { 0x2030, 0x2043 }, { 0x2045, 0x2051 },
	{ 0x2053, 0x205E }, { 0x3001, 0x3003 }, { 0x3008, 0x3011 }, { 0x3014, 0x301F }, { 0x30FB, 0x30FB },
	{ 0xFF01, 0xFF03 }, { 0xFF05, 0xFF0A }, { 0xFF0C, 0xFF0F }, { 0xFF1A, 0xFF1B }, { 0xFF1F, 0xFF20 },
	{ 0xFF3B, 0xFF3D }, { 0xFF3F, 0xFF3F }, { 0xFF5B, 0xFF5B }, { 0xFF5D, 0xFF5D }, { 0xFF5F, 0xFF65 },
};

enum letter_kind letter_kind_of(uint32_t c)
{
	const bool ascii = c < 0x80;
	if (ascii ? c <= ' ' : character_is_space(c))
		return LETTER_WHITE;
	if (ascii ? ascii_is_alpha((uint8_t)c) || ascii_is_digit((uint8_t)c)
		  : is_in(letters, sizeof(letters) / sizeof(*letters), c))
		return LETTER_LETTER;
	return ascii || is_in(punctuation, sizeof(punctuation) / sizeof(*punctuation), c) ? LETTER_PUNCTUATION
											  : LETTER_UNSURE;
}

enum letter_kind letter_kind_first(struct slice text)
{
	uint32_t c;
	if (text.len == 0)
		return LETTER_WHITE;
	(void)utf8_decode(text, &c);
	return letter_kind_of(c);
}

enum letter_kind letter_kind_last(struct slice text)
{
	size_t begin = text.len;
	while (begin && text.len - begin < 4 && (text.data[--begin] & 0xC0) == 0x80)
		;
	return letter_kind_first(slice_skip(text, begin));
}

bool letter_kind_any(struct slice text)
{
	while (text.len) {
		uint32_t c;
		text = slice_skip(text, utf8_decode(text, &c));
		enum letter_kind kind = letter_kind_of(c);
		if (kind == LETTER_LETTER || (kind == LETTER_UNSURE && !character_is_invisible(c)))
			return true;
	}
	return false;
}

/*
 * The delimiters of MathJax and KaTeX: \(..\), \[..\], $$..$$, \begin{X}..\end{X}, and $..$ by pandoc's rule, by which
 * "$5 or $6" has none: no blank after the first, none before the second, and no digit after it.
 */

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

/** Returns whether a formula begins at `at` of the text. All calls for one text, in order, take linear time. */
static bool formula_find(struct formula_finder *finder, struct slice text, size_t at, struct formula_found *found)
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

struct escaper {
	struct buf *out;
	struct slice text;
	const struct escape_rules *rules;
	struct formula_finder formulas;
	size_t bracket; /* the first ']' at or after the place of the last search */
	size_t done;    /* text that is written */
	bool followed;
};

static uint8_t byte_at(struct slice s, size_t i)
{
	return i < s.len ? s.data[i] : 0;
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
	size_t *open = e->rules->open;
	switch (t.data[i]) {
	case '\\':
		return i + 1 == t.len || (next > ' ' && next < 0x7F && !ascii_is_alpha(next) && !ascii_is_digit(next));
	case '*':
		return i == 0 || t.data[i - 1] != ' ' || next != ' ';
	case '_':
		return letter_kind_last(slice_first(t, i)) != LETTER_LETTER ||
		       letter_kind_first(slice_skip(t, i + 1)) != LETTER_LETTER;
	case '`':
		return true;
	case '[': {
		if (e->rules->brackets != BRACKETS_THAT_LINK)
			return e->rules->brackets == BRACKETS_ALL;
		/* it may begin a link, an image, a definition or a footnote: what is after the text is not known */
		if (next != '^' && e->bracket <= i)
			e->bracket = i + slice_until(slice_skip(t, i), "]");
		const uint8_t after = byte_at(t, e->bracket + 1);
		const bool opens = next == '^' || e->bracket == t.len || after == '(' || after == '[' || after == ':';
		*open += !opens;
		return opens;
	}
	case ']':
		if (e->rules->brackets != BRACKETS_THAT_LINK)
			return e->rules->brackets == BRACKETS_ALL;
		if (*open && next == '(')
			return true;
		*open -= *open != 0;
		return false;
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

bool escape_ends_in_address(struct last_word *word, struct slice text)
{
	size_t i = word_before(text, word->seen, text.len);
	word->is_address = word->is_address && i == word->seen; /* else another one begins */
	for (; i < text.len && !word->is_address; i++)
		word->is_address = begins_address(text, i);
	word->seen = text.len;
	return word->is_address;
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

int escape_tex(struct buf *out, struct slice tex, const struct escape_rules *rules)
{
	bool escaped = false; /* a backslash is before, which makes a backtick an accent */
	for (size_t i = 0; i < tex.len; i++) {
		const uint8_t c = tex.data[i];
		const char *name = NULL; /* of a character that cannot be written as it is */
		if (c == '`')
			name = escaped ? "grave " : "\\lq{}";
		else if (rules->brackets == BRACKETS_ALL && !escaped)
			name = c == '[' ? "\\lbrack{}" : c == ']' ? "\\rbrack{}" : NULL;
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
				const char *mark = found.display ? "$$" : "$";
				buf_append_text(e.out, mark);
				escape_tex(e.out, found.tex, e.rules);
				buf_append_text(e.out, mark);
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
	buf_append(out, "{}", backslash_place(line, true) < line.len ? 2 : 0);
	return buf_append(out, line.data, line.len);
}

int escape_line(struct buf *out, struct slice line, bool goes_on)
{
	const size_t at = backslash_place(line, goes_on);
	buf_append(out, line.data, at);
	buf_append(out, "\\", at < line.len);
	return buf_append(out, line.data + at, line.len - at);
}
