/* SPDX-License-Identifier: MIT */
/* What --plugin-opt=dana.NAME[=VALUE] asks for: some options of the plugin's own; all others are those of dana filter. */
#ifndef DANA_WGET2_OPTIONS_H
#define DANA_WGET2_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

/** Zeroed: nothing is asked for. */
struct options {
	char *warc;    /* file for the records of the crawl; NULL: none */
	char *program; /* NULL: the installed dana */
	char *output;  /* of dana filter: where it writes; NULL: none is named */
	size_t body_most;
	bool force;
	bool jobs;        /* they are said, or may be */
	char **arguments; /* of the child: the program, "filter", the options, NULL; after options_finish */
	size_t n, cap;
};

/** 0, or -1: wrong, which is told. `value` may be NULL. */
int options_read(struct options *o, const char *name, const char *value);
/** Completes `arguments`, for which there must be room. 0 or -1. */
int options_finish(struct options *o);
/** Is dana filter to be run? */
bool options_filter(const struct options *o);
/** What --plugin-help prints. */
void options_help(void);
void options_free(struct options *o);

#endif
