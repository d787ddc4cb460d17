/* SPDX-License-Identifier: MIT */
/* Which elements a browser does not show, by their own attributes: the rule for text, Markdown and blocks. */
#ifndef DANA_EXTRACT_HTML_UNSEEN_H
#define DANA_EXTRACT_HTML_UNSEEN_H

#include <stdbool.h>

#include "base/slice.h"

/**
 * Returns whether a style hides its element: display:none, visibility:hidden or collapse, or two of font-size:0,
 * opacity:0 and color:transparent. One of these alone hides nothing: scripts fade elements in, and containers with
 * letters of size 0 have parts with other letters.
 */
bool unseen_style(struct slice style);
/** Returns whether the attribute hidden of this value hides its element: "until-found" is text that can be found. */
bool unseen_hidden(struct slice value);

#endif
