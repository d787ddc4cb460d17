/* SPDX-License-Identifier: MIT */
/*
 * The normal form of a text, which makes copies equal that differ only in spacing or encoding:
 *
 * 1. invisible characters (base/utf8.h) are dropped;
 * 2. NFC, Unicode's canonical composition, by utf8proc; more than 32 marks in a row are composed 32 at a time;
 * 3. with NORMAL_SMALL, small letters by Unicode's simple mapping;
 * 4. with NORMAL_WORDS, punctuation becomes white space, and white space is put around each character of a script
 *    without spaces;
 * 5. white space becomes one U+0020, and is removed at both ends.
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

/** Returns NULL if memory is exhausted. */
struct normaliser *normaliser_new(void);
/** NULL is allowed. */
void normaliser_free(struct normaliser *n);

/**
 * Appends the normal form of `text` to `out`, after a space if `out` is not empty. Invalid UTF-8 becomes U+FFFD.
 * Returns 0 or DANA_ENOMEM. Linear in the text. A text given in parts, cut after white space, has the same form.
 */
int normal_text(struct normaliser *n, struct slice text, unsigned flags, struct buf *out);

/** Most bytes of a part, if there is white space to cut at. */
enum { NORMAL_PART = 1 << 16 };

/**
 * Takes the next part off the front of *text: up to the last ASCII white space in its first NORMAL_PART bytes, else up
 * to the first one after them. Returns an empty slice at the end.
 */
struct slice normal_next_part(struct slice *text);

#endif
