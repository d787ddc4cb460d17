/* SPDX-License-Identifier: MIT */
/*
 * The letters of a page's content, by which `auto` chooses: those of ASCII and those outside of it. After 256 letters
 * and at each doubling their share decides if it is clear enough; after 8,192 letters it always is.
 */
#ifndef DANA_FAMILY_LETTERS_H
#define DANA_FAMILY_LETTERS_H

#include "extract/html/tokenizer.h"

enum choice { DANA, DANAG, OPEN };

struct letters {
	unsigned long share;   /* percent of the letters from which on it is `dana` */
	uint64_t all, foreign; /* so far; those outside of ASCII */
	uint64_t next_look;
	bool foreign_half; /* at one of the looks half of them were outside of ASCII, or more */
	enum choice choice;
};

/** A page begins; keeps `share`. */
void letters_begin(struct letters *l);
/** Each: counts until the page is decided, by single letters; OPEN until then. `text`: outside of skipped elements. */
enum choice letters_run(struct letters *l, struct slice text);
enum choice letters_stretch(struct letters *l, const struct html_stretch *h);
/** The page is over: all letters decide. A page without letters is danag's. */
enum choice letters_end(const struct letters *l);

#endif
