/* SPDX-License-Identifier: MIT */
/*
 * The strip of a page as a picture that stands alone: SVG with its words and style inside, light and dark, for
 * documents.
 */
#ifndef DANA_EXPLAIN_PICTURE_H
#define DANA_EXPLAIN_PICTURE_H

#include "lab/explain/bars.h"

/** `title` stands above the strip. For methods that tell probabilities. */
void picture_write(struct html_out *o, const struct recording *r, const struct bars *b, struct slice title);

#endif
