/* SPDX-License-Identifier: MIT */
/* The tables of a report: regions, and all decisions. They list everything that was kept. */
#ifndef DANA_EXPLAIN_TABLES_H
#define DANA_EXPLAIN_TABLES_H

#include "lab/explain/decisions.h"
#include "lab/explain/html_out.h"

/** `id`: of the method; numbers of decisions link to "m1b3". */
void table_of_regions(struct html_out *o, const struct recording *r, const struct method_words *words);
void table_of_decisions(struct html_out *o, const struct decisions *d, const struct method_words *words, unsigned id);

#endif
