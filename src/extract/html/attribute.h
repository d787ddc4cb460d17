/* SPDX-License-Identifier: MIT */
/*
 * The attributes of a start tag (HTML, sections 13.2.5.32 to 13.2.5.40), one after the other from its source;
 * attribute_next.h has what reads the next one.
 *
 * Example: <a href="/x" title=Home hidden> gives ("href", "/x"), ("title", "Home") and ("hidden", ""). A quoted value
 * ends at the same quote, an unquoted one at white space or '>'.
 */
#ifndef DANA_HTML_ATTRIBUTE_H
#define DANA_HTML_ATTRIBUTE_H

#include "extract/html/run_scan.h"

struct html_attr {
	struct slice name;  /* as written */
	struct slice value; /* character references are not decoded; empty if the attribute has no value */
	uint64_t number;    /* the name's letters in lower case, the first one lowest; 0 if there are more than eight */
};

/** The rest of a tag's source. */
struct html_attr_reader {
	const uint8_t *at, *end;
	const uint8_t *limit;          /* bytes before it can be read */
	const uint8_t *window;         /* the bytes that the masks describe */
	const struct byte_mask *masks; /* may be NULL */
};

/** The number of a name in lower case, padded with zeros. */
#define HTML_ATTR_NUMBER(a, b, c, d, e, f, g, h) \
	((uint64_t)(a) | (uint64_t)(b) << 8 | (uint64_t)(c) << 16 | (uint64_t)(d) << 24 | (uint64_t)(e) << 32 | \
	 (uint64_t)(f) << 40 | (uint64_t)(g) << 48 | (uint64_t)(h) << 56)

/** Returns a reader at the first attribute of a tag event. */
struct html_attr_reader html_attr_begin(const struct html_tag_event *event);

/** Returns the value of a tag event's first attribute of this name; empty if it has none. */
struct slice html_attr_named(const struct html_tag_event *event, const char *name);

/** Returns a reader at the first attribute of a unit's tag. */
static inline struct html_attr_reader html_attr_of_unit(const struct html_unit *unit)
{
	const uint8_t *first = unit->window + unit->code;
	size_t len = unit->end - unit->code;
	if (unit->name_len == HTML_TAG_NAME_MOST || len > HTML_TAG_BYTES) {
		const struct html_tag_event event = { .name = slice_of(first + 1, unit->name_len),
						      .source = slice_of(first,
									 len < HTML_TAG_BYTES ? len : HTML_TAG_BYTES) };
		return html_attr_begin(&event);
	}
	return (struct html_attr_reader){ first + 1 + unit->name_len, first + len, unit->window + unit->len,
					  unit->window, unit->masks };
}

#endif
