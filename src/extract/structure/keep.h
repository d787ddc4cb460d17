/* SPDX-License-Identifier: MIT */
/* Which pieces of a page are written: those that the method keeps, and what belongs to them. */
#ifndef DANA_STRUCTURE_KEEP_H
#define DANA_STRUCTURE_KEEP_H

#include "extract/structure/page.h"
#include "extract/structure/style.h"

/**
 * Sets `kept` and `chance` of all pieces. `spans`: the method's decisions, struct method_span each. Returns whether
 * they keep any piece. Linear.
 */
bool keep_pieces(struct structure_page *page, struct slice spans, enum style_headings headings);
/**
 * Of a record that does not begin with the page, after keep_pieces: returns whether nothing before it would be kept,
 * and the decisions do not depend on it.
 */
bool keep_is_sure(const struct structure_page *page);

#endif
