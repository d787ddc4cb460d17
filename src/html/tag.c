#include "html/tag.h"

#include "base/ascii.h"

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

enum { NAME_MOST = 10 }; /* "blockquote", "figcaption" */

/*
 * A perfect hash: the name, lower-cased and packed into 64 bits, times a multiplier that gives every name a slot of its own.
 * The test test_html_tag.c looks for a multiplier when the table changes.
 */
#include "html/tag_hash.h"

const char *html_tag_name(enum html_tag tag)
{
	return names[tag];
}

enum html_tag html_tag_find(struct slice name)
{
	if (name.len == 0 || name.len > NAME_MOST)
		return HTML_TAG_OTHER;
	char lower[NAME_MOST + 1] = { 0 };
	for (size_t i = 0; i < name.len; i++)
		lower[i] = (char)ascii_lower(name.data[i]);
	enum html_tag tag = (enum html_tag)tag_slots[tag_hash(lower, name.len)];
	return memcmp(names[tag], lower, name.len + 1) == 0 ? tag : HTML_TAG_OTHER;
}
