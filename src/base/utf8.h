/* SPDX-License-Identifier: MIT */
/* UTF-8 (RFC 3629). */
#ifndef DANA_BASE_UTF8_H
#define DANA_BASE_UTF8_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/slice.h"

/** Writes `c` (at most 0x10FFFF, no surrogate; otherwise U+FFFD) to `out`; returns the number of bytes, 1 to 4. */
size_t utf8_put(uint32_t c, uint8_t out[4]);
/**
 * Decodes the character at s[0] into *c and returns the number of its bytes. If it is malformed, *c is U+FFFD and the
 * result is the length of the maximal part that could have begun a character (Unicode 15, section 3.9, table 3-8), at
 * least 1.
 */
size_t utf8_decode(struct slice s, uint32_t *c);
/** Returns the number of bytes of a character that begins with `lead`: 1 to 4, or 0 if `lead` cannot begin one. */
static inline size_t utf8_length(uint8_t lead)
{
	if (lead < 0x80)
		return 1;
	if (lead < 0xC2 || lead > 0xF4)
		return 0;
	return lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

/** Returns the length of the well-formed beginning of `s`. It does not include a cut character at the end. */
size_t utf8_valid_prefix(struct slice s);
/** Returns the length of `s` without an incomplete character at its end. Example: "a\xE2\x82" gives 1. */
size_t utf8_without_cut(struct slice s);
/** Returns the number of code points in well-formed UTF-8. */
size_t utf8_count(struct slice s);
/** Returns how many of them are U+FFFD. */
size_t utf8_count_replaced(struct slice s);

/* Makes any bytes well-formed UTF-8. */

/**
 * Replaces what is malformed from place `from` on by U+FFFD; *mended: something was. `text` can become three times as
 * long. Linear in what is after `from`.
 */
int utf8_mend(struct buf *text, size_t from, bool *mended);

/* Kinds of characters by their code points (Unicode 15), for code that counts, compares or hashes words. */

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

/** Returns whether a line end between two texts is no blank: between Han, Kana and full-width characters. */
bool utf8_lines_join(struct slice before, struct slice after);

#endif
