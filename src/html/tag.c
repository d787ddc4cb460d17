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

enum html_tag html_tag_find(struct slice name)
{
	if (name.len == 0 || name.len > 10) /* "blockquote", "figcaption" */
		return HTML_TAG_OTHER;
	uint64_t first = 0;
	uint16_t rest = 0;
	for (size_t i = name.len; i-- > 8;)
		rest = (uint16_t)(rest << 8 | name.data[i]);
	for (size_t i = name.len < 8 ? name.len : 8; i-- > 0;)
		first = first << 8 | name.data[i];
	uint64_t used = name.len >= 8 ? ~(uint64_t)0 : ((uint64_t)1 << 8 * name.len) - 1;
	/* a control character is not its own lower case: bit 5 or 6 is set in letters and digits */
	if (((first | first << 1) & used & 0x4040404040404040U) != (used & 0x4040404040404040U))
		return HTML_TAG_OTHER;
	first |= used & LOWER;
	rest |= name.len > 9 ? 0x2020 : name.len > 8 ? 0x20 : 0;
	size_t tag = tag_slots[tag_hash(first, name.len)];
	return tag_keys[tag].first == first && tag_keys[tag].rest == rest ? (enum html_tag)tag : HTML_TAG_OTHER;
}
