/* SPDX-License-Identifier: MIT */
/* Texts that are searched for anywhere in a URL, ignoring ASCII case. Threads: any number may search. */
#ifndef DANA_PLUGINS_URL_SUBSTRINGS_H
#define DANA_PLUGINS_URL_SUBSTRINGS_H

#include "base/buf.h"
#include "base/status.h"

enum { SUBSTRING_BUCKETS = 4096 };

/** Zero-initialised it is empty; substrings_free frees it. */
struct substrings {
	struct buf texts;     /* in lower case, one after the other */
	struct substring *at; /* place in `texts`, and the next of the same bucket */
	size_t n, cap;
	uint32_t bucket[SUBSTRING_BUCKETS]; /* by the first three bytes: number of the first text, from 1; 0: empty */
	uint32_t shorter;                   /* first of the texts of one and two bytes */
};

int substrings_add(struct substrings *s, struct slice text);
/** Adds the entries of a file. Returns 0, or a negative status with a text. */
int substrings_read(struct substrings *s, const char *file, struct error *err);
/** Returns the text that occurs first in the URL; empty if no text does. */
struct slice substrings_find(const struct substrings *s, struct slice url);
void substrings_free(struct substrings *s);

#endif
