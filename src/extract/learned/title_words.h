/* SPDX-License-Identifier: MIT */
/* Words of source text, hashed; and how many words of a block are in the page's title. */
#ifndef DANA_LEARNED_TITLE_WORDS_H
#define DANA_LEARNED_TITLE_WORDS_H

#include "extract/learned/text_words.h"

/** Takes the next word from `rest` and hashes it without regard to ASCII case. Returns false at the end. */
bool words_next(struct slice *rest, uint32_t *hash);
/** Returns the hash of the word at p, which ends at `end` at the latest. */
uint32_t words_hash(const uint8_t *p, const uint8_t *end);

/** Most words of a title that are used, and longest block that may be a title. */
enum { TITLE_WORDS = 64, TITLE_LIKE_BYTES = 300 };

enum { TITLE_PLACES = 256 };

struct title_words {
	struct word_begins begins; /* first bytes of its words: most others need no hash */
	uint32_t n;
	struct title_word {
		uint32_t hash;
		uint8_t next; /* next word in the same hash bucket */
	} word[TITLE_WORDS];
	uint8_t place[TITLE_PLACES]; /* number of a word by its hash, from 1; 0 if there is none */
};

/** Bytes after a text that must be readable; their values do not matter. */
enum { WORDS_READ_ON = 33 };

void title_words_set(struct title_words *t, struct slice title);
/** Counts the words of `text` in *words, and returns how many of them are in the title. */
uint32_t title_words_match(const struct title_words *t, struct slice text, uint32_t *words);

#endif
