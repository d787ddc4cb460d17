/* SPDX-License-Identifier: MIT */
/*
 * White space before a word of a text in which it does not collapse, as text_writer_kept takes it: the last line end,
 * and what stands after it. Blank lines and blanks at the end of a line are not written, so they are not kept here
 * either.
 */
#ifndef DANA_METHOD_HELD_SPACE_H
#define DANA_METHOD_HELD_SPACE_H

#include "base/slice.h"
#include "html/white_space.h"
#include "method/text_writer.h"

enum { HELD_SPACE_MOST = 512 }; /* bytes; the rest of a longer indentation is left out */

/** Zeroed is empty. */
struct held_space {
	size_t len;
	uint8_t bytes[HELD_SPACE_MOST];
};

/** A character of white space; CR and LF end a line, each. Nothing is kept of what collapses. */
static inline void held_space_add(struct held_space *k, uint8_t c, enum white_space space)
{
	if (space == WHITE_SPACE_COLLAPSES)
		return;
	if (c == '\n' || c == '\r') {
		k->bytes[0] = '\n';
		k->len = 1;
	} else if (space == WHITE_SPACE_KEPT && k->len < sizeof(k->bytes)) {
		k->bytes[k->len++] = c == '\t' ? TEXT_TAB : TEXT_BLANK;
	} else if (space == WHITE_SPACE_LINES && k->len == 0) {
		k->bytes[k->len++] = ' ';
	}
}

/** What was added since the last call; valid until the next held_space_add. */
static inline struct slice held_space_take(struct held_space *k)
{
	struct slice all = slice_of(k->bytes, k->len);
	k->len = 0;
	return all;
}

#endif
