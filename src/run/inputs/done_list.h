/* SPDX-License-Identifier: MIT */
/* Inputs and parts of inputs that several runs have read: none may be there twice. */
#ifndef DANA_RUN_INPUTS_DONE_LIST_H
#define DANA_RUN_INPUTS_DONE_LIST_H

#include "base/arena.h"
#include "base/json_writer.h"
#include "base/status.h"
#include "run/inputs/input_range.h"

struct done_input {
	struct slice name;        /* without the range */
	struct input_range range; /* both 0: all of it */
	const char *by;           /* the run that has read it, for messages; borrowed */
};

/** `memory` is set by the owner and freed by it: it holds the names. The rest is zeroed before use. */
struct done_list {
	struct arena *memory;
	struct done_input *items;
	size_t n, cap;
};

/** Adds "FILE" or "FILE@BEGIN-END". Returns 0 or DANA_ENOMEM. */
int done_list_add(struct done_list *list, struct slice input, const char *by);
/** Sorts by name and place. Returns 0, or DANA_ECONFIG with both runs where a part of an input is there twice. */
int done_list_sort(struct done_list *list, struct error *err);
/** Appends an element: "FILE" or "FILE@BEGIN-END". Failures latch in its buffer. */
void done_input_write(struct slice name, struct input_range range, struct json_writer *w);
/** Appends a JSON array of them. Returns 0 or DANA_ENOMEM. */
int done_list_json(const struct done_list *list, struct buf *out);
/** Frees the array, but not `memory`. */
void done_list_free(struct done_list *list);

#endif
