/* SPDX-License-Identifier: MIT */
/*
 * A style is read declaration by declaration, without regard to case, white space and !important; the last one of a
 * property counts. Comments and escapes are not read. Classes are those of Tailwind.
 */
#include "extract/html/display.h"

#include <string.h>

#include "base/ascii.h"

enum property { DISPLAY, VISIBILITY, FONT_SIZE, OPACITY, COLOR, POSITION, LEFT, PROPERTIES };

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

/* Sets the value of a declaration that begins with its property's name, and returns the property. */
static enum property read_declaration(struct slice declaration, struct slice *value)
{
	static const struct {
		char name[sizeof("visibility")];
		uint8_t property;
	} by_letter[32] = { ['d' & 31] = { "display", DISPLAY },
			    ['v' & 31] = { "visibility", VISIBILITY },
			    ['f' & 31] = { "font-size", FONT_SIZE },
			    ['o' & 31] = { "opacity", OPACITY },
			    ['c' & 31] = { "color", COLOR },
			    ['p' & 31] = { "position", POSITION },
			    ['l' & 31] = { "left", LEFT } };
	const unsigned letter = declaration.data[0] & 31;
	/* most declarations are of other properties */
	if (!by_letter[letter].name[0])
		return PROPERTIES;
	const size_t colon = slice_until(declaration, ":");
	if (colon == declaration.len || !slice_is(slice_trim(slice_first(declaration, colon)), by_letter[letter].name))
		return PROPERTIES;
	*value = slice_skip(declaration, colon + 1);
	*value = slice_trim(slice_first(*value, slice_until(*value, "!")));
	return (enum property)by_letter[letter].property;
}

/*
 * Each of these properties but color has a letter of these, and color alone hides nothing; a place far from the screen
 * begins with -9 or -1. Most styles have none.
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
	unsigned hidden = 0; /* one bit for each property that hides */
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
		hidden |= (unsigned)(property == LEFT && is_far(value)) << LEFT;
		for (const struct known_value *v = values[property]; v->name; v++) {
			if (!slice_is(value, v->name))
				continue;
			hidden |= (unsigned)v->hides << property;
			line = property == DISPLAY ? v->line : line;
		}
	}
	const unsigned faint = hidden >> FONT_SIZE & 7, away = 1U << POSITION | 1U << LEFT;
	const bool unseen =
		hidden & (1U << DISPLAY | 1U << VISIBILITY) || faint & (faint - 1) || (hidden & away) == away;
	return (struct style_display){ unseen, line };
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

/* Returns whether a class shows its element from some size of the screen on: "md:block", "d-md-flex". */
static bool shows_again(struct slice word)
{
	static const char *const shown[] = { "block", "flex",        "grid",       "inline",    "inline-block",
					     "table", "inline-flex", "table-cell", "table-row", "contents" };
	size_t at = word.len;
	while (at && word.data[at - 1] != ':')
		at--;
	if (at == 0 && word.len > 2 && word.data[0] == 'd' && word.data[1] == '-')
		return !slice_is(word, "d-none");
	for (size_t i = 0; at && i < sizeof(shown) / sizeof(*shown); i++) {
		if (slice_is(slice_skip(word, at), shown[i]))
			return true;
	}
	return false;
}

bool display_class_hides(struct slice value)
{
	bool hides = false, may = false; /* most have neither word */
	const uint8_t *const end = value.data + value.len;
	for (const uint8_t *p = value.data; !may && p < end && (p = memchr(p, 'd', (size_t)(end - p))); p++)
		may = (end - p >= 4 && memcmp(p, "dden", 4) == 0) || (end - p >= 6 && memcmp(p, "d-none", 6) == 0);
	for (size_t at = 0; may && at < value.len;) {
		const struct slice rest = slice_skip(value, at),
				   word = slice_first(rest, slice_until(rest, " \t\n\f\r"));
		if (shows_again(word))
			return false;
		hides |= slice_is(word, "hidden") || slice_is(word, "d-none");
		at += word.len + 1;
	}
	return hides;
}
