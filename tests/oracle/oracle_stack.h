/* SPDX-License-Identifier: MIT */
/*
 * The stack of open elements for the batch oracles: the rules that extract/html/elements.h documents, written
 * apart from that code. It compares names as text, walks down the stack for every question, and shares nothing with the
 * product.
 */
#ifndef DANA_TESTS_ORACLE_STACK_H
#define DANA_TESTS_ORACLE_STACK_H

#include "base/slice.h"

enum { ORACLE_STACK_MOST = 512 };

struct oracle_open {
	char name[65]; /* in lower case */
	bool known;    /* HTML has an element of that name */
};

/** Zeroed, but for `max`, at most ORACLE_STACK_MOST: empty. */
struct oracle_stack {
	struct oracle_open open[ORACLE_STACK_MOST];
	size_t depth, max;
	size_t deeper; /* start tags beyond the limit whose end tags have not come */
};

/** What a tag does: the topmost `closes` elements end, then, if `opens`, one begins. */
struct oracle_change {
	size_t closes;
	bool opens;
};

struct oracle_change oracle_stack_start(struct oracle_stack *s, struct slice name, bool known);
struct oracle_change oracle_stack_end(struct oracle_stack *s, struct slice name, bool known);

#endif
