#include "extract/learned/tokens.h"

#include "base/ascii.h"
#include "base/hash.h"

/* What is read of one value: a page with a million classes costs no more than a page with twelve. */
enum { WORDS_OF_VALUE = 12, LONGEST_WORD = 60, SHORTEST_PART = 3, LONGEST_PART = 19, ADDRESS_BYTES = 40 };

/* Where the hash of an address's word begins. */
#define ADDRESS_START 0x2545F491U

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

/* A word that is being hashed: as a whole, and the part that is open. */
struct word_hash {
	uint32_t whole, part;
	size_t part_len;
	int32_t score;
};

static void end_part(const struct token_sink *sink, struct word_hash *h)
{
	if (h->part_len >= SHORTEST_PART && h->part_len <= LONGEST_PART)
		h->score += add_token(sink, h->part);
	h->part = (uint32_t)HASH_FNV32_START ^ 0x5555U;
	h->part_len = 0;
}

/* Digits, dividers and capitals. A run of digits counts as one 0; digits and dividers cut parts, and so do capitals after small letters. */
static void add_special(const struct token_sink *sink, struct word_hash *h, uint8_t c, uint8_t before)
{
	bool digit = ascii_is_digit(c), capital = c >= 'A' && c <= 'Z';
	uint8_t lower = ascii_lower(c);
	if (!digit || !ascii_is_digit(before))
		h->whole = (h->whole ^ (digit ? '0' : lower)) * FNV_PRIME;
	if (!capital || (before >= 'a' && before <= 'z'))
		end_part(sink, h);
	if (capital) {
		h->part = (h->part ^ lower) * FNV_PRIME;
		h->part_len++;
	}
}

static bool is_special(uint8_t c)
{
	return c < 'a' && (ascii_is_digit(c) || (c >= 'A' && c <= 'Z') || c == '-' || c == '_' || c == ':');
}

/* Takes the next word from `rest`; false when there is none. What is longer than the longest word is passed over. */
static bool add_word(const struct token_sink *sink, uint32_t kind, struct slice *rest, int32_t *score)
{
	const uint8_t *p = rest->data, *end = p + rest->len;
	while (p < end && *p <= ' ')
		p++;
	if (p == end)
		return false;
	struct word_hash h = { .whole = (uint32_t)HASH_FNV32_START ^ (kind * 977U),
			       .part = (uint32_t)HASH_FNV32_START ^ 0x5555U };
	const uint8_t *stop = end - p > LONGEST_WORD ? p + LONGEST_WORD : end;
	uint8_t before = 0;
	for (; p < stop && *p > ' '; p++) {
		uint8_t c = *p;
		if (is_special(c)) {
			add_special(sink, &h, c, before);
		} else {
			h.whole = (h.whole ^ c) * FNV_PRIME;
			h.part = (h.part ^ c) * FNV_PRIME;
			h.part_len++;
		}
		before = c;
	}
	while (p < end && *p > ' ')
		p++;
	end_part(sink, &h);
	*score += h.score + add_token(sink, h.whole);
	*rest = slice_of(p, (size_t)(end - p));
	return true;
}

static int32_t add_value(const struct token_sink *sink, uint32_t kind, struct slice value)
{
	int32_t score = 0;
	for (int i = 0; i < WORDS_OF_VALUE && add_word(sink, kind, &value, &score); i++)
		;
	return score;
}

static uint32_t hash_first_word(struct slice value)
{
	uint32_t h = HASH_FNV32_START;
	size_t i = 0, len = 0;
	while (i < value.len && value.data[i] <= ' ')
		i++;
	for (; i < value.len && value.data[i] > ' ' && len < LONGEST_WORD; i++, len++) {
		if (!ascii_is_digit(value.data[i]))
			h = (h ^ value.data[i]) * FNV_PRIME;
	}
	return len ? h : 0;
}

/* The tokens of one value: their score, and for classes the hash of the first word. */
static struct token_memory read_value(const struct token_sink *sink, uint32_t kind, bool is_class, struct slice value)
{
	return (struct token_memory){ .score = add_value(sink, kind, value),
				      .class_hash = is_class ? hash_first_word(value) : 0 };
}

static inline uint64_t load_word(const uint8_t *p)
{
	uint64_t word;
	memcpy(&word, p, sizeof word);
	return word;
}

static inline uint64_t load_half(const uint8_t *p)
{
	uint32_t half;
	memcpy(&half, p, sizeof half);
	return half;
}

/* All bytes of a value of less than eight. */
static inline uint64_t load_short(const uint8_t *p, size_t len)
{
	if (len >= 4)
		return load_half(p) | load_half(p + len - 4) << 32;
	return len ? p[0] | (uint64_t)p[len / 2] << 8 | (uint64_t)p[len - 1] << 16 : 0;
}

/*
 * Eight bytes at a time, the last ones again where they are no eight: only a place in the cache, which compares the value itself,
 * so the order of a machine's bytes does not matter.
 */
static inline size_t cache_place(uint32_t kind, struct slice value)
{
	const uint64_t factor = 0x9E3779B97F4A7C15U;
	uint64_t h = (kind + value.len) * factor;
	if (value.len >= 8) {
		for (size_t i = 0; i + 8 < value.len; i += 8)
			h = (h ^ load_word(value.data + i)) * factor;
		h ^= load_word(value.data + value.len - 8);
	} else {
		h ^= load_short(value.data, value.len);
	}
	return (size_t)((h ^ h >> 32) * factor >> 48) % TOKEN_CACHE;
}

static inline bool same_bytes(const uint8_t *a, const uint8_t *b, size_t len)
{
	if (len < 8)
		return load_short(a, len) == load_short(b, len);
	for (size_t i = 0; i + 8 < len; i += 8) {
		if (load_word(a + i) != load_word(b + i))
			return false;
	}
	return load_word(a + len - 8) == load_word(b + len - 8);
}

static struct token_memory value_tokens(const struct token_sink *sink, uint32_t kind, bool is_class, struct slice value)
{
	if (!sink->cache || sink->seen || value.len == 0 || value.len > TOKEN_CACHE_VALUE)
		return read_value(sink, kind, is_class, value);
	uint8_t key = (uint8_t)(kind | (is_class ? 0x80 : 0));
	struct token_memory *m = &sink->cache->entries[cache_place(key, value)];
	if (m->len != value.len || m->kind != key || !same_bytes(m->value, value.data, value.len)) {
		*m = read_value(sink, kind, is_class, value);
		m->kind = key;
		m->len = (uint8_t)value.len;
		memcpy(m->value, value.data, value.len);
	}
	return *m;
}

/* style="display: none" */
static bool style_hides(struct slice style)
{
	static const char name[] = "display";
	for (; style.len > sizeof name - 1; style = slice_skip(style, 1)) {
		if ((style.data[0] | 0x20) != name[0] || !slice_is(slice_of(style.data, sizeof name - 1), name))
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

/* Up to eight small letters as one number; other bytes of a name give a number that equals none of ours. */
#define NAME8(a, b, c, d, e, f, g, h)                                                                               \
	((uint64_t)(a) | (uint64_t)(b) << 8 | (uint64_t)(c) << 16 | (uint64_t)(d) << 24 | (uint64_t)(e) << 32 |       \
	 (uint64_t)(f) << 40 | (uint64_t)(g) << 48 | (uint64_t)(h) << 56)

static uint64_t name_number(struct slice name)
{
	const uint64_t small = 0x2020202020202020U; /* makes small letters of capitals, and letters of nothing else */
	if (name.len > 8)
		return 0;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	if (name.len >= 4) {
		unsigned twice = 8 * (unsigned)(8 - name.len); /* bits of the second half that the first has too */
		uint64_t first = load_half(name.data), last = load_half(name.data + name.len - 4);
		return (first | last << (32 - twice)) | (small >> twice);
	}
#endif
	uint64_t n = 0;
	for (size_t i = 0; i < name.len; i++)
		n |= (uint64_t)(name.data[i] | 0x20) << (8 * i);
	return n;
}

/* data- attributes in which today's frameworks tell what an element is, where classes are hashes. */
static bool data_names(struct slice name)
{
	static const char *const names[] = { "data-testid", "data-component", "data-module", "data-role", "data-qa",
		"data-type", "data-block", "data-name", "data-test" };
	if (name.len < 7 || (name.data[0] | 0x20) != 'd' || name.data[4] != '-')
		return false;
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		if (slice_is(name, names[i]))
			return true;
	}
	return false;
}

/*
 * Words of a link's address, whatever the language of the page: /tag/, /author/, #comment-12, ?share=. Small letters only, the
 * host left out, and the beginning only: titles of articles stand at the end.
 */
static int32_t add_address(const struct token_sink *sink, struct slice address)
{
	const uint8_t *p = address.data, *end = p + address.len;
	int32_t score = 0;
	if (address.len > 8 && (p[4] == ':' || p[5] == ':') && (p[0] | 0x20) == 'h') {
		const uint8_t *path = memchr(p + 8, '/', address.len - 8);
		p = path ? path : end;
	}
	if (end - p > ADDRESS_BYTES)
		end = p + ADDRESS_BYTES;
	uint32_t h = ADDRESS_START;
	const uint8_t *first = p;
	for (;; p++) {
		uint8_t c = p < end ? *p : 0;
		if (c >= 'a' && c <= 'z') {
			h = (h ^ c) * FNV_PRIME;
			continue;
		}
		if (p - first >= SHORTEST_PART && p - first <= LONGEST_PART)
			score += add_token(sink, h);
		if (p >= end)
			return score;
		h = ADDRESS_START ^ (c == '#' || c == '?' ? c : 0U);
		first = p + 1;
	}
}

/* The kind of an attribute whose value has tokens; for others what it tells is noted here. */
static enum attr_kind read_attr(const struct token_sink *sink, const struct html_attr *attr, struct tag_facts *facts)
{
	switch (name_number(attr->name)) {
	case NAME8('c', 'l', 'a', 's', 's', 0, 0, 0):
		return ATTR_CLASS;
	case NAME8('i', 'd', 0, 0, 0, 0, 0, 0):
		return ATTR_ID;
	case NAME8('r', 'e', 'l', 0, 0, 0, 0, 0):
	case NAME8('r', 'o', 'l', 'e', 0, 0, 0, 0):
	case NAME8('i', 't', 'e', 'm', 'p', 'r', 'o', 'p'):
	case NAME8('i', 't', 'e', 'm', 't', 'y', 'p', 'e'):
		return ATTR_ROLE;
	case NAME8('h', 'r', 'e', 'f', 0, 0, 0, 0):
		facts->href = true;
		facts->score += add_address(sink, attr->value);
		return ATTR_NONE;
	case NAME8('h', 'i', 'd', 'd', 'e', 'n', 0, 0):
		facts->hidden = true;
		return ATTR_NONE;
	case NAME8('s', 't', 'y', 'l', 'e', 0, 0, 0):
		facts->hidden |= style_hides(attr->value);
		return ATTR_NONE;
	default:
		if (attr->name.len == sizeof "aria-hidden" - 1 && slice_is(attr->name, "aria-hidden"))
			facts->hidden |= slice_is(attr->value, "true");
		return data_names(attr->name) ? ATTR_ROLE : ATTR_NONE;
	}
}

struct tag_facts tokens_of_tag(const struct token_sink *sink, struct attr_reader attrs, bool is_inline)
{
	struct tag_facts facts = { 0 };
	struct html_attr attr;
	while (attr_reader_next(&attrs, &attr)) {
		enum attr_kind kind = read_attr(sink, &attr, &facts);
		if (kind == ATTR_NONE)
			continue;
		struct token_memory m = value_tokens(sink, is_inline ? ATTR_INLINE : kind, kind == ATTR_CLASS, attr.value);
		facts.score += m.score;
		if (facts.class_hash == 0)
			facts.class_hash = m.class_hash;
	}
	return facts;
}

bool tokens_meta_article(struct attr_reader attrs)
{
	struct html_attr attr;
	while (attr_reader_next(&attrs, &attr)) {
		if (slice_is(attr.name, "content"))
			return slice_is(attr.value, "article");
	}
	return false;
}
