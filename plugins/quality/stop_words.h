/* SPDX-License-Identifier: MIT */
/* Stop words: the most frequent words of a language, which nearly every text of it has (stop_words.tsv). */
#ifndef DANA_QUALITY_STOP_WORDS_H
#define DANA_QUALITY_STOP_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
/** Returns the number of a language by its BCP 47 tag ("pt-BR": that of "pt"); STOP_NONE if it has no list. */
int stop_language(const char *tag, size_t len);
void stop_count_begin(struct stop_count *c, const struct stop_words *table, int language);
/** Counts a word of the page. `hash` is that of its bytes; `upper` says that it has letters that are not lower case. */
void stop_count_word(struct stop_count *c, const char *word, size_t len, uint64_t hash, bool upper);

#endif
