/* SPDX-License-Identifier: MIT */
/* The pages of `dana extract`: files as given, folders searched; and the outputs that belong to them. */
#ifndef DANA_RUN_PAGES_INPUTS_H
#define DANA_RUN_PAGES_INPUTS_H

#include "base/notice.h"
#include "base/status.h"
#include "run/inputs/name_list.h"

/** All strings live in the memory of `names`. Zeroed before use but for `notices`. */
struct extract_inputs {
	struct name_list names; /* paths; "-" = standard input */
	struct notices notices; /* set by the caller: of folders that cannot be read */
	bool failed;            /* a folder could not be read, which was reported */
	const char **outputs;   /* one for each, after extract_inputs_outputs; else NULL */
};

/** Returns whether these names may stand for more than one page: before folders are searched. */
bool extract_inputs_several(const char *const *given, size_t n);
/**
 * The given names in their order; a folder stands for the files in it and in the folders inside that end in .html, .htm
 * or .xhtml, sorted by their paths. Hidden ones, and folders that symbolic links lead to, are left out. No name:
 * standard input. Returns 0, DANA_ECONFIG (standard input twice) or DANA_ENOMEM.
 */
int extract_inputs_gather(struct extract_inputs *in, const char *const *given, size_t n, struct error *err);
/**
 * Names an output FOLDER/NAME for each, with a suffix such as ".txt". Returns 0, DANA_ECONFIG (names collide
 * or are not allowed) or DANA_ENOMEM.
 */
int extract_inputs_outputs(struct extract_inputs *in, const char *folder, const char *suffix, struct error *err);
void extract_inputs_free(struct extract_inputs *in);

#endif
