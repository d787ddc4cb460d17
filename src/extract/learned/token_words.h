/* SPDX-License-Identifier: MIT */
/* Words of attribute values and of link addresses, hashed, and the sum of their weights. */
#ifndef DANA_LEARNED_TOKEN_WORDS_H
#define DANA_LEARNED_TOKEN_WORDS_H

#include "extract/learned/tokens.h"

/** Score of a value's words and of their parts; `kind` keeps equal words of different attributes apart. */
int32_t token_words_of_value(const struct token_sink *sink, uint32_t kind, struct slice value);
/**
 * Score of a link's address: /tag/, /author/, #comment-12, ?share=, whatever the language of the page. Small letters
 * only, the host left out, and the beginning only: titles of articles stand at the end. What stands before `limit` can
 * be read.
 */
int32_t token_words_of_address(const struct token_sink *sink, struct slice address, const uint8_t *limit);
/** Hash of a value's first word without its digits; 0 = none. */
uint32_t token_words_first(struct slice value);

#endif
