/* SPDX-License-Identifier: MIT */
/* Compares decisions with the method's text, and two such texts with each other. */
#ifndef DANA_EXPLAIN_MATCH_H
#define DANA_EXPLAIN_MATCH_H

#include "lab/explain/decisions.h"

/**
 * Assigns each line of the output to a kept decision. Unless decisions are `regions`, one whose text is not in the
 * output becomes dropped, and one without a reason gets one. Returns 0 or DANA_ENOMEM.
 */
int match_output(struct decisions *d, struct slice output, bool regions);

/** The lines of a text that are also in another text. Zeroed, it has no lines. */
struct line_marks {
	uint8_t *shared; /* for each line: at least half of its tokens are shared */
	size_t n;
};

/** Fills marks[0] for text a and marks[1] for text b. Returns 0 or DANA_ENOMEM; call line_marks_free in both cases. */
int match_lines(struct line_marks marks[2], struct slice a, struct slice b);
void line_marks_free(struct line_marks *marks);

/** Removes the first line from `text` and returns it without its line end. */
struct slice match_next_line(struct slice *text);

#endif
