/* SPDX-License-Identifier: MIT */
/* Names of up to eight bytes are compared as numbers, longer ones are searched for. */
#include "extract/structure/tag_facts.h"

#include "base/ascii.h"
#include "base/cpu.h"
#include "extract/html/attribute.h"
#include "extract/html/class_words.h"

/* Eight times the same byte. */
#define EACH(byte) (UINT64_C(0x0101010101010101) * (byte))

static const char *const prefixes[] = { "language",   "lang", "highlight-source", "highlight", "brush",
					"sourcecode", "prism" };

/* Returns whether what follows a prefix names a part of a page or a look of it, and no language. */
static bool names_a_part(struct slice name)
{
	static const char *const parts[] = { "area",     "block",    "body",   "box",    "code",    "container",
					     "content",  "dark",     "figure", "group",  "header",  "inner",
					     "item",     "light",    "line",   "lines",  "name",    "numbered",
					     "outer",    "picker",   "pre",    "panel",  "section", "select",
					     "selector", "switcher", "table",  "tabs",   "theme",   "title",
					     "toggle",   "toolbar",  "wrap",   "wrapper" };
	bool found = name.data[0] == '-' || name.data[0] == '_';
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts) && !found; i++) {
		const size_t len = strlen(parts[i]);
		/* "wrapper", "wrapper-dark", "wrapper__inner" */
		found = slice_is(slice_first(name, len), parts[i]) &&
			(name.len == len || name.data[len] == '-' || name.data[len] == '_');
	}
	return found;
}

/* Returns the number of a word, by its first bytes in lower case. */
static unsigned number_of(uint32_t first, size_t len)
{
	const uint32_t used = len < 4 ? ((uint32_t)1 << 8 * len) - 1 : ~(uint32_t)0;
	return ((first | 0x20202020U) & used) * 0x9E3779B1U >> 24;
}

/* Returns the bit of a length. */
static unsigned bit_of(size_t len)
{
	return len < 31 ? (unsigned)len : 31;
}

/* Notes lengths of words that begin as `word` does. */
static void note_word(struct class_reader *reader, const char *word, uint32_t lengths)
{
	const size_t len = strlen(word);
	const uint32_t first = (uint32_t)little_endian((const uint8_t *)word, len < 4 ? len : 4);
	reader->lengths[number_of(first, len)] |= lengths;
}

static void read_word(struct class_words *found, struct slice word, bool *brush)
{
	const unsigned meanings = class_word_meanings(word);
	if (*brush && !found->language.len) {
		size_t len = word.data[word.len - 1] == ';' ? word.len - 1 : word.len;
		found->language = slice_first(word, len);
	}
	*brush = slice_is(word, "brush:");
	found->meanings |= meanings;
	if (meanings & CLASS_LANGUAGE && !found->bare_language.len)
		found->bare_language = word;
	if (!(meanings & (CLASS_NO_LANGUAGE | CLASS_LANGUAGE)))
		found->others++;
	if (meanings)
		return;
	/* what follows "language-", "lang:" and the like, without a semicolon at its end */
	struct slice name = { 0 };
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes) && !name.len; i++) {
		size_t len = strlen(prefixes[i]);
		if (word.len <= len + 1 || (word.data[len] != '-' && word.data[len] != ':') ||
		    !slice_is(slice_first(word, len), prefixes[i]))
			continue;
		name = slice_skip(word, len + 1);
		name.len -= name.data[name.len - 1] == ';';
	}
	if (name.len && !found->language.len && !class_word_is_no_language(name) && !names_a_part(name))
		found->language = name;
	if (word.len >= 9 && slice_is(slice_first(word, 9), "highlight"))
		found->meanings |= CLASS_HIGHLIGHT;
}

/* Returns the length of the word at `at`, which white space ends, and eight bytes from there on can be read. */
static size_t word_length(const uint8_t *at)
{
	for (size_t len = 0;;) {
		const uint64_t bytes = little_endian_64(at + len);
		const uint64_t low = (bytes - EACH(0x21)) & ~bytes & EACH(0x80); /* up to ' ' */
		if (!low) {
			len += sizeof(bytes);
			continue;
		}
		len += (size_t)__builtin_ctzll(low) / 8;
		if (ascii_is_space(at[len]))
			return len;
		len++;
	}
}

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
	NAME(ATTR_NAME, 'n', 'a', 'm', 'e', 0, 0, 0, 0),
	NAME(ATTR_TEX, 'd', 'a', 't', 'a', '-', 't', 'e', 'x'),
};

static enum attr_kind kind_of_long(struct slice name)
{
	static const struct {
		const char *name;
		uint8_t len, sixth; /* letter */
		uint8_t kind;
	} names[] = {
#define LONG(name, kind) { name, sizeof(name) - 1, (uint8_t)(name)[5], kind }
		LONG("data-line-number", ATTR_LINE),   LONG("data-lang", ATTR_CODE_LANG),
		LONG("data-language", ATTR_CODE_LANG), LONG("data-enlighter-language", ATTR_CODE_LANG),
		LONG("data-footnote-ref", ATTR_NOTE),  LONG("data-math", ATTR_TEX),
		LONG("data-latex", ATTR_TEX),          LONG("data-formula", ATTR_TEX),
		LONG("data-equation", ATTR_TEX),       LONG("data-entry", ATTR_TEX),
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

#define BIT(name) ((uint32_t)1 << ATTR_##name)

#define BITS_OF_PICTURES (BIT(SRC) | BIT(ALT) | BIT(TITLE) | BIT(WIDTH) | BIT(HEIGHT))

/* What else is read of these elements. */
static const uint32_t attrs_of[HTML_TAGS_COUNT] = {
	[HTML_TAG_A] = BIT(HREF) | BIT(NOTE) | BIT(NAME) | BIT(ROLE),
	[HTML_TAG_BASE] = BIT(HREF),
	[HTML_TAG_CODE] = BIT(LANG),
	[HTML_TAG_DIR] = BIT(START),
	[HTML_TAG_DIV] = BIT(TEX),
	[HTML_TAG_IMG] = BITS_OF_PICTURES,
	[HTML_TAG_INPUT] = BIT(TYPE) | BIT(CHECKED) | BIT(DISABLED),
	[HTML_TAG_LI] = BIT(VALUE),
	[HTML_TAG_LINK] = BIT(HREF),
	[HTML_TAG_MATH] = BIT(DISPLAY) | BIT(ALTTEXT),
	[HTML_TAG_MENU] = BIT(START),
	[HTML_TAG_OL] = BIT(START),
	[HTML_TAG_OTHER] = BIT(ENCODING) | BIT(TEX) | BITS_OF_PICTURES, /* <amp-img> */
	[HTML_TAG_P] = BIT(TEX),
	[HTML_TAG_PRE] = BIT(LANG),
	[HTML_TAG_SCRIPT] = BIT(SRC) | BIT(TYPE),
	[HTML_TAG_SPAN] = BIT(TEX),
	[HTML_TAG_TABLE] = BIT(ROLE),
	[HTML_TAG_TD] = BIT(COLSPAN) | BIT(ROWSPAN) | BIT(LINE),
	[HTML_TAG_TH] = BIT(COLSPAN) | BIT(ROWSPAN) | BIT(LINE),
	[HTML_TAG_UL] = BIT(START),
};

_Static_assert(TAGS_SEEN == 1 << (64 - 58), "a slot for each number");

const struct tag_facts *tag_reader_read(struct tag_reader *reader, const struct html_tag_event *event)
{
	const struct slice source = event->source;
	const bool fits = source.len >= 8 && source.len <= TAG_SEEN_BYTES;
	size_t slot = TAGS_SEEN;
	if (fits) { /* a number: of two sources that differ it is mostly not the same */
		uint64_t sum = little_endian_64(source.data + source.len - 8);
		for (size_t i = 0; i + 8 < source.len; i += 8)
			sum = (sum ^ little_endian_64(source.data + i)) * MULTIPLIER;
		slot = (size_t)((sum ^ sum >> 32) * MULTIPLIER >> 58);
	}
	struct seen_tag *seen = &reader->seen[slot];
	struct tag_facts *facts = &seen->facts;
	if (fits && slice_equal(seen->source, source))
		return facts;
	seen->source = source;
	facts->has = 0;
	facts->words = (struct class_words){ 0 };
	const uint32_t wanted = ATTRS_OF_ALL | BIT(ID) | attrs_of[event->tag];
	struct html_attr_reader attrs = { .at = event->name.data + event->name.len,
					  .end = event->source.data + event->source.len };
	struct html_attr attr;
	if (event->name.len == HTML_TAG_NAME_MOST)
		attrs = html_attr_begin(event);
	attrs.limit = reader->limit;
	while (html_attr_next(&attrs, &attr)) {
		enum attr_kind kind = ATTR_KINDS;
		if (!attr.number)
			kind = kind_of_long(attr.name);
		else if (short_names[SLOT(attr.number)].number == attr.number)
			kind = short_names[SLOT(attr.number)].kind;
		if (kind == ATTR_KINDS || !((wanted & ~facts->has) >> kind & 1))
			continue;
		facts->has |= (uint32_t)1 << kind;
		facts->value[kind] = attr.value;
	}
	if (tag_facts_has(facts, ATTR_CLASS)) {
		/* few words are known: the others are only counted, by a copy that can be read beyond its end */
		struct class_words *found = &facts->words;
		struct class_reader *classes = &reader->classes;
		const struct slice value = facts->value[ATTR_CLASS];
		bool brush = false;
		memcpy(classes->value, value.data, value.len);
		memset(classes->value + value.len, ' ', 8);
		for (size_t at = 0; at < value.len;) {
			const uint8_t *word = classes->value + at;
			const size_t len = word_length(word);
			if (len && !brush &&
			    !(classes->lengths[number_of(little_endian_32(word), len)] >> bit_of(len) & 1))
				found->others++;
			else if (len)
				read_word(found, slice_of(value.data + at, len), &brush);
			at += len + 1;
		}
		if (found->language.len && class_word_is_no_language(found->language))
			found->language.len = 0;
	}
	if (!facts->words.meanings && !facts->words.language.len)
		facts->has &= ~((uint32_t)1 << ATTR_CLASS);
	return facts;
}

const struct tag_facts tag_facts_none;

void tag_reader_init(struct tag_reader *reader)
{
	for (size_t i = 0; i < CLASS_WORDS; i++)
		note_word(&reader->classes, class_word_table[i].word,
			  (uint32_t)1 << bit_of(strlen(class_word_table[i].word)));
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++)
		note_word(&reader->classes, prefixes[i], ~(uint32_t)0 << strlen(prefixes[i]));
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

struct style_display tag_facts_display(const struct tag_facts *facts, enum html_tag tag)
{
	struct style_display shown = display_of_style(tag_facts_value(facts, ATTR_STYLE));
	if (facts->words.meanings & (CLASS_HIDDEN | CLASS_BLOCK) && !html_tag_is(tag, TAG_SPLITS)) {
		const struct style_display by_class = display_of_class(tag_facts_value(facts, ATTR_CLASS));
		shown.unseen |= by_class.unseen;
		shown.line |= by_class.line;
	}
	shown.unseen |= tag_facts_has(facts, ATTR_HIDDEN) && display_hidden(tag_facts_value(facts, ATTR_HIDDEN));
	return shown;
}
