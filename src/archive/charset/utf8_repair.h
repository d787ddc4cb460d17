/* SPDX-License-Identifier: MIT */
/*
 * UTF-8 in, well-formed UTF-8 out: valid stretches are passed on as they are, each maximal part of a broken character
 * becomes one U+FFFD (Unicode 15, section 3.9). One owner, one thread.
 */
#ifndef DANA_CHARSET_UTF8_REPAIR_H
#define DANA_CHARSET_UTF8_REPAIR_H

#include "archive/charset/output.h"

struct utf8_repair {
	size_t n_held;
	uint8_t held[4]; /* a character that was cut at the end of the last piece */
};

int utf8_repair_write(struct utf8_repair *r, struct slice bytes, struct output *out);
/** Ends the text: a character that is still cut becomes U+FFFD. */
int utf8_repair_finish(struct utf8_repair *r, struct output *out);

/** Returns whether these bytes begin a character that is cut off at their end. */
bool utf8_is_cut(struct slice s);

#endif
