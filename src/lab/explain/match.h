/* SPDX-License-Identifier: MIT */
/* Decisions against the text that the method gave, and two such texts against each other. */
#ifndef DANA_EXPLAIN_MATCH_H
#define DANA_EXPLAIN_MATCH_H

#include "lab/explain/decisions.h"

/**
 * Gives each line of the output to a kept decision. Unless the decisions are about `regions`, one whose text is not in
 * the output becomes dropped, and one without a reason gets one. 0 or DANA_ENOMEM.
 */
int match_output(struct decisions *d, struct slice output, bool regions);

/** Which lines of a text are in another text, too. Zeroed = none. */
struct line_marks {
	uint8_t *shared; /* of each line: at least half of its tokens are */
	size_t n;
};

/** marks[0] of text a, marks[1] of text b. 0 or DANA_ENOMEM; line_marks_free in both cases. */
int match_lines(struct line_marks marks[2], struct slice a, struct slice b);
void line_marks_free(struct line_marks *marks);

/** Takes the first line off `text`, without its line end. */
struct slice match_next_line(struct slice *text);

#endif
