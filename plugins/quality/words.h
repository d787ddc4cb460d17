/* SPDX-License-Identifier: MIT */
/*
 * Classes of characters for the split of a text into words: tables of the first 65,536 characters and of single bytes,
 * made once.
 */
#ifndef DANA_PLUGINS_QUALITY_WORDS_H
#define DANA_PLUGINS_QUALITY_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <xxhash.h>

#include "base/ascii.h"

/** Classes that can be part of a word that is delimited by spaces come first. */
enum char_class {
	CLASS_LETTER,     /* a letter that is not upper case */
	CLASS_UPPER,      /* a letter with a lower-case form */
	CLASS_OTHER,      /* numbers, control characters */
	CLASS_COMBINING,  /* a mark that combines */
	CLASS_MARK,       /* punctuation and symbols */
	CLASS_SPACE,      /* Unicode's white space */
	CLASS_UNSPACED,   /* a letter of a script that is written without spaces between words */
	CLASS_UNSPACED_2, /* a character of such a script that is not a letter */
	CLASS_LONG        /* a byte that begins or continues a character of several */
};

enum { CLASSES_LISTED = 0x10000 };

struct classes {
	uint8_t of_byte[256];
	uint8_t of_char[CLASSES_LISTED];
};

/** Fills the tables; after that, any number of threads may read them. */
void classes_init(struct classes *t);

/** Decodes a character of well-formed UTF-8. Returns its length in bytes. */
static inline size_t next_char(const char *at, int32_t *c)
{
	const uint8_t *b = (const uint8_t *)at;
	if (b[0] < 0x80) {
		*c = b[0];
		return 1;
	}
	if (b[0] < 0xe0) {
		*c = (b[0] & 0x1f) << 6 | (b[1] & 0x3f);
		return 2;
	}
	if (b[0] < 0xf0) {
		*c = (b[0] & 0x0f) << 12 | (b[1] & 0x3f) << 6 | (b[2] & 0x3f);
		return 3;
	}
	*c = (b[0] & 0x07) << 18 | (b[1] & 0x3f) << 12 | (b[2] & 0x3f) << 6 | (b[3] & 0x3f);
	return 4;
}

/* Hashes of words. Most words are short: two multiplications hash all their bytes at once. */

#define XXH_INLINE_ALL

/**
 * Hashes a word of at most 16 bytes, given as its first eight and its other bytes, each with the first byte lowest and
 * zeros after the last.
 */
static inline uint64_t word_hash_of_two(uint64_t first, uint64_t rest, size_t len)
{
	const uint64_t hash = (first ^ len * UINT64_C(0xa0761d6478bd642f)) * UINT64_C(0xe7037ed1a0b428db);
	return (hash ^ hash >> 32 ^ rest * UINT64_C(0xd6e8feb86659fd93)) * UINT64_C(0x8ebc6af09c88c6e3);
}

/** Hashes a word of 1 to 16 bytes; 16 bytes must be readable. */
static inline uint64_t word_hash_of_16(const char *word, size_t len)
{
	/* Read from 16 - len on, 0xff for each byte of the word, then zeros. */
	static const uint8_t mask[32] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
					  0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };
	const uint64_t first = little_endian_64((const uint8_t *)word) & little_endian_64(mask + 16 - len);
	const uint64_t rest = little_endian_64((const uint8_t *)word + 8) & little_endian_64(mask + 24 - len);
	return word_hash_of_two(first, rest, len);
}

/** Hashes a word of any length. */
static inline uint64_t word_hash(const char *word, size_t len)
{
	const uint8_t *at = (const uint8_t *)word;
	if (len > 16)
		return XXH3_64bits(word, len);
	if (len > 8) /* those of the last eight bytes that are not among the first eight */
		return word_hash_of_two(little_endian_64(at), little_endian_64(at + len - 8) >> 8 * (16 - len), len);
	if (len < 4)
		return word_hash_of_two(little_endian(at, len), 0, len);
	/* The first four bytes and the last four, which may overlap. */
	return word_hash_of_two(little_endian_32(at) | (uint64_t)little_endian_32(at + len - 4) << 8 * (len - 4), 0,
				len);
}

/*
 * The words of a text, as the rules of quality count them.
 *
 * The text is split at white space (Unicode's). In a piece each character of a script that is written without spaces
 * between words (Han, Kana, Thai, Lao, Khmer, Myanmar), with the combining marks after it, is a word.
 *
 * From the text between those, punctuation and symbols (categories P and S) at either end are split off, each run of
 * one character as a mark of its own, and the rest is a word: `"Wait..." she said` has the marks `"`, `...`, `"` and
 * the words Wait, she, said; `3.14` and `don't` are one word each.
 */

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
	uint64_t *hashes; /* word_hash() of each */
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

/* Splits stretches between white space that consist of ASCII only, which is most of most pages. */

/** Progress of the split: bytes and characters of the text. */
struct ascii_place {
	size_t at;
	uint32_t chars;
};

/* Stop words: the most frequent words of a language, which nearly every text of it has (stop_words.tsv). */

enum { STOP_ANY = -1, STOP_NONE = -2, STOP_LANGUAGES_MOST = 64, STOP_SLOTS = 2048, STOP_WORD_MOST = 24 };

/** The words by their hash, made once; after that, any number of threads may read it. */
struct stop_words {
	struct stop_slot {
		uint64_t hash;
		uint64_t languages; /* a bit for each; 0: free */
	} slots[STOP_SLOTS];
};

/** The stop words seen in a page. Zero-initialise it; call stop_count_begin() before each page. */
struct stop_count {
	const struct stop_words *table;
	uint32_t page;
	uint32_t met[STOP_SLOTS]; /* the page in which each was last seen */
	int language;             /* STOP_ANY: all languages, and the one with most words counts */
	uint32_t by_language[STOP_LANGUAGES_MOST];
	uint32_t most; /* different stop words of the language that were seen */
};

void stop_words_init(struct stop_words *t);

/** Returns the number of a language by its BCP 47 tag ("pt-BR": as "pt"); STOP_NONE if it has no list. */
int stop_language(const char *tag, size_t len);

void stop_count_begin(struct stop_count *c, const struct stop_words *table, int language);

/** Counts a word of the page. `hash` is made of its bytes; `upper` says that it has letters that are not lower case. */
void stop_count_word(struct stop_count *c, const char *word, size_t len, uint64_t hash, bool upper);

/* The phrases of C4's rules, and a quick search for them: most texts have no such phrase. */

enum phrase { PHRASE_LOREM, PHRASE_JAVASCRIPT, PHRASE_TERMS, PHRASE_PRIVACY, PHRASE_COOKIE, PHRASES };

enum { PHRASE_PART = 3 };

/** Made once; after that, any number of threads may read it. */
struct phrases {
	uint8_t slots[1 << 12];
	/*
	 * A bit for each phrase: by the low and the high four bits of a byte, the phrases whose PHRASE_PART bytes may
	 * have that byte at each place.
	 */
	uint8_t low[PHRASE_PART][16], high[PHRASE_PART][16];
};

void phrases_init(struct phrases *t);

/** Sets found[i] for each phrase that the text has, in any case of ASCII letters. Returns whether it has any. */
bool phrases_find(const struct phrases *t, const char *text, size_t len, bool found[PHRASES]);

/** Returns the phrase in lower case. */
const char *phrase_text(enum phrase phrase);

#endif
