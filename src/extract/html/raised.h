/* SPDX-License-Identifier: MIT */
/*
 * What is written in plain text for <sup> and <sub>, whose content would otherwise be glued to the word before it:
 * "106" for a power of ten.
 *
 * Example: 10<sup>6</sup> is "10⁶", H<sub>2</sub>O "H₂O", x<sup>2,5</sup> "x^(2,5)", 21<sup>st</sup> "21st", and
 * tower<sup><a href="#n4">4</a></sup> "tower[4]".
 */
#ifndef DANA_EXTRACT_HTML_RAISED_H
#define DANA_EXTRACT_HTML_RAISED_H

#include "base/buf.h"

/** Bytes of source text; a longer one is text like any other. */
enum { RAISED_MOST = 64 };

/**
 * Appends to `to` what is written for `source`, the text of a <sup>, or of a <sub> with `lowered`; `note`: it is the
 * mark of a note. Both are source text. Returns whether there is something to be written in place of it, or
 * DANA_ENOMEM.
 */
int raised_text(struct buf *to, struct slice source, bool lowered, bool note);
/** The same of decoded text; `written`: how the text is written where its characters have no such forms. */
int raised_form(struct buf *to, struct slice text, struct slice written, bool lowered, bool note);

#endif
