/* SPDX-License-Identifier: MIT */
/* Words of ASCII letters between white space, which most words of most pages are. */
#ifndef DANA_QUALITY_ASCII_WORDS_H
#define DANA_QUALITY_ASCII_WORDS_H

#include "plugins/quality/words.h"

/** How far the split is: bytes and characters of the text. */
struct ascii_place {
	size_t at;
	uint32_t chars;
};

/**
 * Keeps words of at most 15 ASCII letters, each with at most one mark of one byte after it, as long as white space of one byte
 * follows. Returns where it ends: at the start of anything else, or near the end of the text.
 */
struct ascii_place ascii_words(struct words *w, const char *text, size_t len, struct ascii_place place);

#endif
