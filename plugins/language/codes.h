/* SPDX-License-Identifier: MIT */
/* Codes of languages: of two letters in BCP 47 (ISO 639-1), of three in WARC (ISO 639-3). */
#ifndef DANA_LANGUAGE_CODES_H
#define DANA_LANGUAGE_CODES_H

#include <stdbool.h>
#include <stddef.h>

/** Length of the first subtag of a BCP 47 tag. */
size_t primary_subtag(const char *tag);
/** The code of three letters of a tag's language; NULL: there is none. */
const char *iso639_3(const char *tag, char out[4]);
/** Whether `item` of a user's list names the language of the tag: "zh" and "zho" name "zh-Hant", "zh-Hant" only itself. */
bool tag_matches(const char *tag, const char *item, size_t len);
/** Whether the item can be a tag: two letters that are a language, or three, and then subtags. */
bool tag_is_possible(const char *item, size_t len);

#endif
