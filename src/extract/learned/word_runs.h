/* SPDX-License-Identifier: MIT */
/* A fixed-size set of a text's hashed runs of three words, to measure how much another text repeats. */
#ifndef DANA_LEARNED_WORD_RUNS_H
#define DANA_LEARNED_WORD_RUNS_H

#include "extract/learned/word_begins.h"
#include "extract/learned/word_hash.h"

/** Limits: words read of a text, and runs in the set, which stays less than a quarter full. */
enum { RUN_BITS = 12, RUNS_MOST = 1 << (RUN_BITS - 2), RUN_WORDS = 64 };

struct word_runs {
	uint32_t n;
	struct word_begins begins; /* first bytes of its words: most others need no hash */
	uint64_t set[(1 << RUN_BITS) / 64];
};

/** Adds the runs of a text, as long as there is room. */
void word_runs_add(struct word_runs *r, struct slice text);
/**
 * Returns how many runs of the first RUN_WORDS words of `text` are in the set. WORDS_READ_ON bytes after `text` must be
 * readable.
 */
uint32_t word_runs_match(const struct word_runs *r, struct slice text);

#endif
