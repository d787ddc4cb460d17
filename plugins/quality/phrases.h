/* SPDX-License-Identifier: MIT */
/* The phrases of C4's rules, and a quick search for them: most texts have no such phrase. */
#ifndef DANA_QUALITY_PHRASES_H
#define DANA_QUALITY_PHRASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
