/* SPDX-License-Identifier: MIT */
/* An emoji says so by its text, its class or its address. */
#include "extract/html/picture_text.h"

#define ALT HTML_ATTR_NUMBER('a', 'l', 't', 0, 0, 0, 0, 0)
#define SRC HTML_ATTR_NUMBER('s', 'r', 'c', 0, 0, 0, 0, 0)
#define CLASS HTML_ATTR_NUMBER('c', 'l', 'a', 's', 's', 0, 0, 0)

/* Returns whether text is nothing but characters that are pictures, with their selectors and joiners. */
static bool is_pictographs(struct slice text)
{
	size_t found = 0;
	for (size_t i = 0; i < text.len;) {
		const uint8_t *c = text.data + i;
		const size_t left = text.len - i;
		if (c[0] == 0xF0 && left >= 4 && c[1] == 0x9F) { /* U+1F000 to U+1FFFF */
			found++;
			i += 4;
		} else if (c[0] == 0xE2 && left >= 3 && c[1] >= 0x98 && c[1] <= 0x9E) { /* U+2600 to U+27BF */
			found++;
			i += 3;
		} else if ((c[0] == 0xEF && left >= 3 && c[1] == 0xB8 && c[2] == 0x8F) ||
			   (c[0] == 0xE2 && left >= 3 && c[1] == 0x80 && c[2] == 0x8D)) {
			i += 3;
		} else {
			return false;
		}
	}
	return found != 0;
}

/* Returns whether text is letters that are a face: ":-)", ";D". */
static bool is_face(struct slice text)
{
	enum { MOST = 4 };
	const uint8_t eyes = text.data[0];
	return text.len >= 2 && text.len <= MOST && (eyes == ':' || eyes == ';' || eyes == '=') &&
	       text.data[text.len - 1] != eyes;
}

static bool names_emoji(struct slice value)
{
	static const char *const signs[] = { "emoji", "smiley", "smilie", "emoticon", "emote", "joypixels" };
	bool found = false;
	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs) && !found; i++)
		found = slice_has(value, signs[i]);
	return found;
}

static struct slice alt_of(struct html_attr_reader attrs)
{
	struct html_attr attr;
	while (html_attr_next(&attrs, &attr)) {
		if (attr.number == ALT)
			return attr.value;
	}
	return slice_of(NULL, 0);
}

struct slice picture_text(struct html_attr_reader attrs, uint8_t *letter)
{
	enum { CHARACTER_BYTES = 32 };
	const struct slice alt = alt_of(attrs);
	*letter = alt.len == 1 && ascii_lower(alt.data[0]) != alt.data[0] ? alt.data[0] : 0;
	/* not the word for it: ":fire:", ":-)" */
	if (alt.len == 0 || alt.len > CHARACTER_BYTES || (ascii_is_alpha(alt.data[0]) && alt.len > 2) ||
	    slice_until(alt, " \t\n\f\r") < alt.len)
		return slice_of(NULL, 0);
	bool found = is_pictographs(alt) || is_face(alt);
	struct html_attr attr;
	while (!found && html_attr_next(&attrs, &attr))
		found = (attr.number == CLASS || attr.number == SRC) && names_emoji(attr.value);
	return slice_first(alt, found ? alt.len : 0);
}
