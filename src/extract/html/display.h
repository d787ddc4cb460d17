/* SPDX-License-Identifier: MIT */
/*
 * What styles and classes say of how an element is shown. No style sheet is read.
 *
 * Example: "Display : block !important; color:red" shows an inline element as lines of its own, and
 * "display:block; display:inline" does not.
 */
#ifndef DANA_EXTRACT_HTML_DISPLAY_H
#define DANA_EXTRACT_HTML_DISPLAY_H

#include <stdbool.h>

#include "base/slice.h"
#include "extract/html/white_space.h"

/** Returns whether the last known `display` of a style attribute begins a line. */
bool display_is_block(struct slice style);

/** What the words of a class say. */
struct class_display {
	uint8_t white; /* enum white_space */
	bool initial;  /* the element is a large first letter */
};

struct class_display display_of_class(struct slice value);

#endif
