/* SPDX-License-Identifier: MIT */
/*
 * A style is read declaration by declaration, without regard to case, white space and !important; the last one of a
 * property counts. Comments and escapes are not read. Classes are those of Tailwind.
 */
#include "extract/html/display.h"

#include <string.h>

#include "base/ascii.h"

enum property { DISPLAY, VISIBILITY, FONT_SIZE, OPACITY, COLOR, POSITION, AWAY, CLIP, FLOAT, PROPERTIES };

static const struct known_value {
	const char *name;
	bool hides, line;
} values[PROPERTIES][14] = {
	[DISPLAY] = { { "none", true, false },
		      { "block", false, true },
		      { "flex", false, true },
		      { "grid", false, true },
		      { "table", false, true },
		      { "list-item", false, true },
		      { "flow-root", false, true },
		      { "inline", false, false },
		      { "inline-block", false, false },
		      { "inline-flex", false, false },
		      { "inline-grid", false, false },
		      { "inline-table", false, false },
		      { "contents", false, false } },
	[VISIBILITY] = { { "hidden", true, false }, { "collapse", true, false } },
	[FONT_SIZE] = { { "0", true, false }, { "0px", true, false } },
	[OPACITY] = { { "0", true, false } },
	[COLOR] = { { "transparent", true, false } },
	[FLOAT] = { { "left", true, false }, { "right", true, false } },
	[POSITION] = { { "absolute", true, false }, { "fixed", true, false } },
};

/* Returns whether a length moves an element out of any screen: "-9999px". */
static bool is_far(struct slice length)
{
	enum { DIGITS = 4 };
	size_t digits = 0;
	while (digits + 1 < length.len && ascii_is_digit(length.data[digits + 1]))
		digits++;
	return length.len && length.data[0] == '-' && digits >= DIGITS;
}

/* Returns whether a shape leaves nothing of an element: "rect(0 0 0 0)", "rect(1px, 1px, 1px, 1px)". */
static bool is_nothing(struct slice shape)
{
	static const char rect[] = "rect(";
	if (!slice_is(slice_first(shape, strlen(rect)), rect))
		return false;
	for (size_t i = strlen(rect); i < shape.len; i++) {
		if (ascii_is_digit(shape.data[i]) && shape.data[i] > '1')
			return false;
	}
	return true;
}

/* Sets the value of a declaration that begins with its property's name, and returns the property. */
static enum property read_declaration(struct slice declaration, struct slice *value)
{
	static const struct {
		char name[sizeof("visibility")];
		uint8_t property;
	} by_letter[32][2] = { ['d' & 31] = { { "display", DISPLAY } },
			       ['v' & 31] = { { "visibility", VISIBILITY } },
			       ['f' & 31] = { { "font-size", FONT_SIZE }, { "float", FLOAT } },
			       ['o' & 31] = { { "opacity", OPACITY } },
			       ['c' & 31] = { { "color", COLOR }, { "clip", CLIP } },
			       ['p' & 31] = { { "position", POSITION } },
			       ['l' & 31] = { { "left", AWAY } },
			       ['t' & 31] = { { "top", AWAY } } };
	const unsigned letter = declaration.data[0] & 31;
	/* most declarations are of other properties */
	if (!by_letter[letter][0].name[0])
		return PROPERTIES;
	const size_t colon = slice_until(declaration, ":");
	const struct slice name = slice_trim(slice_first(declaration, colon));
	const unsigned n = !slice_is(name, by_letter[letter][0].name);
	if (colon == declaration.len || (n && !slice_is(name, by_letter[letter][1].name)))
		return PROPERTIES;
	*value = slice_skip(declaration, colon + 1);
	*value = slice_trim(slice_first(*value, slice_until(*value, "!")));
	return (enum property)by_letter[letter][n].property;
}

/*
 * Each of these properties but color and clip has a letter of these, and these alone hide nothing; a place far from the
 * screen begins with -9 or -1, and with a clip is mostly a margin of -1px. Most styles have none.
 */
static bool may_tell(struct slice style)
{
	static const bool signs[256] = { ['y'] = true, ['z'] = true, ['Y'] = true, ['Z'] = true, ['-'] = true };
	for (size_t i = 0; i < style.len; i++) {
		if (!signs[style.data[i]])
			continue;
		const uint8_t next = i + 1 < style.len ? style.data[i + 1] : 0;
		if (style.data[i] != '-' || next == '9' || next == '1')
			return true;
	}
	return false;
}

struct style_display display_of_style(struct slice style)
{
	unsigned hidden = 0; /* one bit for each property that hides, or sets an element beside what follows it */
	bool line = false;
	if (style.len && !may_tell(style))
		return (struct style_display){ false, false };
	while (style.len) {
		struct slice one = slice_first(style, slice_until(style, ";"));
		style = slice_skip(style, one.len + (one.len < style.len));
		while (one.len && ascii_is_space(one.data[0]))
			one = slice_skip(one, 1);
		struct slice value;
		const enum property property = one.len ? read_declaration(one, &value) : PROPERTIES;
		if (property == PROPERTIES)
			continue;
		hidden &= ~(1U << property);
		hidden |= (unsigned)((property == AWAY && is_far(value)) || (property == CLIP && is_nothing(value)))
			  << property;
		for (const struct known_value *v = values[property]; v->name; v++) {
			if (!slice_is(value, v->name))
				continue;
			hidden |= (unsigned)v->hides << property;
			line = property == DISPLAY ? v->line : line;
		}
	}
	const unsigned faint = hidden >> FONT_SIZE & 7, placed = hidden & 1U << POSITION;
	const bool unseen = hidden & (1U << DISPLAY | 1U << VISIBILITY) || faint & (faint - 1) ||
			    (placed && hidden & (1U << AWAY | 1U << CLIP));
	return (struct style_display){ unseen, line && !(hidden & 1U << FLOAT) };
}

bool display_hidden(struct slice value)
{
	return !slice_is(value, "until-found");
}

enum white_space display_class_space(struct slice value)
{
	static const struct {
		const char *word;
		enum white_space space;
	} spaces[] = {
		{ "whitespace-pre", WHITE_SPACE_KEPT },          { "whitespace-pre-wrap", WHITE_SPACE_KEPT },
		{ "whitespace-break-spaces", WHITE_SPACE_KEPT }, { "whitespace-pre-line", WHITE_SPACE_LINES },
		{ "whitespace-normal", WHITE_SPACE_COLLAPSES },  { "whitespace-nowrap", WHITE_SPACE_COLLAPSES }
	};
	enum white_space space = WHITE_SPACE_INHERITED;
	const uint8_t *const end = value.data + value.len;
	for (const uint8_t *p = value.data; p < end && (p = memchr(p, 'w', (size_t)(end - p))); p++) {
		struct slice word = slice_of(p, (size_t)(end - p));
		if (word.len < sizeof("whitespace-") || p[1] != 'h' || (p > value.data && !ascii_is_space(p[-1])))
			continue;
		word = slice_first(word, slice_until(word, " \t\n\f\r"));
		for (size_t i = 0; i < sizeof(spaces) / sizeof(*spaces); i++) {
			if (slice_is(word, spaces[i].word))
				space = spaces[i].space;
		}
	}
	return space;
}

/* Words of classes without what may be before them, "md:" or "d-md-". */
static const struct {
	const char *name;
	bool shows, line;
	char from; /* 't': of Tailwind alone, 'b': of Bootstrap alone */
} class_values[] = {
	{ "block", true, true, 0 },
	{ "flex", true, true, 0 },
	{ "grid", true, true, 0 },
	{ "inline", true, false, 0 },
	{ "inline-block", true, false, 0 },
	{ "inline-flex", true, false, 0 },
	{ "table", true, false, 0 },
	{ "table-cell", true, false, 0 },
	{ "table-row", true, false, 0 },
	{ "contents", true, false, 0 },
	{ "none", false, false, 'b' },
	{ "hidden", false, false, 't' },
	{ "display-none", false, false, 't' },
};

/* Reads a word: where it holds only for some screens, *some is set. Returns its row, or -1. */
static int read_class_word(struct slice word, bool *some)
{
	size_t at = word.len;
	char from = 't';
	while (at && word.data[at - 1] != ':')
		at--;
	*some = at > 0;
	word = slice_skip(word, at);
	if (word.len > 2 && word.data[0] == 'd' && word.data[1] == '-') {
		const size_t size = slice_until(slice_skip(word, 2), "-");
		word = slice_skip(word, 2);
		*some = size <= 3 && size < word.len && word.data[0] != 'i' && word.data[0] != 't';
		word = slice_skip(word, *some ? size + 1 : 0);
		from = 'b';
	}
	for (size_t i = 0; i < sizeof(class_values) / sizeof(*class_values); i++) {
		if (slice_is(word, class_values[i].name) && (!class_values[i].from || class_values[i].from == from))
			return (int)i;
	}
	return -1;
}

bool display_class_may(uint8_t first, size_t len)
{
	/* a bit for each length of words of the table that begin with this letter */
	static const uint32_t lengths[32] = { ['b' & 31] = 1 << 5,
					      ['d' & 31] = 1 << 6 | 1 << 7 | 1 << 12,
					      ['f' & 31] = 1 << 4,
					      ['g' & 31] = 1 << 4,
					      ['h' & 31] = 1 << 6 };
	return len < 32 && lengths[first & 31] >> len & 1;
}

struct style_display display_of_class(struct slice value)
{
	bool unseen = false, again = false, line = false, inside = false;
	for (size_t at = 0; at < value.len;) {
		const struct slice rest = slice_skip(value, at),
				   word = slice_first(rest, slice_until(rest, " \t\n\f\r"));
		bool some;
		const int row = read_class_word(word, &some);
		at += word.len + 1;
		if (row < 0)
			continue;
		unseen |= !some && !class_values[row].shows;
		again |= some && class_values[row].shows;
		line |= class_values[row].line;
		inside |= some && class_values[row].shows && !class_values[row].line;
	}
	return (struct style_display){ unseen && !again, line && !inside };
}
