/* SPDX-License-Identifier: MIT */
/* What the verbs of `dana dedup` share. */
#ifndef DANA_CLI_DEDUP_H
#define DANA_CLI_DEDUP_H

#include "cli/command.h"

struct dedup_settings {
	const char *output, *similarity, *method, *rows;
	int keep;  /* enum cluster_keep */
	int scope; /* 0: host, 1: all */
	bool force, rejects;
	unsigned jobs; /* all bits 1: not given */
	uint64_t least, size, memory, documents, chars, lines, repeated, duplicates;
};

/** What follows the verb. */
struct dedup_arguments {
	const char *command; /* "dedup cluster", for messages */
	const char *const *names;
	size_t n;
};

struct dedup_verb {
	const char *name, *summary, *synopsis;
	const char *options; /* names of those that it takes, a space before and after each */
	size_t least, most;  /* arguments */
	int (*run)(const struct dedup_settings *s, const struct dedup_arguments *a); /* the exit status */
};

extern const struct dedup_verb dedup_verbs[]; /* ended by one without a name */
/** Returns the verb of that name; NULL if it does not exist. */
const struct dedup_verb *dedup_find_verb(const char *name);
/** Returns whether the verb takes the option of that name. */
bool dedup_takes(const struct dedup_verb *v, const char *option);

/* The verbs. Each returns the exit status. */

int dedup_apply(const struct dedup_settings *s, const struct dedup_arguments *a);
int dedup_cluster(const struct dedup_settings *s, const struct dedup_arguments *a);
int dedup_estimate(const struct dedup_settings *s, const struct dedup_arguments *a);
int dedup_info(const struct dedup_settings *s, const struct dedup_arguments *a);
int dedup_learn(const struct dedup_settings *s, const struct dedup_arguments *a);
int dedup_merge(const struct dedup_settings *s, const struct dedup_arguments *a);
int dedup_rows(const struct dedup_settings *s, const struct dedup_arguments *a);
int dedup_verify(const struct dedup_settings *s, const struct dedup_arguments *a);

#endif
