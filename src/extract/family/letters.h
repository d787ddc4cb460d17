/* SPDX-License-Identifier: MIT */
/*
 * The letters of a page's content, by which `auto` chooses: those in ASCII and those outside of it. After 256 letters
 * and at each doubling their share decides if it is clear enough; after 8,192 letters it always is.
 */
#ifndef DANA_EXTRACT_FAMILY_LETTERS_H
#define DANA_EXTRACT_FAMILY_LETTERS_H

#include "extract/family/references.h"

enum choice { DANA, DANAG, OPEN };

struct letters {
	unsigned long share;   /* lowest percentage for `dana` */
	uint64_t all, foreign; /* letters so far, and those outside of ASCII */
	uint64_t next_look;
	bool literal; /* letters of references count */
	struct references references;
	bool foreign_half; /* at one of the looks at least half of them were outside of ASCII */
	enum choice choice;
};

/** Begins a page; keeps `share` and `literal`. */
void letters_begin(struct letters *l);
/** Each counts letters until the page is decided, and returns OPEN until then. */
enum choice letters_run(struct letters *l, const struct html_run *run);
enum choice letters_stretch(struct letters *l, const struct html_stretch *h);
/** Ends the page: all letters decide. Without letters `danag` is chosen. */
enum choice letters_end(struct letters *l);

#endif
