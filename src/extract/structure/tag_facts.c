/* SPDX-License-Identifier: MIT */
/* Names of up to eight bytes are compared as numbers, longer ones are searched for. */
#include "extract/structure/tag_facts.h"

#include "base/ascii.h"

static enum attr_kind kind_of_short(uint64_t number)
{
#define NAME(a, b, c, d, e, f, g, h) HTML_ATTR_NUMBER(a, b, c, d, e, f, g, h)
	switch (number) {
	case NAME('c', 'l', 'a', 's', 's', 0, 0, 0):
		return ATTR_CLASS;
	case NAME('s', 't', 'y', 'l', 'e', 0, 0, 0):
		return ATTR_STYLE;
	case NAME('h', 'i', 'd', 'd', 'e', 'n', 0, 0):
		return ATTR_HIDDEN;
	case NAME('h', 'r', 'e', 'f', 0, 0, 0, 0):
		return ATTR_HREF;
	case NAME('i', 'd', 0, 0, 0, 0, 0, 0):
		return ATTR_ID;
	case NAME('s', 'r', 'c', 0, 0, 0, 0, 0):
		return ATTR_SRC;
	case NAME('a', 'l', 't', 0, 0, 0, 0, 0):
		return ATTR_ALT;
	case NAME('t', 'i', 't', 'l', 'e', 0, 0, 0):
		return ATTR_TITLE;
	case NAME('w', 'i', 'd', 't', 'h', 0, 0, 0):
		return ATTR_WIDTH;
	case NAME('h', 'e', 'i', 'g', 'h', 't', 0, 0):
		return ATTR_HEIGHT;
	case NAME('d', 'a', 't', 'a', '-', 's', 'r', 'c'):
		return ATTR_LAZY_SRC;
	case NAME('s', 'r', 'c', 's', 'e', 't', 0, 0):
		return ATTR_SRCSET;
	case NAME('t', 'y', 'p', 'e', 0, 0, 0, 0):
		return ATTR_TYPE;
	case NAME('c', 'h', 'e', 'c', 'k', 'e', 'd', 0):
		return ATTR_CHECKED;
	case NAME('d', 'i', 's', 'a', 'b', 'l', 'e', 'd'):
		return ATTR_DISABLED;
	case NAME('s', 't', 'a', 'r', 't', 0, 0, 0):
		return ATTR_START;
	case NAME('v', 'a', 'l', 'u', 'e', 0, 0, 0):
		return ATTR_VALUE;
	case NAME('r', 'o', 'l', 'e', 0, 0, 0, 0):
		return ATTR_ROLE;
	case NAME('c', 'o', 'l', 's', 'p', 'a', 'n', 0):
		return ATTR_COLSPAN;
	case NAME('r', 'o', 'w', 's', 'p', 'a', 'n', 0):
		return ATTR_ROWSPAN;
	case NAME('l', 'a', 'n', 'g', 0, 0, 0, 0):
		return ATTR_LANG;
	case NAME('d', 'i', 's', 'p', 'l', 'a', 'y', 0):
		return ATTR_DISPLAY;
	case NAME('a', 'l', 't', 't', 'e', 'x', 't', 0):
		return ATTR_ALTTEXT;
	case NAME('e', 'n', 'c', 'o', 'd', 'i', 'n', 'g'):
		return ATTR_ENCODING;
	default:
		return ATTR_KINDS;
	}
#undef NAME
}

static enum attr_kind kind_of_long(struct slice name)
{
	static const struct {
		const char *name;
		enum attr_kind kind;
	} names[] = {
		{ "aria-hidden", ATTR_ARIA_HIDDEN }, { "data-lang", ATTR_CODE_LANG },
		{ "data-language", ATTR_CODE_LANG }, { "data-enlighter-language", ATTR_CODE_LANG },
		{ "data-original", ATTR_LAZY_SRC },  { "data-lazy-src", ATTR_LAZY_SRC },
		{ "data-orig-file", ATTR_LAZY_SRC }, { "data-srcset", ATTR_SRCSET },
		{ "data-footnote-ref", ATTR_NOTE },
	};
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (slice_is(name, names[i].name))
			return names[i].kind;
	}
	return ATTR_KINDS;
}

void tag_facts_read(struct tag_facts *facts, struct html_attr_reader *attrs, struct class_cache *cache)
{
	struct html_attr attr;
	facts->has = 0;
	facts->words = (struct class_words){ 0 };
	while (html_attr_next(attrs, &attr)) {
		const enum attr_kind kind = attr.number ? kind_of_short(attr.number) : kind_of_long(attr.name);
		if (kind == ATTR_KINDS || facts->has >> kind & 1)
			continue;
		facts->has |= (uint32_t)1 << kind;
		facts->value[kind] = attr.value;
	}
	if (tag_facts_has(facts, ATTR_CLASS))
		facts->words = class_words_read(cache, facts->value[ATTR_CLASS]);
}

int tag_facts_number(const struct tag_facts *facts, enum attr_kind kind, int least, int most, int other)
{
	struct slice s = slice_trim(tag_facts_value(facts, kind));
	bool minus = s.len && s.data[0] == '-';
	s = slice_skip(s, minus);
	if (s.len == 0 || s.len > 8)
		return other;
	int number = 0;
	for (size_t i = 0; i < s.len; i++) {
		if (!ascii_is_digit(s.data[i]))
			return other;
		number = number * 10 + (s.data[i] - '0');
	}
	number = minus ? -number : number;
	return number < least ? other : number > most ? most : number;
}

/* Returns whether a style sets display to none. */
static bool is_display_none(struct slice style)
{
	static const char wanted[] = "display:none";
	size_t found = 0;
	for (size_t i = 0; i < style.len && wanted[found]; i++) {
		uint8_t c = ascii_lower(style.data[i]);
		if (ascii_is_space(c))
			continue;
		if (c != (uint8_t)wanted[found])
			found = 0;
		found += c == (uint8_t)wanted[found];
	}
	return wanted[found] == '\0';
}

bool tag_facts_hidden(const struct tag_facts *facts)
{
	return tag_facts_has(facts, ATTR_HIDDEN) ||
	       (tag_facts_has(facts, ATTR_STYLE) && is_display_none(facts->value[ATTR_STYLE]));
}
