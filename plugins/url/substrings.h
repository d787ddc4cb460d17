/* SPDX-License-Identifier: MIT */
/* Texts that are looked for anywhere in a URL, without regard to ASCII case. Threads: any number may look. */
#ifndef DANA_PLUGINS_URL_SUBSTRINGS_H
#define DANA_PLUGINS_URL_SUBSTRINGS_H

#include "base/buf.h"
#include "base/status.h"

enum { SUBSTRING_BUCKETS = 4096 };

/** Zeroed: empty. Owner: substrings_free. */
struct substrings {
	struct buf texts;     /* in lower case, one after the other */
	struct substring *at; /* place in `texts`, and the next of the same bucket */
	size_t n, cap;
	uint32_t bucket[SUBSTRING_BUCKETS]; /* by the first three bytes: number of the first, from 1; 0: none */
	uint32_t shorter;                   /* those of one and two bytes */
};

int substrings_add(struct substrings *s, struct slice text);
/** Entries of a file. 0, or a negative status with a text. */
int substrings_read(struct substrings *s, const char *file, struct error *err);
/** The one that stands first in the URL; empty: none does. */
struct slice substrings_find(const struct substrings *s, struct slice url);
void substrings_free(struct substrings *s);

#endif
