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

/* Sets bit 5 of each byte: upper case becomes lower case, digits stay. */
#define LOWER 0x2020202020202020U

enum { NAME_MOST = 10 }; /* "blockquote", "figcaption" */

static inline enum html_tag find_packed(uint64_t first, uint16_t rest, size_t len)
{
	uint64_t used = len >= 8 ? ~(uint64_t)0 : ((uint64_t)1 << 8 * len) - 1;
	first &= used;
	/* a control character is not its own lower case: bit 5 or 6 is set in letters and digits */
	if (((first | first << 1) & used & 0x4040404040404040U) != (used & 0x4040404040404040U))
		return HTML_TAG_OTHER;
	first |= used & LOWER;
	rest = (uint16_t)(len > 9 ? rest | 0x2020 : len > 8 ? (rest & 0xFF) | 0x20 : 0);
	size_t tag = tag_slots[tag_hash(first, len)];
	return tag_keys[tag].first == first && tag_keys[tag].rest == rest ? (enum html_tag)tag : HTML_TAG_OTHER;
}

enum html_tag html_tag_find_readable(const uint8_t *name, size_t len)
{
	if (len > NAME_MOST)
		return HTML_TAG_OTHER;
	uint64_t first;
	memcpy(&first, name, sizeof first);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	first = __builtin_bswap64(first);
#endif
	return find_packed(first, (uint16_t)(name[8] | name[9] << 8), len);
}

enum html_tag html_tag_find(struct slice name)
{
	uint8_t padded[NAME_MOST] = { 0 };
	if (name.len == 0 || name.len > NAME_MOST)
		return HTML_TAG_OTHER;
	memcpy(padded, name.data, name.len);
	return html_tag_find_readable(padded, name.len);
}
