/* SPDX-License-Identifier: MIT */
/*
 * Follows where white space counts (CSS Text 3, section 3; HTML, section 15.3): in pre, listing, xmp, textarea and
 * plaintext, and under an inline `white-space`. No style sheet is read. Tags are followed from an element that changes
 * white space to its end, with the implied ends of p, li, dt, dd and table parts; elsewhere no state is kept.
 */
#ifndef DANA_EXTRACT_HTML_WHITE_SPACE_H
#define DANA_EXTRACT_HTML_WHITE_SPACE_H

#include "extract/html/tag.h"

enum white_space {
	WHITE_SPACE_COLLAPSES, /* normal, nowrap */
	WHITE_SPACE_LINES,     /* pre-line: line ends are kept, blanks collapse */
	WHITE_SPACE_KEPT,      /* pre, pre-wrap, break-spaces */
	WHITE_SPACE_INHERITED, /* the element does not set it */
};

/** Elements recorded inside of the one that changes white space; deeper ones have the white space of the deepest
 * recorded one. */
enum { WHITE_SPACE_DEPTH = 64 };

/** Zeroed at the start of a page. */
struct white_space_state {
	uint8_t now; /* enum white_space of the text that follows */
	uint8_t len; /* open elements, from the outermost that changes white space on; 0 outside of such elements */
	uint32_t deeper;
	struct {
		uint8_t tag, space;
	} open[WHITE_SPACE_DEPTH];
};

/** Returns the value of the last `white-space` with a known value in a style attribute. */
enum white_space white_space_of_style(struct slice style);

/** Returns the white space of an element without style. `name` matters only for HTML_TAG_OTHER. */
enum white_space white_space_of_tag(enum html_tag tag, struct slice name);
/** Takes a start tag of an element with `own` white space. Constant time. */
void white_space_start(struct white_space_state *s, enum html_tag tag, enum white_space own);
void white_space_end(struct white_space_state *s, enum html_tag tag);
/**
 * Returns the first place in from..to where a `white-space` begins whose value keeps white space, or `to`; so the tags
 * of a stretch need not be read for their styles. p[0..len) is readable and contains its value. Nearly no page has it,
 * and a search costs a fraction of an instruction a byte.
 */
size_t white_space_find(const uint8_t *p, size_t from, size_t to, size_t len);

#endif
