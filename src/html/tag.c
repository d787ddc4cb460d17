#include "html/tag.h"

static const char *const names[HTML_TAGS_COUNT] = {
	[HTML_TAG_OTHER] = "",
#define HTML_TAG_NAME(id, name, properties) [HTML_TAG_##id] = name,
	HTML_TAGS(HTML_TAG_NAME)
#undef HTML_TAG_NAME
};

const uint8_t html_tag_properties[HTML_TAGS_COUNT] = {
	[HTML_TAG_OTHER] = 0,
#define HTML_TAG_PROPERTY(id, name, properties) [HTML_TAG_##id] = (properties),
	HTML_TAGS(HTML_TAG_PROPERTY)
#undef HTML_TAG_PROPERTY
};

/*
 * A perfect hash: the name, lower-cased and packed into 64 bits, times a multiplier that gives every name a slot of its own.
 * tools/make_tag_hash.py looks for a multiplier when the table changes.
 */
#include "html/tag_hash.h"

const char *html_tag_name(enum html_tag tag)
{
	return names[tag];
}

#define EACH_BYTE(byte) (0x0101010101010101U * (byte))

enum { LONGEST = 10 }; /* "blockquote", "figcaption" */

static inline uint64_t packed(const uint8_t *p)
{
	uint64_t word;
	memcpy(&word, p, sizeof word);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	word = __builtin_bswap64(word);
#endif
	return word;
}

/* The name's first 8 bytes are those of `word` that `used` covers; `rest` is what lies behind them, in lower case. */
static inline enum html_tag find_packed(uint64_t word, uint64_t used, uint16_t rest, size_t len)
{
	/* a control character is not its own lower case: bit 5 or 6 is set in letters and digits */
	uint64_t wanted = used & EACH_BYTE(0x40U);
	if (((word | word << 1) & wanted) != wanted)
		return HTML_TAG_OTHER;
	/* bit 5 makes lower case of upper case, digits stay */
	uint64_t first = (word | EACH_BYTE(0x20U)) & used;
	size_t tag = tag_slots[tag_hash(first, len)];
	return tag_keys[tag].first == first && tag_keys[tag].rest == rest ? (enum html_tag)tag : HTML_TAG_OTHER;
}

/* At least LONGEST bytes can be read. */
static enum html_tag find_readable(const uint8_t *name, size_t len)
{
	if (len > LONGEST)
		return HTML_TAG_OTHER;
	uint64_t used = len >= 8 ? ~(uint64_t)0 : ((uint64_t)1 << 8 * len) - 1;
	uint8_t ninth = len > 8 ? name[8] | 0x20 : 0, tenth = len > 9 ? name[9] | 0x20 : 0;
	return find_packed(packed(name), used, (uint16_t)(ninth | tenth << 8), len);
}

enum html_tag html_tag_find(struct slice name)
{
	uint8_t padded[LONGEST] = { 0 };
	if (name.len == 0 || name.len > LONGEST)
		return HTML_TAG_OTHER;
	memcpy(padded, name.data, name.len);
	return find_readable(padded, name.len);
}

/* What may end a name in the first bytes of one: how many stand before it, or more than 7. Nothing before it ends the name. */
#if defined(__SSE2__)
#include <emmintrin.h>

static inline size_t name_ends_near(const uint8_t *p, uint64_t word)
{
	(void)word;
	__m128i v;
	memcpy(&v, p, sizeof v);
	__m128i ends = _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(' ')), v); /* white space, or another control */
	ends = _mm_or_si128(ends, _mm_cmpeq_epi8(v, _mm_set1_epi8('/')));
	ends = _mm_or_si128(ends, _mm_cmpeq_epi8(v, _mm_set1_epi8('>')));
	return (size_t)__builtin_ctz((unsigned)_mm_movemask_epi8(ends) | 0x10000U);
}
#else
static inline size_t name_ends_near(const uint8_t *p, uint64_t word)
{
	(void)p;
	uint64_t slash = word ^ EACH_BYTE('/'), gt = word ^ EACH_BYTE('>');
	/* the lowest top bit that is set is the first byte of its kind; bits above it may err */
	uint64_t found = (((slash - EACH_BYTE(1U)) & ~slash) | ((gt - EACH_BYTE(1U)) & ~gt) |
			  ((word - EACH_BYTE('!')) & ~word)) & EACH_BYTE(0x80U);
	return found ? (size_t)__builtin_ctzll(found) / 8 : 8;
}
#endif

/* Many bytes at once, for the branch of a loop over them is hard to foresee; one by one where that tells too little. */
struct html_tag_name html_tag_read(const uint8_t *p)
{
	uint64_t word = packed(p);
	size_t i = name_ends_near(p, word);
	if (i < 8 && html_ends_name(p[i]))
		return (struct html_tag_name){ i, find_packed(word, ((uint64_t)1 << 8 * i) - 1, 0, i) };
	while (i < HTML_TAG_NAME_MOST && !html_ends_name(p[i]))
		i++;
	return (struct html_tag_name){ i, find_readable(p, i) };
}
