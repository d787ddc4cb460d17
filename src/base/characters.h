/* SPDX-License-Identifier: MIT */
/* Kinds of characters by their code points (Unicode 15), for what counts, compares or hashes the words of a text. */
#ifndef DANA_BASE_CHARACTERS_H
#define DANA_BASE_CHARACTERS_H

#include <stdbool.h>
#include <stdint.h>

/** White space, with the information separators U+001C to U+001F: what str.split() of Python splits at. */
bool character_is_space(uint32_t c);

/** Takes no place and belongs to no word: soft hyphen, zero-width space, marks of direction, byte order mark. */
bool character_is_invisible(uint32_t c);

/**
 * Of a script that puts no space between words (Thai, Lao, Myanmar, Khmer, Kana, Han): counted as a word by itself,
 * since what stands between two spaces would be a whole paragraph.
 */
bool character_stands_alone(uint32_t c);

#endif
