/* SPDX-License-Identifier: MIT */
/*
 * Pictures that are characters.
 *
 * Example: <img class=emoji alt=":)"> is the text ":)".
 */
#ifndef DANA_EXTRACT_HTML_PICTURE_TEXT_H
#define DANA_EXTRACT_HTML_PICTURE_TEXT_H

#include "extract/html/attribute.h"

/** Returns the characters that a picture stands for, as source text; empty: it is a picture of something else. */
struct slice picture_text(struct html_attr_reader attrs);
/** Returns the letter that a picture may show, the first of a word: its text is one capital letter; else empty. */
struct slice picture_letter(struct html_attr_reader attrs);

#endif
