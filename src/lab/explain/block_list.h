/* SPDX-License-Identifier: MIT */
/* The page's text: kept and dropped blocks side by side, each with the numbers and reasons of its decision. */
#ifndef DANA_EXPLAIN_BLOCK_LIST_H
#define DANA_EXPLAIN_BLOCK_LIST_H

#include "lab/explain/bars.h"
#include "lab/explain/line_pages.h"
#include "lab/explain/match.h"

struct block_list {
	const struct decisions *decisions;
	const struct recording *recording;
	const struct bars *bars;
	const struct method_words *words;
	struct slice output;            /* of the method */
	const struct line_marks *marks; /* of its lines; NULL if there is only one method */
	const struct line_pages *pages; /* of its lines; NULL if unknown */
	unsigned id;                    /* of the method: ids are "m1b3" */
};

void block_list_write(struct html_out *o, const struct block_list *list);

#endif
