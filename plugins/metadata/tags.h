/* SPDX-License-Identifier: MIT */
/* Start tags in HTML, read on demand; and the ends of scripts and styles. */
#ifndef DANA_METADATA_TAGS_H
#define DANA_METADATA_TAGS_H

#include <stdbool.h>

#include "base/ascii.h"
#include "extract/html/attribute.h"

enum { TAG_ATTRS_MOST = 24 };

/** Where a tag is being read: zeroed after its name. */
struct tag_place {
	uint8_t quote; /* the quote that is open, or 0 */
	uint8_t last;  /* the byte before */
};

/** A start tag: its first attributes. */
struct tag {
	struct html_attr attrs[TAG_ATTRS_MOST];
	size_t n;
};

/** Returns the '>' that ends the tag, outside of quotes; NULL if the bytes end before, and *p is then where. */
const uint8_t *tag_close(struct tag_place *p, const uint8_t *at, const uint8_t *end);
/** Returns whether a start tag with this name (given in lower case) begins at the '<' at `at`. */
bool tag_is(const uint8_t *at, const uint8_t *end, const char *name);
/** Reads the tag at `at`, whose name has `name` bytes. Returns the byte after it; NULL if the text ends inside. */
const uint8_t *tag_read(const uint8_t *at, const uint8_t *end, size_t name, struct tag *tag);
/** Returns the value of the attribute with this name, in any case, as written in the source; empty if it is missing. */
static inline struct slice tag_attr(const struct tag *tag, const char *name)
{
	const struct slice wanted = slice_from_text(name);

	for (size_t i = 0; i < tag->n; i++)
		if (slice_equal_nocase(tag->attrs[i].name, wanted))
			return tag->attrs[i].value;
	return slice_of(NULL, 0);
}
/** Returns the '<' of the end tag of a script or style whose content begins at `at`; NULL if the text ends before. */
const uint8_t *tag_raw_end(const uint8_t *at, const uint8_t *end, const char *name);

#endif
