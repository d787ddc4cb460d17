/* SPDX-License-Identifier: MIT */
/* The options --plugin-opt=dana.NAME[=VALUE]: some belong to the plugin; all others are passed on to dana filter. */
#ifndef DANA_WGET2_OPTIONS_H
#define DANA_WGET2_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

/** Zero-initialised: no option is set. */
struct options {
	char *warc;    /* file for the records of the crawl; NULL: not written */
	char *program; /* NULL: the installed dana */
	char *output;  /* output file of dana filter; NULL: not set */
	size_t body_most;
	bool force;
	bool jobs;        /* jobs or config was given, so that jobs is or may be set */
	char **arguments; /* of the child: the program, "filter", the options, NULL; after options_finish */
	size_t n, cap;
};

/** Reads an option. Returns 0, or -1 after it has reported an error. `value` may be NULL. */
int options_read(struct options *o, const char *name, const char *value);
/** Completes `arguments`. Returns 0, or -1 after it has reported an error. */
int options_finish(struct options *o);
/** Returns whether dana filter is to be run. */
bool options_filter(const struct options *o);
/** Prints the text of --plugin-help. */
void options_help(void);
void options_free(struct options *o);

#endif
