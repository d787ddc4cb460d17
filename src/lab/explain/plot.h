/* SPDX-License-Identifier: MIT */
/*
 * The papers' plots as inline SVG: content above and code below the axis for each segment; the smoothed curve; regions,
 * chains and gaps. Hundreds of thousands of segments are drawn as at most PLOT_COLUMNS columns. Shapes and hatching
 * show the same as colours. A picture stretches to the width of the reader's window, so all text is around it, in HTML.
 */
#ifndef DANA_EXPLAIN_PLOT_H
#define DANA_EXPLAIN_PLOT_H

#include "lab/explain/bars.h"

enum { PLOT_COLUMNS = 600 };

/** Writes the hatchings; call it once in a document, before the plots. */
void plot_patterns(struct html_out *o);
/**
 * Writes all plots of a recording that has segments. `id` makes the ids of its elements unique; `bars`: the decisions
 * that the plots link to, or NULL.
 */
void plot_all(struct html_out *o, const struct recording *r, const struct method_words *words, const struct bars *bars,
	      unsigned id);

#endif
