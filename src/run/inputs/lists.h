/* SPDX-License-Identifier: MIT */
/* Inputs of `dana filter` one by one, and from lists (--list). */
#ifndef DANA_RUN_INPUTS_LISTS_H
#define DANA_RUN_INPUTS_LISTS_H

#include "run/inputs/inputs.h"

/** Adds an input as it was given; user and password are kept apart. Returns 0 or DANA_ENOMEM. */
int filter_lists_add(struct filter_inputs *in, const char *address, struct error *err);
/**
 * Appends the name that a line of a list means, `base` (NULL: none) in front if it is relative, with a NUL. Returns 0;
 * DANA_EFORMAT if it would lead out of the base; or DANA_ENOMEM.
 */
int filter_lists_name(struct slice line, const char *base, struct buf *name, struct error *err);

/** The name in messages: without secrets, printable. Returns `out`. */
const char *filter_lists_shown(const char *name, char *out, size_t size);

struct lines_wanted {
	const char *name;               /* a path, an address or "-" */
	const char *option;             /* that gave it */
	struct network *network;        /* NULL: addresses are not read */
	const struct notices *messages; /* for lines that cannot be read */
};

/** The lines of a file that were read. */
struct lines_read {
	uint64_t number;    /* of the last one, from 1 */
	uint64_t bad;       /* those that cannot be used */
	uint64_t first_bad; /* the number of the first one */
	struct error fault; /* of that line */
};

/** Line `number` cannot be used. */
void filter_lists_bad(struct lines_read *lines, const char *why);
/**
 * Reads the lines, and reports bad ones. Returns 0, the status of `take`, DANA_EIO or DANA_ENOMEM, with a text in
 * `err`.
 */
int filter_lists_lines(const struct lines_wanted *w, struct lines_read *lines,
		       int (*take)(void *arg, struct slice line, struct error *err), void *arg, struct error *err);
/**
 * Adds those of --list, with --base in front; sets in->incomplete where lines are bad. Returns 0, DANA_ECONFIG,
 * DANA_EIO or DANA_ENOMEM.
 */
int filter_lists_read(struct filter_inputs *in, const struct run_settings *s, struct network *network,
		      struct error *err);

#endif
