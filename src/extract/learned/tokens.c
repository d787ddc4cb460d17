#include "extract/learned/tokens.h"

#include "base/ascii.h"
#include "base/hash.h"

/* What is read of one value: a page with a million classes costs no more than a page with twelve. */
enum { WORDS_OF_VALUE = 12, LONGEST_WORD = 60, SHORTEST_PART = 3, LONGEST_PART = 19 };

/* Kinds of attribute; they keep equal words of different attributes apart. */
enum attr_kind { ATTR_NONE, ATTR_CLASS = 'c', ATTR_ID = 'i', ATTR_ROLE = 'r', ATTR_INLINE = '~' };

enum { FNV_PRIME = 16777619 };

static int32_t add_token(const struct token_sink *sink, uint32_t h)
{
	h ^= h >> 15;
	h *= 0x85ebca6bU;
	h ^= h >> 13;
	h &= TOKEN_COUNT - 1;
	if (sink->seen)
		sink->seen(sink->arg, h);
	return sink->weights[h];
}

/* The word as a whole, and its parts: cut before and behind '-', '_', ':' and digits, and before a capital after a small. */
static int32_t add_word(const struct token_sink *sink, uint32_t kind, struct slice word)
{
	int32_t score = 0;
	uint32_t whole = (uint32_t)HASH_FNV32_START ^ (kind * 977U), part = (uint32_t)HASH_FNV32_START ^ 0x5555U;
	size_t part_len = 0;
	uint8_t before = 0;
	for (size_t i = 0; i < word.len; i++) {
		uint8_t c = word.data[i], lower = ascii_lower(c);
		bool digit = ascii_is_digit(c);
		bool divider = digit || c == '-' || c == '_' || c == ':';
		if (!digit || !ascii_is_digit(before))
			whole = (whole ^ (digit ? '0' : lower)) * FNV_PRIME;
		if (divider || (c != lower && before >= 'a' && before <= 'z')) {
			if (part_len >= SHORTEST_PART && part_len <= LONGEST_PART)
				score += add_token(sink, part);
			part = (uint32_t)HASH_FNV32_START ^ 0x5555U;
			part_len = 0;
		}
		if (!divider) {
			part = (part ^ lower) * FNV_PRIME;
			part_len++;
		}
		before = c;
	}
	if (part_len >= SHORTEST_PART && part_len <= LONGEST_PART)
		score += add_token(sink, part);
	return score + add_token(sink, whole);
}

static struct slice next_word(struct slice *rest)
{
	while (rest->len && rest->data[0] <= ' ')
		*rest = slice_skip(*rest, 1);
	size_t n = 0;
	while (n < rest->len && rest->data[n] > ' ')
		n++;
	struct slice word = slice_of(rest->data, n < LONGEST_WORD ? n : LONGEST_WORD);
	*rest = slice_skip(*rest, n);
	return word;
}

static int32_t add_value(const struct token_sink *sink, uint32_t kind, struct slice value)
{
	int32_t score = 0;
	for (int i = 0; i < WORDS_OF_VALUE; i++) {
		struct slice word = next_word(&value);
		if (word.len == 0)
			break;
		score += add_word(sink, kind, word);
	}
	return score;
}

static uint32_t hash_first_word(struct slice value)
{
	struct slice word = next_word(&value);
	uint32_t h = HASH_FNV32_START;
	for (size_t i = 0; i < word.len; i++) {
		if (!ascii_is_digit(word.data[i]))
			h = (h ^ word.data[i]) * FNV_PRIME;
	}
	return word.len ? h : 0;
}

/* style="display: none" */
static bool style_hides(struct slice style)
{
	static const char name[] = "display";
	for (; style.len > sizeof name - 1; style = slice_skip(style, 1)) {
		if (!slice_is(slice_of(style.data, sizeof name - 1), name))
			continue;
		style = slice_skip(style, sizeof name - 1);
		while (style.len && (style.data[0] == ':' || style.data[0] == ' '))
			style = slice_skip(style, 1);
		if (style.len >= 4 && slice_is(slice_of(style.data, 4), "none"))
			return true;
		if (style.len == 0)
			return false;
	}
	return false;
}

/* data- attributes in which today's frameworks tell what an element is, where classes are hashes. */
static bool data_names(struct slice name)
{
	static const char *const names[] = { "data-testid", "data-component", "data-module", "data-role", "data-qa",
		"data-type", "data-block", "data-name", "data-test" };
	if (name.len < 7 || (name.data[0] | 0x20) != 'd' || (name.data[4] != '-'))
		return false;
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		if (slice_is(name, names[i]))
			return true;
	}
	return false;
}

static enum attr_kind kind_of(struct slice name)
{
	switch (name.len) {
	case 2:
		return slice_is(name, "id") ? ATTR_ID : ATTR_NONE;
	case 3:
		return slice_is(name, "rel") ? ATTR_ROLE : ATTR_NONE;
	case 4:
		return slice_is(name, "role") ? ATTR_ROLE : ATTR_NONE;
	case 5:
		return slice_is(name, "class") ? ATTR_CLASS : ATTR_NONE;
	case 8:
		return slice_is(name, "itemprop") || slice_is(name, "itemtype") ? ATTR_ROLE : ATTR_NONE;
	default:
		return data_names(name) ? ATTR_ROLE : ATTR_NONE;
	}
}

struct tag_facts tokens_of_tag(const struct token_sink *sink, const struct html_tag_event *event, bool is_inline)
{
	struct tag_facts facts = { 0 };
	if (event->source.len <= event->name.len + 4)
		return facts;
	struct html_attr_iter iter = html_attr_begin(event);
	struct html_attr attr;
	while (html_attr_next(&iter, &attr)) {
		enum attr_kind kind = kind_of(attr.name);
		if (kind != ATTR_NONE) {
			facts.score += add_value(sink, is_inline ? ATTR_INLINE : kind, attr.value);
			if (kind == ATTR_CLASS && facts.class_hash == 0)
				facts.class_hash = hash_first_word(attr.value);
		} else if (slice_is(attr.name, "href")) {
			facts.href = true;
		} else if (slice_is(attr.name, "hidden")) {
			facts.hidden = true;
		} else if (slice_is(attr.name, "aria-hidden")) {
			facts.hidden |= slice_is(attr.value, "true");
		} else if (slice_is(attr.name, "style")) {
			facts.hidden |= style_hides(attr.value);
		}
	}
	return facts;
}

bool tokens_meta_article(const struct html_tag_event *event)
{
	struct html_attr_iter iter = html_attr_begin(event);
	struct html_attr attr;
	while (html_attr_next(&iter, &attr)) {
		if (slice_is(attr.name, "content"))
			return slice_is(attr.value, "article");
	}
	return false;
}
