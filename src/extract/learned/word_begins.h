/* SPDX-License-Identifier: MIT */
/* A set of the first two bytes of words. */
#ifndef DANA_LEARNED_WORD_BEGINS_H
#define DANA_LEARNED_WORD_BEGINS_H

#include "extract/learned/word_byte.h"

/** One bit for each two bytes that a word may begin with; many pairs share a bit. */
struct word_begins {
	uint8_t bits[32];
};

static inline unsigned word_begin_of(const uint8_t *p, const uint8_t *end)
{
	return (word_byte[p[0]] + (p + 1 < end ? word_byte[p[1]] * 11U : 0)) & 255;
}

static inline void word_begins_add(struct word_begins *set, const uint8_t *p, const uint8_t *end)
{
	unsigned begin = word_begin_of(p, end);
	set->bits[begin >> 3] |= (uint8_t)(1U << (begin & 7));
}

static inline bool word_begins_has(const struct word_begins *set, const uint8_t *p, const uint8_t *end)
{
	unsigned begin = word_begin_of(p, end);
	return set->bits[begin >> 3] >> (begin & 7) & 1;
}

#endif
