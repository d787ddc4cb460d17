/* SPDX-License-Identifier: MIT */
/*
 * Where white space counts (CSS Text 3, section 3; HTML, section 15.3): in pre, listing, xmp, textarea and plaintext,
 * and under an inline `white-space`. No style sheet is read. It follows the tags from an element that changes white
 * space to its end, with the implied ends of p, li, dt, dd and table parts; elsewhere it keeps nothing.
 */
#ifndef DANA_HTML_WHITE_SPACE_H
#define DANA_HTML_WHITE_SPACE_H

#include "extract/html/tag.h"

enum white_space {
	WHITE_SPACE_COLLAPSES, /* normal, nowrap */
	WHITE_SPACE_LINES,     /* pre-line: line ends are kept, blanks collapse */
	WHITE_SPACE_KEPT,      /* pre, pre-wrap, break-spaces */
	WHITE_SPACE_INHERITED, /* an element that says nothing of it */
};

/**
 * Elements inside of the one that changes white space; deeper ones have the white space of the deepest one that is
 * recorded.
 */
enum { WHITE_SPACE_DEPTH = 64 };

/** Zeroed at a page's begin. */
struct white_space_state {
	uint8_t now; /* enum white_space of the text that follows */
	uint8_t len; /* open elements, from the outermost that changes white space on; 0 = outside of such */
	uint32_t deeper;
	struct {
		uint8_t tag, space;
	} open[WHITE_SPACE_DEPTH];
};

/** Of the last `white-space` with a known value in a style attribute. */
enum white_space white_space_of_style(struct slice style);
/** Of the property that `s` begins with; WHITE_SPACE_INHERITED if it is another one. */
enum white_space white_space_of_property(struct slice s);
/** Of an element without style. `name` is looked at for HTML_TAG_OTHER alone. */
enum white_space white_space_of_tag(enum html_tag tag, struct slice name);

/** A start tag of an element that is told to have `own` white space. Constant time. */
void white_space_start(struct white_space_state *s, enum html_tag tag, enum white_space own);
void white_space_end(struct white_space_state *s, enum html_tag tag);

#endif
