/* SPDX-License-Identifier: MIT */
/* A list of names that grows: of the inputs of a command, or of folders that are still to be searched. */
#ifndef DANA_RUN_INPUTS_NAME_LIST_H
#define DANA_RUN_INPUTS_NAME_LIST_H

#include "base/arena.h"
#include "base/status.h"

/** `memory` is set by the owner and freed by it: it holds the text of the names. The rest is zeroed before use. */
struct name_list {
	struct arena *memory;
	const char **items; /* ended by NUL */
	size_t n, cap;
};

/** Appends a copy. Returns 0, or DANA_ENOMEM with its message. */
int name_list_add(struct name_list *list, struct slice name, struct error *err);
/** Frees the array, but not `memory`. */
void name_list_free(struct name_list *list);

#endif
