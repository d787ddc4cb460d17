/* SPDX-License-Identifier: MIT */
/* The frame of all reports: head, style, lists of facts. A policy in the file forbids scripts and network access. */
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

/** Returns a percentage with one digit after the point; 0 if `whole` is 0. */
double frame_percent(uint64_t part, uint64_t whole);

#endif
