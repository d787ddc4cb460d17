/* SPDX-License-Identifier: MIT */
/* Start tags in HTML, read on demand where one begins; and the ends of what is no markup. */
#ifndef DANA_METADATA_TAGS_H
#define DANA_METADATA_TAGS_H

#include <stdbool.h>

#include "extract/html/attribute.h"

enum { TAG_ATTRS_MOST = 24 };

/** A start tag: its first attributes. */
struct tag {
	struct html_attr attrs[TAG_ATTRS_MOST];
	size_t n;
};

/** Whether a start tag of this name, in small letters, begins at the '<' at `at`. */
bool tag_is(const uint8_t *at, const uint8_t *end, const char *name);
/** Reads the tag at `at`, whose name has so many bytes; returns the byte after it, NULL: the text ends inside. */
const uint8_t *tag_read(const uint8_t *at, const uint8_t *end, size_t name, struct tag *tag);
/** The value of an attribute by its name, in any case, as the source has it; empty: it has none. */
struct slice tag_attr(const struct tag *tag, const char *name);
/** The '<' of the end tag of a script or style whose content begins at `at`; NULL: the text ends before. */
const uint8_t *tag_raw_end(const uint8_t *at, const uint8_t *end, const char *name);

#endif
