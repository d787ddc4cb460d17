/* SPDX-License-Identifier: MIT */
/*
 * What an element says of itself by the words of its attributes. A word says that its element is not of the article if
 * one of its parts is a topic of such matter, and its other parts only say where or in what it is: holders anywhere,
 * places before the topic. Any other part may mean something else: "ad-free", "has-ads" and "newsletter-article" say
 * nothing.
 *
 * Example: "c-article__share-bar" has the parts "c", "article" (a place), "share" (a topic of tools) and "bar" (a
 * holder).
 */
#ifndef DANA_EXTRACT_LEARNED_SAYS_H
#define DANA_EXTRACT_LEARNED_SAYS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"

/** As a set. */
enum says {
	SAYS_APART = 1 << 0,  /* it is not of the article: an advertisement, a form to sign up, related articles */
	SAYS_TOOLS = 1 << 1,  /* what is short or linked in it is not of the article: to share, to listen */
	SAYS_LINKS = 1 << 2,  /* the links in it are not of the article, if it has no other words: to reply */
	SAYS_READER = 1 << 3, /* it is for programs that read aloud */
	SAYS_OPENS = 1 << 4,  /* readers open it: a tab, an accordion */
};

enum { SAYS_SLOTS = 1 << 10 };

/** The words of html/class_words.h by the hashes of their parts. */
struct says_table {
	uint64_t telling[512]; /* one bit for each 2^17 hashes: a word without one of these parts says nothing */
	struct says_slot {
		uint32_t hash;
		uint8_t kinds; /* enum class_part */
		uint8_t whole; /* enum says, of a whole word */
	} slot[SAYS_SLOTS];
};

void says_table_init(struct says_table *table);

/** Returns whether a word with a part of this hash (token_part_hash) may say something. */
static inline uint64_t says_may(const struct says_table *table, uint32_t hash)
{
	return table->telling[hash >> 23] >> (hash >> 17 & 63) & 1;
}

/** Returns what a word says. */
unsigned says_word(const struct says_table *table, struct slice word);
/** Returns what a label says: its words are the parts of one word. */
unsigned says_label(const struct says_table *table, struct slice label);

#endif
