/* SPDX-License-Identifier: MIT */
/*
 * White space before a word where it does not collapse, in the form that text_writer_kept takes: the last line end and
 * what follows it. Blank lines and blanks at the end of a line are not written, so they are not kept here.
 */
#ifndef DANA_METHOD_HELD_SPACE_H
#define DANA_METHOD_HELD_SPACE_H

#include "base/slice.h"
#include "extract/html/white_space.h"
#include "extract/method/text_writer.h"

enum { HELD_SPACE_MOST = 512 }; /* bytes; longer indentations are cut */

/** Zeroed, it is empty. */
struct held_space {
	size_t len;
	uint8_t bytes[HELD_SPACE_MOST];
};

/** Returns what one character of white space that does not collapse is written as; CR and LF each end a line. */
static inline uint8_t held_space_mark(uint8_t c, enum white_space space)
{
	if (c == '\n' || c == '\r')
		return '\n';
	return space == WHITE_SPACE_LINES ? ' ' : c == '\t' ? TEXT_TAB : TEXT_BLANK;
}

/** Adds a character of white space, unless it collapses. */
static inline void held_space_add(struct held_space *k, uint8_t c, enum white_space space)
{
	if (space == WHITE_SPACE_COLLAPSES)
		return;
	uint8_t mark = held_space_mark(c, space);
	if (mark == '\n')
		k->len = 0;
	if (k->len < (space == WHITE_SPACE_KEPT ? sizeof(k->bytes) : 1))
		k->bytes[k->len++] = mark;
}

/** Returns what was added since the last call; valid until the next held_space_add. */
static inline struct slice held_space_take(struct held_space *k)
{
	struct slice all = slice_of(k->bytes, k->len);
	k->len = 0;
	return all;
}

#endif
