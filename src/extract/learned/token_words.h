/* SPDX-License-Identifier: MIT */
/* Words of attribute values and of link addresses, hashed, and the sum of their weights. */
#ifndef DANA_LEARNED_TOKEN_WORDS_H
#define DANA_LEARNED_TOKEN_WORDS_H

#include "extract/learned/attribute_tokens.h"

/** Returns the score of a value's words and of their parts; `kind` separates equal words of different attributes. */
int32_t token_words_of_value(const struct token_sink *sink, uint32_t kind, struct slice value);
/**
 * Returns the score of a link's address: /tag/, /author/, #comment-12, ?share=, whatever the language of the page. It
 * uses only small letters, without the host, and only the beginning, because titles of articles are at the end. Bytes
 * before `limit` can be read.
 */
int32_t token_words_of_address(const struct token_sink *sink, struct slice address, const uint8_t *limit);
/** Returns the hash of a value's first word without its digits, or 0. */
uint32_t token_words_first(struct slice value);

#endif
