/* SPDX-License-Identifier: MIT */
/* The bytes that words consist of. */
#ifndef DANA_EXTRACT_LEARNED_WORDS_H
#define DANA_EXTRACT_LEARNED_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"

/**
 * The value of a byte in a word, with ASCII capitals as small letters; 0 if it ends a word, as do the lead bytes below.
 */
extern const uint8_t word_byte[256];

/** True for Han, Kana, Hangul: lead bytes E3 to ED. Each character is a word. */
static inline bool is_wide_lead(uint8_t c)
{
	return c >= 0xE3 && c <= 0xED;
}

/* A set of the first two bytes of words. */

/** One bit for each two bytes that a word may begin with; many pairs share a bit. */
struct word_begins {
	uint8_t bits[32];
};

static inline unsigned word_begin_of(const uint8_t *p, const uint8_t *end)
{
	return (word_byte[p[0]] + (p + 1 < end ? word_byte[p[1]] * 11U : 0)) & 255;
}

static inline void word_begins_add(struct word_begins *set, const uint8_t *p, const uint8_t *end)
{
	unsigned begin = word_begin_of(p, end);
	set->bits[begin >> 3] |= (uint8_t)(1U << (begin & 7));
}

static inline bool word_begins_has(const struct word_begins *set, const uint8_t *p, const uint8_t *end)
{
	unsigned begin = word_begin_of(p, end);
	return set->bits[begin >> 3] >> (begin & 7) & 1;
}

/* Words of source text, hashed. */

/** Takes the next word from `rest` and hashes it without regard to ASCII case. Returns false at the end. */
bool words_next(struct slice *rest, uint32_t *hash);

/** Returns the hash of the word at p, which ends at `end` at the latest. */
uint32_t words_hash(const uint8_t *p, const uint8_t *end);

/** Bytes after a text that must be readable; their values do not matter. */
enum { WORDS_READ_ON = 33 };

/* A fixed-size set of a text's hashed runs of three words, to measure how much another text repeats. */

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
