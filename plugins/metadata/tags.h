/* SPDX-License-Identifier: MIT */
/* Start tags in HTML, read on demand; and the ends of scripts and styles. */
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

/** Returns whether a start tag with this name (given in lower case) begins at the '<' at `at`. */
bool tag_is(const uint8_t *at, const uint8_t *end, const char *name);
/** Reads the tag at `at`, whose name has `name` bytes. Returns the byte after it; NULL if the text ends inside. */
const uint8_t *tag_read(const uint8_t *at, const uint8_t *end, size_t name, struct tag *tag);
/** Returns the value of the attribute with this name, in any case, as written in the source; empty if it is missing. */
struct slice tag_attr(const struct tag *tag, const char *name);
/** Returns the '<' of the end tag of a script or style whose content begins at `at`; NULL if the text ends before. */
const uint8_t *tag_raw_end(const uint8_t *at, const uint8_t *end, const char *name);

#endif
