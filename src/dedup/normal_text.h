/* SPDX-License-Identifier: MIT */
/*
 * The form of a text that is compared, so that copies which differ only in spacing or encoding are equal:
 *
 * 1. invisible characters (base/characters.h) are dropped;
 * 2. NFC, Unicode's canonical composition, by utf8proc; of more than 32 marks in a row each 32 by themselves;
 * 3. with NORMAL_SMALL, small letters by Unicode's simple mapping;
 * 4. with NORMAL_WORDS, punctuation becomes white space, and white space stands around each character of a script
 *    without spaces;
 * 5. white space becomes one U+0020, and none stands at the two ends.
 *
 * Example: "  \u201cDana\u201d,  Cafe\u0301\n" with both flags gives "dana caf\u00e9".
 */
#ifndef DANA_DEDUP_NORMAL_TEXT_H
#define DANA_DEDUP_NORMAL_TEXT_H

#include "base/buf.h"

enum normal_flags {
	NORMAL_SMALL = 1,
	NORMAL_WORDS = 2,
};

/** One for each thread. */
struct normaliser;

/** NULL when memory is exhausted. */
struct normaliser *normaliser_new(void);
/** NULL allowed. */
void normaliser_free(struct normaliser *n);

/**
 * Appends the form of `text` to `out`, after a space where `out` is not empty. Faults in its UTF-8 become U+FFFD. 0 or
 * DANA_ENOMEM. Linear in the text. A text that is given in parts, cut after white space, gives the same form.
 */
int normal_text(struct normaliser *n, struct slice text, unsigned flags, struct buf *out);

/** Most bytes of a part, where there is white space to cut at. */
enum { NORMAL_PART = 1 << 16 };

/**
 * Takes the next part off the front of *text: up to the last white space of ASCII in its first NORMAL_PART bytes, else
 * up to the first one after them. Empty when nothing is left.
 */
struct slice normal_next_part(struct slice *text);

#endif
