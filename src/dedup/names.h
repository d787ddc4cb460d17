/* SPDX-License-Identifier: MIT */
/* The files that a command is given: by name, or by the folder that holds them. */
#ifndef DANA_DEDUP_NAMES_H
#define DANA_DEDUP_NAMES_H

#include <stddef.h>

#include "base/status.h"

/** Names of files; zeroed: empty. */
struct dedup_names {
	char **items;
	size_t n, cap;
};

/** Those that are given, in their order; of a folder, sorted, the files in it whose names end with `suffix`. */
int dedup_names_gather(struct dedup_names *names, const char *const *given, size_t n, const char *suffix,
		       struct error *err);
void dedup_names_free(struct dedup_names *names);

#endif
