/* SPDX-License-Identifier: MIT */
/* Regular expressions (PCRE2) that are looked for in a URL. */
#ifndef DANA_PLUGINS_URL_PATTERNS_H
#define DANA_PLUGINS_URL_PATTERNS_H

#include "base/slice.h"
#include "base/status.h"

struct pattern;

/** Zeroed: empty. Owner: patterns_free. Threads: any number may look, each with a matcher of its own. */
struct patterns {
	struct pattern *at;
	size_t n, cap;
};

/** What one thread needs to look. */
struct matcher;

/** 0, DANA_ENOMEM, or DANA_ECONFIG with where and why it cannot be read. */
int patterns_add(struct patterns *p, struct slice text, struct error *err);
/** Entries of a file; '#' is part of a pattern but at the beginning of a line or after white space. */
int patterns_read(struct patterns *p, const char *file, struct error *err);
/**
 * The text of the first pattern, in the order in which they were added, that matches; empty: none does. A pattern that takes more than
 * PATTERN_STEPS steps does not match: *stopped counts them.
 */
struct slice patterns_find(const struct patterns *p, struct matcher *m, struct slice url, uint64_t *stopped);
void patterns_free(struct patterns *p);

enum { PATTERN_STEPS = 100000 };

/** NULL: memory is exhausted. */
struct matcher *matcher_new(void);
void matcher_free(struct matcher *m);

#endif
