/* SPDX-License-Identifier: MIT */
/* The inputs of `dana filter` and the outputs that belong to them. */
#ifndef DANA_CLI_FILTER_INPUTS_H
#define DANA_CLI_FILTER_INPUTS_H

#include "base/status.h"
#include "cli/name_list.h"
#include "config/filter_options.h"
#include "config/option.h"

/** All strings live in the memory of `names`. Zeroed before use. */
struct filter_inputs {
	struct name_list names;     /* paths; "-" = standard input; addresses without user and password */
	struct name_list addresses; /* the same with them; empty where none has any */
	const char **outputs;       /* one for each with --output-dir; else NULL */
};

/**
 * Positional inputs, then those of --list; standard input when there are neither. With --output-dir also the names of
 * the outputs. 0, DANA_ECONFIG (names collide or are not allowed, standard input twice), DANA_EIO (the list) or
 * DANA_ENOMEM.
 */
int filter_inputs_gather(struct filter_inputs *in, const struct filter_settings *s, const struct options_rest *rest,
			 struct error *err);
/** Is any of them to be fetched? */
bool filter_inputs_network(const struct filter_inputs *in);
/** Is standard input among them? */
bool filter_inputs_standard(const struct filter_inputs *in);
void filter_inputs_free(struct filter_inputs *in);

#endif
