/* SPDX-License-Identifier: MIT */
/*
 * What a piece of text is made of: units, words, marks. Independent of language: no word lists, only classes of
 * characters. A unit is a character that is not white space; characters of scripts written without spaces count two,
 * and a word each.
 */
#ifndef DANA_LEARNED_COUNTS_H
#define DANA_LEARNED_COUNTS_H

#include "base/slice.h"

/** Zeroed = no text yet. */
struct counts {
	uint32_t units, words;
	uint32_t stops, commas;
	uint32_t digits; /* of ASCII */
	uint32_t currency;
	uint32_t exclaims; /* ! */
	bool stopped; /* ends with a full stop, question or exclamation mark; closing quotes and brackets may follow */
	bool in_word;
	bool arabic; /* bytes that begin U+0640 to U+067F or U+06C0 to U+06FF, where Arabic and Persian digits stand */
};

/** Bytes after a text that must be readable; their values do not matter. */
enum { COUNTS_READ_ON = 32 };

/** Counts source text (character references are decoded). `text` must not end inside a reference or character. */
void counts_add(struct counts *c, struct slice text);

#endif
