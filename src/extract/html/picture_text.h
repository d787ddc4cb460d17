/* SPDX-License-Identifier: MIT */
/*
 * Pictures that are characters.
 *
 * Example: <img class=emoji alt=":)"> is the text ":)".
 */
#ifndef DANA_EXTRACT_HTML_PICTURE_TEXT_H
#define DANA_EXTRACT_HTML_PICTURE_TEXT_H

#include "extract/html/attribute.h"

/**
 * Returns the characters that a picture stands for, as source text; empty: it is a picture of something else. *letter:
 * the letter that it may show, the first of a word, as its text is one capital letter; else 0.
 */
struct slice picture_text(struct html_attr_reader attrs, uint8_t *letter);

#endif
