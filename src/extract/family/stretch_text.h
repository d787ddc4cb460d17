/* SPDX-License-Identifier: MIT */
/* The text of a stretch of markup, written only for the segments that need it. */
#ifndef DANA_FAMILY_STRETCH_TEXT_H
#define DANA_FAMILY_STRETCH_TEXT_H

#include "base/buf.h"
#include "extract/html/tokenizer.h"
#include "extract/text_writer.h"

enum { STRETCH_WORDS = HTML_WINDOW / 64 + 1 };

/** What precedes a text: the stretch's first text, and finally the text after the stretch. */
struct stretch_before {
	bool block_pending; /* a block begins */
	bool after_space;   /* the last content was a blank, or a block begins */
	bool lone_space;    /* only white space came since the last content */
};

struct stretch_text {
	const struct html_stretch *stretch;
	struct stretch_before before;
	/** Held before the stretch, then after it; used where white space does not collapse. */
	struct held_space *held;
	bool after_any;                /* white space between tags becomes a blank even after a blank */
	uint64_t units[STRETCH_WORDS]; /* bytes of the stretch that count: one for each unit */
};

/**
 * Returns the bytes of the text in a block, as bits like html_stretch.code; white space among them is written as a
 * blank.
 */
static inline uint64_t stretch_kept(const struct stretch_text *t, size_t block)
{
	const struct html_stretch *h = t->stretch;
	return (t->units[block] | h->masks[block].cont) & ~(h->code[block] | h->voids[block]);
}

/** Appends the text of window[from..to), for struct chain_source. */
int stretch_text_write(void *text, struct buf *out, size_t from, size_t to);
/**
 * Writes the white space before a word that the stretch begins with: it belongs to the current segment, even if that is
 * full.
 */
int stretch_text_begin(struct stretch_text *text, struct buf *out);
/** Returns what precedes the text that follows the stretch; *text->held then also belongs to that text. */
struct stretch_before stretch_text_end(const struct stretch_text *text);

#endif
