/* SPDX-License-Identifier: MIT */
/* Finds the tags of a page that may hold metadata. */
#ifndef DANA_METADATA_TAG_FIND_H
#define DANA_METADATA_TAG_FIND_H

#include <stdint.h>

/**
 * Returns the next '<' with which meta, link, time, html, h1, script, style or a comment may begin; `end` if not found.
 * Most other tags are skipped. Each '<' among the last three bytes is returned, because too few bytes follow it to
 * decide.
 */
const uint8_t *tag_find(const uint8_t *at, const uint8_t *end);

#endif
