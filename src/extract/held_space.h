/* SPDX-License-Identifier: MIT */
/*
 * White space before a word where it does not collapse, in the form that text_writer_kept takes: the first line end, a
 * mark for each empty line, and what follows the last line end. Blanks at the end of a line are not written, so they
 * are not kept here. Example: "\r\n \n  " is LF, TEXT_EMPTY and two TEXT_BLANK.
 */
#ifndef DANA_METHOD_HELD_SPACE_H
#define DANA_METHOD_HELD_SPACE_H

#include "base/slice.h"
#include "extract/html/white_space.h"
#include "extract/text_writer.h"

enum {
	HELD_SPACE_MOST = 512,                 /* bytes; longer indentations are cut */
	HELD_LINES_MOST = HELD_SPACE_MOST / 2, /* of them for line ends; later empty lines are left out */
};

/** Zeroed, it is empty. */
struct held_space {
	size_t len;
	bool line; /* a line ended since the last word, even if its mark was taken */
	bool cr;   /* the last character was CR */
	uint8_t bytes[HELD_SPACE_MOST];
};

/** Call it at each word and at each block. */
static inline void held_space_clear(struct held_space *k)
{
	k->len = 0;
	k->line = k->cr = false;
}

/** Returns what one character of white space that does not collapse is written as; CR and LF each end a line. */
static inline uint8_t held_space_mark(uint8_t c, enum white_space space)
{
	if (c == '\n' || c == '\r')
		return '\n';
	return space == WHITE_SPACE_LINES ? ' ' : c == '\t' ? TEXT_TAB : TEXT_BLANK;
}

/** Adds a character of white space, unless it collapses. CR LF ends one line. */
static inline void held_space_add(struct held_space *k, uint8_t c, enum white_space space)
{
	if (space == WHITE_SPACE_COLLAPSES)
		return;
	uint8_t mark = held_space_mark(c, space);
	const bool ends = mark == '\n', ended = c == '\n' && k->cr;
	k->cr = c == '\r';
	if (ended)
		return;
	while (ends && k->len && k->bytes[k->len - 1] != '\n' && k->bytes[k->len - 1] != TEXT_EMPTY)
		k->len--;
	if (ends && k->line)
		mark = TEXT_EMPTY;
	k->line |= ends;
	if (k->len < (ends ? HELD_LINES_MOST : space == WHITE_SPACE_KEPT ? HELD_SPACE_MOST : 1))
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
