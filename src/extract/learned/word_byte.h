/* SPDX-License-Identifier: MIT */
/* The bytes that words consist of. */
#ifndef DANA_LEARNED_WORD_BYTE_H
#define DANA_LEARNED_WORD_BYTE_H

#include <stdbool.h>
#include <stdint.h>

/**
 * The value of a byte in a word, with ASCII capitals as small letters; 0 if it ends a word, as do the lead bytes below.
 */
extern const uint8_t word_byte[256];

/** True for Han, Kana, Hangul: lead bytes E3 to ED. Each character is a word. */
static inline bool is_wide_lead(uint8_t c)
{
	return c >= 0xE3 && c <= 0xED;
}

#endif
