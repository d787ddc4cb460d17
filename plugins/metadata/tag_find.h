/* SPDX-License-Identifier: MIT */
/* Where in a page a tag may begin that tells something of it. */
#ifndef DANA_METADATA_TAG_FIND_H
#define DANA_METADATA_TAG_FIND_H

#include <stdint.h>

/**
 * The next '<' after which meta, link, time, html, h1, script, style or a comment may begin; `end` when there is none. Of most
 * other tags it returns none. It returns each '<' after which fewer than three bytes follow.
 */
const uint8_t *tag_find(const uint8_t *at, const uint8_t *end);

#endif
