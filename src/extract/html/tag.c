/* SPDX-License-Identifier: MIT */
/*
 * Element names to numbers by a perfect hash. A name's first 8 bytes are read as one 64-bit number in lower case; a
 * multiplication and a shift give a slot that no other name of the table has; one comparison checks whether the slot
 * holds this name. tools/make_tag_hash.py searches for a multiplier without collisions when the table of names changes.
 *
 * Example: "DIV" is read as 0x766964 ("div", the first byte lowest). Its slot is 290, which holds 0x766964 and
 * HTML_TAG_DIV.
 */
#include "extract/html/tag.h"

/* clang-format off */
static const char *const names[HTML_TAGS_COUNT] = {
	[HTML_TAG_OTHER] = "",
#define HTML_TAG_NAME(id, name, properties) [HTML_TAG_##id] = name,
	HTML_TAGS(HTML_TAG_NAME)
};

const uint32_t html_tag_properties[HTML_TAGS_COUNT] = {
	[HTML_TAG_OTHER] = HTML_TAG_OTHER_PROPERTIES,
#define HTML_TAG_PROPERTY(id, name, properties) [HTML_TAG_##id] = (properties),
	HTML_TAGS(HTML_TAG_PROPERTY)
};

enum {
#define HTML_TAG_PROPERTIES(id, name, properties) PROPERTIES_##id = (properties) & TAG_SLOT,
	HTML_TAGS(HTML_TAG_PROPERTIES)
};

const struct tag_slot html_tag_slots[1 << TAG_HASH_BITS] = {
	[0] = { 0, 0, HTML_TAG_OTHER, TAG_NAMELESS }, /* where an empty name is found */
#define HTML_TAG_SLOT(slot, id, first, rest) [slot] = { first, rest, HTML_TAG_##id, PROPERTIES_##id },
	TAG_HASH_SLOTS(HTML_TAG_SLOT)
};
/* clang-format on */

const char *html_tag_name(enum html_tag tag)
{
	return names[tag];
}

enum { LONGEST = 10 }; /* "blockquote", "figcaption" */

/* LONGEST bytes at `name` must be readable. */
static enum html_tag find_readable(const uint8_t *name, size_t len)
{
	if (len > LONGEST)
		return HTML_TAG_OTHER;
	/* letters and digits have bit 5 or 6 set; control characters do not, and setting bit 5 would change them */
	uint64_t used = len >= 8 ? ~(uint64_t)0 : ((uint64_t)1 << 8 * len) - 1, wanted = used & HTML_EACH_BYTE(0x40U);
	uint64_t word = little_endian_64(name);
	if (((word | word << 1) & wanted) != wanted)
		return HTML_TAG_OTHER;

	/* setting bit 5 turns upper case to lower case; digits have it already */
	uint64_t first = (word | HTML_EACH_BYTE(0x20U)) & used;
	uint8_t ninth = len > 8 ? name[8] | 0x20 : 0, tenth = len > 9 ? name[9] | 0x20 : 0;
	const struct tag_slot *slot = html_tag_slot(first);
	return slot->first == first && slot->rest == (ninth | tenth << 8) ? (enum html_tag)slot->tag : HTML_TAG_OTHER;
}

enum html_tag html_tag_find(struct slice name)
{
	uint8_t padded[LONGEST] = { 0 };
	if (name.len == 0 || name.len > LONGEST)
		return HTML_TAG_OTHER;
	memcpy(padded, name.data, name.len);
	return find_readable(padded, name.len);
}

struct html_tag_name html_tag_read_far(const uint8_t *p)
{
	size_t i = 0;
	while (i < HTML_TAG_NAME_MOST && !html_ends_name(p[i]))
		i++;
	return (struct html_tag_name){ i, find_readable(p, i) };
}
