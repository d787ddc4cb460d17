/* SPDX-License-Identifier: MIT */
/* The strip of a page as a self-contained SVG picture for documents, with its text and its style, light and dark. */
#ifndef DANA_EXPLAIN_PICTURE_H
#define DANA_EXPLAIN_PICTURE_H

#include "lab/explain/bars.h"

/** `title` is written above the strip. For methods that give probabilities. */
void picture_write(struct html_out *o, const struct recording *r, const struct bars *b, struct slice title);

#endif
