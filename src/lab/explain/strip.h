/* SPDX-License-Identifier: MIT */
/* The strip of a method that gives each block a probability (learned): one bar for each block. */
#ifndef DANA_EXPLAIN_STRIP_H
#define DANA_EXPLAIN_STRIP_H

#include "lab/explain/bars.h"

/** Writes it as HTML, with links to the blocks' text if `linked`. `id` makes its ids unique. */
void strip_write(struct html_out *o, const struct recording *r, const struct bars *b, unsigned id, bool linked);

#endif
