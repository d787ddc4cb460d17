/* SPDX-License-Identifier: MIT */
/* Splits stretches between white space that consist of ASCII only, which is most of most pages. */
#ifndef DANA_QUALITY_ASCII_WORDS_H
#define DANA_QUALITY_ASCII_WORDS_H

#include "plugins/quality/words.h"

/** Progress of the split: bytes and characters of the text. */
struct ascii_place {
	size_t at;
	uint32_t chars;
};

/**
 * Keeps the words and marks of stretches of ASCII, each with the white space after it, from the start of a stretch on.
 * Returns where the next stretch starts: one that has other bytes, is long, or is near the end of the text. Without
 * vector instructions it keeps nothing, and words_split() reads everything itself.
 */
struct ascii_place ascii_words(struct words *w, const char *text, size_t len, struct ascii_place place);

#endif
