/* Words of source text, hashed; and how many words of a block stand in the page's title. */
#ifndef DANA_EXTRACT_LEARNED_WORDS_H
#define DANA_EXTRACT_LEARNED_WORDS_H

#include "base/slice.h"

/** Takes the next word from `rest` and hashes it without regard to ASCII case. False at the end. */
bool words_next(struct slice *rest, uint32_t *hash);

/** Words of a title that are looked at, and length of a block that may be a title. */
enum { TITLE_WORDS = 64, TITLE_LIKE_BYTES = 300 };

struct title_words {
	uint32_t hash[TITLE_WORDS];
	uint64_t filter; /* bit of each hash: most other words need no search */
	uint64_t begins; /* the same of the first two bytes: most other words need no hash */
	uint32_t n;
};

/** Bytes behind a text that must be readable; what stands there does not matter. */
enum { WORDS_READ_ON = 33 };

void title_words_set(struct title_words *t, struct slice title);
/** Words of `text` (*words), and those among them that stand in the title. */
uint32_t title_words_match(const struct title_words *t, struct slice text, uint32_t *words);

#endif
