/* SPDX-License-Identifier: MIT */
/*
 * Counts of a piece of text: units, words, marks. They do not depend on the language: there are no word lists, only
 * classes of characters. A unit is a character that is not white space; a character of a script without spaces counts
 * as two units and one word.
 */
#ifndef DANA_LEARNED_COUNTS_H
#define DANA_LEARNED_COUNTS_H

#include <stdbool.h>

#include "base/slice.h"

/** Zeroed, it has no text. */
struct counts {
	uint32_t units, words;
	uint32_t stops, commas;
	uint32_t digits; /* of ASCII */
	uint32_t currency;
	uint32_t exclaims; /* ! */
	bool stopped; /* ends with a full stop, question or exclamation mark; closing quotes and brackets may follow */
	bool in_word;
	bool arabic; /* has lead bytes of U+0640 to U+067F or U+06C0 to U+06FF, as Arabic and Persian digits */
};

/** Bytes after a text that must be readable; their values do not matter. */
enum { COUNTS_READ_ON = 32 };

/** Counts source text (character references are decoded). `text` must not end inside a reference or character. */
void counts_add(struct counts *c, struct slice text);

/*
 * Times of day and dates in digits, which look alike in all languages. An article has one or two in total; in a list of
 * comments or of articles each entry has its own.
 */

/** Least digits of a time or a date. */
enum { DATE_DIGITS = 3 };

/**
 * Returns whether the text has a time (9:05, 12:30:00) or a date (1.2.2012, 2012-02-01, 1/2/12). Its digits may be
 * Arabic or Persian.
 */
bool dates_found(struct slice text);

#endif
