/* SPDX-License-Identifier: MIT */
/* Formulas that stand in the text between delimiters, for a program that shows them when the page is read. */
#ifndef DANA_STRUCTURE_FORMULA_TEXT_H
#define DANA_STRUCTURE_FORMULA_TEXT_H

#include "base/buf.h"

/** Zeroed at the start of a text: which closing delimiters it is known not to have any more. */
struct formula_finder {
	bool no_round, no_square, no_dollars;
	unsigned no_end; /* environments that nothing ends */
};

struct formula_found {
	struct slice tex;
	size_t end; /* after the closing delimiter */
	bool display;
};

/** Returns whether a formula begins at `at` of the text. All calls for one text, in order, take linear time. */
bool formula_find(struct formula_finder *finder, struct slice text, size_t at, struct formula_found *found);
/** Returns whether all of the text is a formula on lines of its own. */
bool formula_is_all(struct slice text, struct slice *tex);

#endif
