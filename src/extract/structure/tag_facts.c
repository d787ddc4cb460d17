/* SPDX-License-Identifier: MIT */
/* Names of up to eight bytes are compared as numbers, longer ones are searched for. */
#include "extract/structure/tag_facts.h"

#include "base/ascii.h"
#include "base/little_endian.h"
#include "extract/html/attribute_next.h"

/* The upper bits of a name's number times this are different for all names here (the compiler warns if not). */
#define MULTIPLIER UINT64_C(0x48beab134da98f1d)
#define SLOT(number) ((unsigned)((number)*MULTIPLIER >> 58))
#define NAME(kind, ...) [SLOT(HTML_ATTR_NUMBER(__VA_ARGS__))] = { HTML_ATTR_NUMBER(__VA_ARGS__), kind }

static const struct {
	uint64_t number;
	enum attr_kind kind;
} short_names[64] = {
	NAME(ATTR_CLASS, 'c', 'l', 'a', 's', 's', 0, 0, 0),
	NAME(ATTR_STYLE, 's', 't', 'y', 'l', 'e', 0, 0, 0),
	NAME(ATTR_HIDDEN, 'h', 'i', 'd', 'd', 'e', 'n', 0, 0),
	NAME(ATTR_HREF, 'h', 'r', 'e', 'f', 0, 0, 0, 0),
	NAME(ATTR_ID, 'i', 'd', 0, 0, 0, 0, 0, 0),
	NAME(ATTR_SRC, 's', 'r', 'c', 0, 0, 0, 0, 0),
	NAME(ATTR_ALT, 'a', 'l', 't', 0, 0, 0, 0, 0),
	NAME(ATTR_TITLE, 't', 'i', 't', 'l', 'e', 0, 0, 0),
	NAME(ATTR_WIDTH, 'w', 'i', 'd', 't', 'h', 0, 0, 0),
	NAME(ATTR_HEIGHT, 'h', 'e', 'i', 'g', 'h', 't', 0, 0),
	NAME(ATTR_LAZY_SRC, 'd', 'a', 't', 'a', '-', 's', 'r', 'c'),
	NAME(ATTR_SRCSET, 's', 'r', 'c', 's', 'e', 't', 0, 0),
	NAME(ATTR_TYPE, 't', 'y', 'p', 'e', 0, 0, 0, 0),
	NAME(ATTR_CHECKED, 'c', 'h', 'e', 'c', 'k', 'e', 'd', 0),
	NAME(ATTR_DISABLED, 'd', 'i', 's', 'a', 'b', 'l', 'e', 'd'),
	NAME(ATTR_START, 's', 't', 'a', 'r', 't', 0, 0, 0),
	NAME(ATTR_VALUE, 'v', 'a', 'l', 'u', 'e', 0, 0, 0),
	NAME(ATTR_ROLE, 'r', 'o', 'l', 'e', 0, 0, 0, 0),
	NAME(ATTR_COLSPAN, 'c', 'o', 'l', 's', 'p', 'a', 'n', 0),
	NAME(ATTR_ROWSPAN, 'r', 'o', 'w', 's', 'p', 'a', 'n', 0),
	NAME(ATTR_LANG, 'l', 'a', 'n', 'g', 0, 0, 0, 0),
	NAME(ATTR_DISPLAY, 'd', 'i', 's', 'p', 'l', 'a', 'y', 0),
	NAME(ATTR_ALTTEXT, 'a', 'l', 't', 't', 'e', 'x', 't', 0),
	NAME(ATTR_ENCODING, 'e', 'n', 'c', 'o', 'd', 'i', 'n', 'g'),
};

static enum attr_kind kind_of_long(struct slice name)
{
	static const struct {
		const char *name;
		uint8_t len, sixth; /* letter */
		uint8_t kind;
	} names[] = {
#define LONG(name, kind) { name, sizeof(name) - 1, (uint8_t)(name)[5], kind }
		LONG("data-lang", ATTR_CODE_LANG),
		LONG("data-language", ATTR_CODE_LANG),
		LONG("data-enlighter-language", ATTR_CODE_LANG),
		LONG("data-original", ATTR_LAZY_SRC),
		LONG("data-lazy-src", ATTR_LAZY_SRC),
		LONG("data-orig-file", ATTR_LAZY_SRC),
		LONG("data-srcset", ATTR_SRCSET),
		LONG("data-footnote-ref", ATTR_NOTE),
#undef LONG
	};
	/* most are other data of scripts */
	const uint8_t sixth = name.data[5] | 0x20;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (names[i].len == name.len && names[i].sixth == sixth && slice_is(name, names[i].name))
			return (enum attr_kind)names[i].kind;
	}
	return ATTR_KINDS;
}

static enum attr_kind kind_of(const struct html_attr *attr)
{
	if (!attr->number)
		return kind_of_long(attr->name);
	const unsigned slot = SLOT(attr->number);
	return short_names[slot].number == attr->number ? short_names[slot].kind : ATTR_KINDS;
}

#define BIT(name) ((uint32_t)1 << ATTR_##name)

/* What else is read of these elements. */
static const uint32_t attrs_of[HTML_TAGS_COUNT] = {
	[HTML_TAG_A] = BIT(HREF) | BIT(NOTE),
	[HTML_TAG_BASE] = BIT(HREF),
	[HTML_TAG_CODE] = BIT(LANG),
	[HTML_TAG_DIR] = BIT(START),
	[HTML_TAG_IMG] = BIT(SRC) | BIT(ALT) | BIT(TITLE) | BIT(WIDTH) | BIT(HEIGHT) | BIT(LAZY_SRC) | BIT(SRCSET),
	[HTML_TAG_INPUT] = BIT(TYPE) | BIT(CHECKED) | BIT(DISABLED),
	[HTML_TAG_LI] = BIT(ID) | BIT(VALUE),
	[HTML_TAG_LINK] = BIT(HREF),
	[HTML_TAG_MATH] = BIT(DISPLAY) | BIT(ALTTEXT),
	[HTML_TAG_MENU] = BIT(START),
	[HTML_TAG_OL] = BIT(START),
	[HTML_TAG_OTHER] = BIT(ENCODING),
	[HTML_TAG_PRE] = BIT(LANG),
	[HTML_TAG_SCRIPT] = BIT(SRC) | BIT(TYPE),
	[HTML_TAG_TABLE] = BIT(ROLE),
	[HTML_TAG_TD] = BIT(COLSPAN) | BIT(ROWSPAN),
	[HTML_TAG_TH] = BIT(COLSPAN) | BIT(ROWSPAN),
	[HTML_TAG_UL] = BIT(START),
};

static inline void take(struct tag_facts *facts, uint32_t wanted, const struct html_attr *attr)
{
	const enum attr_kind kind = kind_of(attr);
	if (kind == ATTR_KINDS || !((wanted & ~facts->has) >> kind & 1))
		return;
	facts->has |= (uint32_t)1 << kind;
	facts->value[kind] = attr->value;
}

/* Returns a reader at the first attribute of a start tag. */
static struct html_attr_reader attrs_of_event(const struct html_tag_event *event, const uint8_t *limit)
{
	struct html_attr_reader attrs = { .at = event->name.data + event->name.len,
					  .end = event->source.data + event->source.len };
	if (event->name.len == HTML_TAG_NAME_MOST)
		attrs = html_attr_begin(event);
	attrs.limit = limit;
	return attrs;
}

static void read_facts(struct tag_reader *reader, const struct html_tag_event *event, struct tag_facts *facts)
{
	const uint32_t wanted = ATTRS_OF_ALL | attrs_of[event->tag];
	struct html_attr_reader attrs = attrs_of_event(event, reader->limit);
	struct html_attr attr;
	facts->has = 0;
	facts->words = (struct class_words){ 0 };
	while (html_attr_next(&attrs, &attr))
		take(facts, wanted, &attr);
	if (!tag_facts_has(facts, ATTR_CLASS))
		return;
	facts->words = class_words_read(&reader->classes, facts->value[ATTR_CLASS]);
	if (!facts->words.meanings && !facts->words.language.len)
		facts->has &= ~((uint32_t)1 << ATTR_CLASS);
}

/* Returns a number for a tag's source of eight bytes or more: of two that differ it is mostly not the same. */
static size_t slot_of(struct slice source)
{
	uint64_t sum = little_endian_64(source.data + source.len - 8);
	for (size_t i = 0; i + 8 < source.len; i += 8)
		sum = (sum ^ little_endian_64(source.data + i)) * MULTIPLIER;
	return (size_t)((sum ^ sum >> 32) * MULTIPLIER >> 58);
}

_Static_assert(TAGS_SEEN == 1 << (64 - 58), "a slot for each number");

const struct tag_facts *tag_reader_read(struct tag_reader *reader, const struct html_tag_event *event)
{
	const struct slice source = event->source;
	const bool fits = source.len >= 8 && source.len <= TAG_SEEN_BYTES;
	struct seen_tag *seen = &reader->seen[fits ? slot_of(source) : TAGS_SEEN];
	if (fits && slice_equal(seen->source, source))
		return &seen->facts;
	seen->source = source;
	read_facts(reader, event, &seen->facts);
	return &seen->facts;
}

const struct tag_facts tag_facts_none;

void tag_reader_init(struct tag_reader *reader)
{
	class_reader_init(&reader->classes);
}

void tag_reader_reset(struct tag_reader *reader, const uint8_t *limit)
{
	reader->limit = limit;
	for (size_t i = 0; i < TAGS_SEEN; i++)
		reader->seen[i].source.len = 0;
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
	if (slice_until(style, "y") == style.len && slice_until(style, "Y") == style.len)
		return false;
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
