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

/** Returns the white space that a class sets. */
enum white_space display_class_space(struct slice value);

#endif
