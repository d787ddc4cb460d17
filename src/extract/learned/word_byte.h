/* SPDX-License-Identifier: MIT */
/* Which bytes words are made of. */
#ifndef DANA_LEARNED_WORD_BYTE_H
#define DANA_LEARNED_WORD_BYTE_H

#include <stdbool.h>
#include <stdint.h>

/** What a byte counts in a word, ASCII capitals as small letters; 0 = ends a word, as do the lead bytes below. */
extern const uint8_t word_byte[256];

/** Han, Kana, Hangul: lead bytes E3 to ED. A character is a word. */
static inline bool is_wide_lead(uint8_t c)
{
	return c >= 0xE3 && c <= 0xED;
}

#endif
