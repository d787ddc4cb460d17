/* SPDX-License-Identifier: MIT */
/* Kinds of characters by their code points (Unicode 15), for code that counts, compares or hashes words. */
#ifndef DANA_BASE_CHARACTERS_H
#define DANA_BASE_CHARACTERS_H

#include <stdbool.h>
#include <stdint.h>

/** True for white space, including the information separators U+001C to U+001F: what Python's str.split() splits at. */
bool character_is_space(uint32_t c);

/**
 * True for characters without width that belong to no word: soft hyphen, zero-width space, marks of direction, byte
 * order mark.
 */
bool character_is_invisible(uint32_t c);

/**
 * True for characters of scripts without spaces between words (Thai, Lao, Myanmar, Khmer, Kana, Han). Each counts as a
 * word by itself, since the text between two spaces may be a whole paragraph.
 */
bool character_stands_alone(uint32_t c);

#endif
