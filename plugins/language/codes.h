/* SPDX-License-Identifier: MIT */
/* Language codes: two letters in BCP 47 (ISO 639-1), three in WARC (ISO 639-3). */
#ifndef DANA_LANGUAGE_CODES_H
#define DANA_LANGUAGE_CODES_H

#include <stdbool.h>
#include <stddef.h>

/** Returns the length of the first subtag of a BCP 47 tag. */
size_t primary_subtag(const char *tag);
/** Returns the three-letter code of a tag's language; NULL if it has no such code. */
const char *iso639_3(const char *tag, char out[4]);
/**
 * Returns whether `item` of a user's list names the language of the tag: "zh" and "zho" name "zh-Hant", "zh-Hant" only
 * itself.
 */
bool tag_matches(const char *tag, const char *item, size_t len);
/** Returns whether the item can be a tag: a two-letter code of a language, or three letters, then any subtags. */
bool tag_is_possible(const char *item, size_t len);

#endif
