/* SPDX-License-Identifier: MIT */
/* The phrases of which C4's rules speak, and a quick look whether a text has any of them: most have none. */
#ifndef DANA_QUALITY_PHRASES_H
#define DANA_QUALITY_PHRASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum phrase { PHRASE_LOREM, PHRASE_JAVASCRIPT, PHRASE_TERMS, PHRASE_PRIVACY, PHRASE_COOKIE, PHRASES };

/** Made once; then any number of threads may read it. */
struct phrases {
	uint8_t slots[1 << 12];
};

void phrases_init(struct phrases *t);
/** Says of each phrase whether the text has it, in any case of ASCII letters; returns whether it has any. */
bool phrases_find(const struct phrases *t, const char *text, size_t len, bool found[PHRASES]);
/** The phrase in lower case. */
const char *phrase_text(enum phrase phrase);

#endif
