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
	SAYS_HIDDEN = 1 << 5, /* its class hides it (display_of_class) */
};

/** Kinds of parts of words, as a set. */
enum says_part {
	PART_TOPIC = 1 << 0, /* of matter that is not of the article */
	PART_WITH = 1 << 1,  /* the same if a holder comes after it */
	PART_TOOLS = 1 << 2, /* the topic is a tool */
	PART_LINKS = 1 << 3, /* the topic is one of links */
	PART_HOLDER = 1 << 4,
	PART_PLACE = 1 << 5,
	PART_OPENS = 1 << 6, /* readers open it, whatever its other parts say */
};

enum { SAYS_SLOTS = 1 << 10 };

/** The words of data/says.tsv, and those of html/class_words.h for programs that read aloud, by hashes. */
extern const struct says_table {
	uint64_t telling[512]; /* one bit for each 2^17 hashes: a word without one of these parts says nothing */
	struct {
		uint32_t hash; /* of a part, or of the sequence of a whole word's parts; 0: the slot is empty */
		uint8_t kinds; /* enum says_part */
		uint8_t whole; /* enum says, of a whole word */
	} slot[SAYS_SLOTS];
} says_table;

/** What the hash of a part begins with; its letters follow, in lower case (hash_fnv32_byte). */
#define SAYS_PART_START (HASH_FNV32_START ^ 0x5555U)

/** Returns whether a word with a part of this hash may say something. */
static inline uint64_t says_may(uint32_t hash)
{
	return says_table.telling[hash >> 23] >> (hash >> 17 & 63) & 1;
}

/** Returns what a word says. */
unsigned says_word(struct slice word);
/** Returns what a label says: its words are the parts of one word. */
unsigned says_label(struct slice label);
/**
 * Return what the address of a link says: those by which readers share the page, or send it by mail, are tools.
 * `place`: an address from its host on, without "www."; `address`: one that has no host.
 */
unsigned says_place(struct slice place);
unsigned says_address(struct slice address);

#endif
