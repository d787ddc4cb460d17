/* SPDX-License-Identifier: MIT */
/*
 * The words of a text, as the rules of quality count them.
 *
 * The text is split at white space (Unicode's). In a piece each character of a script that is written without spaces
 * between words (Han, Kana, Thai, Lao, Khmer, Myanmar), with the combining marks after it, is a word. From the text
 * between those, punctuation and symbols (categories P and S) at either end are split off, each run of one character as
 * a mark of its own, and the rest is a word: `"Wait..." she said` has the marks `"`, `...`, `"` and the words Wait,
 * she, said; `3.14` and `don't` are one word each.
 */
#ifndef DANA_QUALITY_WORDS_H
#define DANA_QUALITY_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct classes;

/** Most words and marks of a text that are kept for the rules on sequences of words; all are counted. */
enum { WORDS_KEPT = 1 << 18 };

enum word_kind { WORD_SPACED, WORD_UNSPACED, WORD_MARK };

struct word {
	uint32_t at, len; /* bytes in the text */
	uint32_t from;    /* characters of the text before it */
	uint32_t chars;
	uint8_t kind; /* enum word_kind */
	bool upper;   /* has letters that are not lower case */
};

/** Set `classes` and zero the rest; words_free() frees it. It keeps its memory from text to text. */
struct words {
	const struct classes *classes;
	struct word *list;
	uint64_t *hashes; /* of the bytes of each: word_hash.h */
	size_t n, cap;
	uint64_t chars;                                 /* characters of the text */
	uint64_t spaced, spaced_chars, unspaced, marks; /* in the whole text */
	uint64_t with_letter;                           /* words that have a letter (category L) */
	uint64_t unpunctuated;                          /* words in scripts without sentence marks: Thai, Lao */
};

/** Splits well-formed UTF-8 of less than 4 GiB. Returns false if memory is exhausted. */
bool words_split(struct words *w, const char *text, size_t len);
void words_free(struct words *w);

/** Returns whether a WORD_UNSPACED is Thai or Lao (U+0E00 to U+0EFF). */
static inline bool word_is_unpunctuated(const char *word)
{
	return (uint8_t)word[0] == 0xe0 && ((uint8_t)word[1] & 0xfc) == 0xb8;
}

/** Returns the number of words and marks in the whole text. */
static inline uint64_t words_all(const struct words *w)
{
	return w->spaced + w->unspaced + w->marks;
}

#endif
