/* SPDX-License-Identifier: MIT */
/* What CommonMark takes a character for where emphasis begins or ends. */
#ifndef DANA_STRUCTURE_LETTER_KIND_H
#define DANA_STRUCTURE_LETTER_KIND_H

#include "base/slice.h"

enum letter_kind {
	LETTER_WHITE,
	LETTER_LETTER, /* or a digit */
	LETTER_PUNCTUATION,
	LETTER_UNSURE, /* readers of Markdown differ, or their tables do */
};

enum letter_kind letter_kind_of(uint32_t c);
/** Returns the kind of the first character of well-formed UTF-8; LETTER_WHITE if it is empty. */
enum letter_kind letter_kind_first(struct slice text);
/** The same of its last character. */
enum letter_kind letter_kind_last(struct slice text);
/** Returns whether text has more than white space, punctuation and invisible characters. */
bool letter_kind_any(struct slice text);

#endif
