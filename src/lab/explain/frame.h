/* SPDX-License-Identifier: MIT */
/*
 * What all reports have around them: head, style, the lists of facts. No script, no network: a policy in the file says
 * so.
 */
#ifndef DANA_EXPLAIN_FRAME_H
#define DANA_EXPLAIN_FRAME_H

#include "lab/explain/html_out.h"

/** Opens the document up to its <h1>: "`before` `name`". */
void frame_open(struct html_out *o, const char *before, struct slice name);
void frame_close(struct html_out *o);

void facts_open(struct html_out *o);
void fact_text(struct html_out *o, const char *name, const char *value);
void fact_number(struct html_out *o, const char *name, double value);
void facts_close(struct html_out *o);

/** Percent with one digit after the point; 0 of nothing is 0. */
double frame_percent(uint64_t part, uint64_t whole);

#endif
