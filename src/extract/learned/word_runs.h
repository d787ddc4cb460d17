/* SPDX-License-Identifier: MIT */
/* Runs of three words of a text, hashed into a set of one size: how much of another text says the same. */
#ifndef DANA_LEARNED_WORD_RUNS_H
#define DANA_LEARNED_WORD_RUNS_H

#include "extract/learned/words.h"

/** What is read of a text, and of all that make the set, which stays less than a quarter full. */
enum { RUN_BITS = 12, RUNS_MOST = 1 << (RUN_BITS - 2), RUN_WORDS = 64 };

struct word_runs {
	uint32_t n;
	struct word_begins begins; /* of its words: most others need no hash */
	uint64_t set[(1 << RUN_BITS) / 64];
};

/** Adds the runs of a text, as long as there is room. */
void word_runs_add(struct word_runs *r, struct slice text);
/** Runs among the first RUN_WORDS words of `text` that stand in the set. WORDS_READ_ON holds. */
uint32_t word_runs_match(const struct word_runs *r, struct slice text);

#endif
