/* SPDX-License-Identifier: MIT */
/*
 * METHOD[,METHOD...] of the command line. A method's keys are parted by commas too: `danag:gap=40,segment=80,dana` is
 * two methods.
 */
#ifndef DANA_LAB_METHOD_LIST_H
#define DANA_LAB_METHOD_LIST_H

#include "base/slice.h"

struct arena;

struct method_list {
	const char **names;
	size_t len;
	struct arena *memory;
};

/**
 * "all" is every method of the program. The names are not checked. 0 or DANA_ENOMEM; method_list_free in both cases.
 */
int method_list_make(struct method_list *list, const char *text);
void method_list_free(struct method_list *list);

#endif
