/* SPDX-License-Identifier: MIT */
/* Regular expressions (PCRE2) that are searched for in a URL. */
#ifndef DANA_PLUGINS_URL_PATTERNS_H
#define DANA_PLUGINS_URL_PATTERNS_H

#include "base/slice.h"
#include "base/status.h"

struct pattern;

/** Zero-initialised it is empty; patterns_free frees it. Threads: any number may search, each with its own matcher. */
struct patterns {
	struct pattern *at;
	size_t n, cap;
};

/** Memory that one thread needs to search. */
struct matcher;

/**
 * Adds a pattern. Returns 0, DANA_ENOMEM, or DANA_ECONFIG with the place and the reason in `err` if it cannot be
 * parsed.
 */
int patterns_add(struct patterns *p, struct slice text, struct error *err);
/**
 * Adds the entries of a file. A '#' starts a comment at the beginning of a line or after white space; elsewhere it is
 * part of the pattern.
 */
int patterns_read(struct patterns *p, const char *file, struct error *err);
/**
 * Returns the text of the first pattern that matches, in the order in which they were added; empty if no pattern
 * matches. A pattern that takes more than PATTERN_STEPS steps does not match, and is counted in *stopped.
 */
struct slice patterns_find(const struct patterns *p, struct matcher *m, struct slice url, uint64_t *stopped);
void patterns_free(struct patterns *p);

enum { PATTERN_STEPS = 100000 };

/** Returns NULL if memory is exhausted. */
struct matcher *matcher_new(void);
void matcher_free(struct matcher *m);

#endif
