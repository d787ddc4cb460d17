/* SPDX-License-Identifier: MIT */
/*
 * A style is read declaration by declaration, without regard to case, white space and !important; the last one of a
 * property counts. Comments, escapes and what style sheets say are not read.
 *
 * Example: "Display : none; display:block" shows its element.
 */
#include "extract/html/unseen.h"

#include "base/ascii.h"

static const struct {
	const char *property, *value;
} hides[] = {
	{ "display", "none" },  { "visibility", "hidden" }, { "visibility", "collapse" }, { "font-size", "0" },
	{ "font-size", "0px" }, { "opacity", "0" },         { "color", "transparent" },
};

/* Bits of properties: those that hide alone, and those of which two are needed. */
enum { DISPLAY = 1, VISIBILITY = 2, FONT_SIZE = 4, OPACITY = 8, COLOR = 16 };

static const unsigned bits[] = { DISPLAY, VISIBILITY, VISIBILITY, FONT_SIZE, FONT_SIZE, OPACITY, COLOR };

static struct slice trim(struct slice s)
{
	while (s.len && ascii_is_space(s.data[0]))
		s = slice_skip(s, 1);
	while (s.len && ascii_is_space(s.data[s.len - 1]))
		s.len--;
	return s;
}

bool unseen_style(struct slice style)
{
	unsigned hidden = 0;
	while (style.len) {
		struct slice one = slice_first(style, slice_until(style, ";"));
		style = slice_skip(style, one.len < style.len ? one.len + 1 : one.len);
		while (one.len && ascii_is_space(one.data[0]))
			one = slice_skip(one, 1);
		/* most declarations are of other properties */
		const uint8_t first = one.len ? one.data[0] | 0x20 : 0;
		const size_t colon = slice_until(one, ":");
		if ((first != 'd' && first != 'v' && first != 'f' && first != 'o' && first != 'c') || colon == one.len)
			continue;
		const struct slice property = trim(slice_first(one, colon));
		const struct slice value =
			trim(slice_first(slice_skip(one, colon + 1), slice_until(slice_skip(one, colon + 1), "!")));
		unsigned known = 0, set = 0;
		for (size_t i = 0; i < sizeof(hides) / sizeof(*hides); i++) {
			if (!slice_is(property, hides[i].property))
				continue;
			known |= bits[i];
			set |= slice_is(value, hides[i].value) ? bits[i] : 0;
		}
		hidden = (hidden & ~known) | set;
	}
	const unsigned faint = hidden & (FONT_SIZE | OPACITY | COLOR);
	return hidden & (DISPLAY | VISIBILITY) || faint & (faint - 1);
}

bool unseen_hidden(struct slice value)
{
	return !slice_is(value, "until-found");
}
