/* SPDX-License-Identifier: MIT */
/*
 * A style is read declaration by declaration, without regard to case, white space and !important; the last one of a
 * property counts. Comments and escapes are not read. Classes are those of Tailwind and
 * Bootstrap.
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
	return (struct style_display){ unseen, line && !placed && !(hidden & 1U << FLOAT) };
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

/*
 * Words of classes without what may be before them, "md:" or "d-md-", each at the place of its first letter and its
 * length. Compilers warn of two at one place.
 */
#define PLACE(letter, len) (((letter) + 2 * (len)) % 32)
#define ROW(letter, word, shows, line, from) \
	[PLACE(letter, sizeof(word) - 1)] = { word, sizeof(word) - 1, shows, line, from }

static const struct class_value {
	const char *name;
	uint8_t len;
	bool shows, line;
	char from; /* 't': of Tailwind alone, 'b': of Bootstrap alone */
} class_values[32] = {
	ROW('b', "block", true, true, 0),
	ROW('f', "flex", true, true, 0),
	ROW('g', "grid", true, true, 0),
	ROW('i', "inline", true, false, 0),
	ROW('i', "inline-block", true, false, 0),
	ROW('i', "inline-flex", true, false, 0),
	ROW('t', "table", true, false, 0),
	ROW('t', "table-cell", true, false, 0),
	ROW('t', "table-row", true, false, 0),
	ROW('c', "contents", true, false, 0),
	ROW('n', "none", false, false, 'b'),
	ROW('h', "hidden", false, false, 't'),
	ROW('d', "display-none", false, false, 't'),
};

#undef ROW

/* Returns what a word says whose last ':' is before `name`; NULL: nothing. *some: it holds only for some screens. */
static const struct class_value *read_class_word(struct slice word, struct slice name, bool *some)
{
	char from = 't';
	*some = name.len < word.len;
	if (name.len > 2 && name.data[0] == 'd' && name.data[1] == '-') {
		name = slice_skip(name, 2);
		const size_t size = slice_until(name, "-");
		*some = size <= 3 && size < name.len;
		name = slice_skip(name, *some ? size + 1 : 0);
		from = 'b';
	}
	if (!name.len)
		return NULL;
	const struct class_value *const v = &class_values[PLACE(name.data[0], name.len)];
	return name.len == v->len && memcmp(name.data, v->name, v->len) == 0 && (!v->from || v->from == from) ? v
													      : NULL;
}

unsigned display_class_may(const uint8_t *word, size_t len)
{
	enum { LINE = DISPLAY_MAY_LINE, BOTH = DISPLAY_MAY_HIDE | DISPLAY_MAY_LINE };
	static const uint8_t may[32][16] = {
		['b' & 31] = { [5] = LINE }, ['d' & 31] = { [6] = BOTH, [7] = LINE, [12] = DISPLAY_MAY_HIDE },
		['f' & 31] = { [4] = LINE }, ['g' & 31] = { [4] = LINE },
		['h' & 31] = { [6] = BOTH }, /* with "md:block" it is a line */
	};
	const unsigned found = len < 16 ? may[word[0] & 31][len] : 0;
	/* "h-full" is no word of display */
	const bool hides = found & DISPLAY_MAY_HIDE;
	return hides ? (word[1] == 'i' || (word[0] | 0x20) == 'd' ? found : 0) : found;
}

bool display_class_may_hide(struct slice words)
{
	bool may = false;
	const uint8_t *const end = words.data + words.len;
	for (const uint8_t *p = words.data; !may && p < end && (p = memchr(p, 'd', (size_t)(end - p))); p++)
		may = end - p >= 4 &&
		      (memcmp(p, "dden", 4) == 0 || memcmp(p, "d-no", 4) == 0 || memcmp(p, "disp", 4) == 0);
	return may;
}

struct style_display display_of_class(struct slice value)
{
	bool unseen = false, again = false, line = false, inside = false;
	const uint8_t *const end = value.data + value.len;
	for (const uint8_t *p = value.data; p < end; p++) {
		const uint8_t *const word = p, *name = p;
		for (; p < end && !ascii_is_space(*p); p++)
			name = *p == ':' ? p + 1 : name;
		bool some;
		const struct class_value *const v =
			read_class_word(slice_of(word, (size_t)(p - word)), slice_of(name, (size_t)(p - name)), &some);
		if (!v)
			continue;
		unseen |= !some && !v->shows;
		again |= some && v->shows;
		line |= v->line;
		inside |= some && v->shows && !v->line;
	}
	/* what is shown by turns with something else, as with an excerpt of it */
	const bool turns = unseen && slice_has(value, "toggl");
	return (struct style_display){ unseen && !again && !turns, line && !inside };
}
