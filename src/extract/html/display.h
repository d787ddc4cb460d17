/* SPDX-License-Identifier: MIT */
/*
 * What attributes say of how an element is shown, and whether it is: the rule for text, Markdown and blocks. No style
 * sheet is read.
 *
 * Example: "Display : block !important; color:red" shows an inline element as lines of its own, and
 * "display:block; display:inline" does not. "display:none; display:block" shows its element.
 */
#ifndef DANA_EXTRACT_HTML_DISPLAY_H
#define DANA_EXTRACT_HTML_DISPLAY_H

#include <stdbool.h>

#include "base/slice.h"
#include "extract/html/white_space.h"

struct style_display {
	/**
	 * A browser does not show the element: display:none, visibility:hidden or collapse, a place far left of the
	 * screen or above it, a clip of nothing, or two of font-size:0, opacity:0 and color:transparent. One of these
	 * alone hides nothing: scripts fade elements in, and containers with letters of size 0 have parts with other
	 * letters.
	 */
	bool unseen;
	bool line; /* the last known `display` begins a line */
};

/** Reads a style attribute. */
struct style_display display_of_style(struct slice style);
/** Returns whether the attribute hidden of this value hides its element: "until-found" is text that can be found. */
bool display_hidden(struct slice value);
/**
 * Reads a class, by the names of Tailwind, Bootstrap and others: "hidden" and "d-none" hide on screens of every size,
 * "hidden md:block", "d-none d-md-flex" and "text-toggle hidden" do not; "block" and "d-flex" begin a line, unless
 * "sm:inline" is with them.
 */
struct style_display display_of_class(struct slice value);
/** What a word of a class may say, as a set. */
enum display_may { DISPLAY_MAY_HIDE = 1, DISPLAY_MAY_LINE = 2 };
/** Returns what a word may say, by its first letters and its length: enum display_may. */
unsigned display_class_may(const uint8_t *word, size_t len);
/** Returns whether one of many words may hide: most have none of their letters. */
bool display_class_may_hide(struct slice words);
/** Returns the white space that a class sets. */
enum white_space display_class_space(struct slice value);

#endif
