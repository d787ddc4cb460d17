/* SPDX-License-Identifier: MIT */
/* Inputs of `dana filter` one by one, and from lists (--list). */
#ifndef DANA_CLI_FILTER_LISTS_H
#define DANA_CLI_FILTER_LISTS_H

#include "cli/filter_inputs.h"

/** Adds an input as it was given; user and password are kept apart. 0 or DANA_ENOMEM. */
int filter_lists_add(struct filter_inputs *in, const char *address, struct error *err);
/** Appends the name that a line of a list means, `base` (NULL: none) in front if it is relative, with a NUL. */
int filter_lists_name(struct slice line, const char *base, struct buf *name, struct error *err);

/** The name in messages: without secrets, printable. Returns `out`. */
const char *filter_lists_shown(const char *name, char *out, size_t size);

struct lines_wanted {
	const char *name;        /* a path, an address or "-" */
	const char *option;      /* that gave it */
	struct network *network; /* NULL: addresses are not read */
};

/** line_reader_run, with option and name in the message. */
int filter_lists_lines(const struct lines_wanted *w, int (*take)(void *arg, struct slice line, struct error *err),
		       void *arg, struct error *err);
/** Adds those of --list, with --base in front. 0, DANA_ECONFIG, DANA_EIO or DANA_ENOMEM. */
int filter_lists_read(struct filter_inputs *in, const struct filter_settings *s, struct network *network,
		      struct error *err);

#endif
