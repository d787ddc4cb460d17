/* SPDX-License-Identifier: MIT */
#ifndef DANA_BASE_TEXT_LIST_H
#define DANA_BASE_TEXT_LIST_H

#include <stdbool.h>

enum { TEXT_LIST_MOST = 64 };

/** The values of an option that is repeatable; borrowed. */
struct text_list {
	const char *at[TEXT_LIST_MOST];
	unsigned n;
	bool standard; /* these are replaced by the next value, not added to */
};

#endif
