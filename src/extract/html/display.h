/* SPDX-License-Identifier: MIT */
/*
 * Whether a style shows an inline element as lines of its own. No style sheet is read.
 *
 * Example: "Display : block !important; color:red" does, and "display:block; display:inline" does not.
 */
#ifndef DANA_EXTRACT_HTML_DISPLAY_H
#define DANA_EXTRACT_HTML_DISPLAY_H

#include <stdbool.h>

#include "base/slice.h"

/** Returns whether the last known `display` of a style attribute begins a line. */
bool display_is_block(struct slice style);

#endif
