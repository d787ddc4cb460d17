/* SPDX-License-Identifier: MIT */
/* The arguments of a child, from the query of a request. */
#ifndef DANA_SERVE_ARGUMENTS_H
#define DANA_SERVE_ARGUMENTS_H

#include "serve/request.h"

enum { ARGUMENTS_MOST = 32 };

/** Zeroed: none. `items` ends with NULL. */
struct arguments {
	char *items[ARGUMENTS_MOST + 1];
	size_t n;
	bool failed; /* no memory */
};

/** "--name=value", or `name` alone where `value` is NULL. */
void arguments_add(struct arguments *a, const char *name, const char *value);
/**
 * Takes the parameters of the route as options of the same name. Returns NULL, or what is wrong with one of them
 * (static memory): only options of documents are taken, no name of a file and no key of a method.
 */
const char *arguments_take(struct arguments *a, const struct request *r);
void arguments_free(struct arguments *a);

#endif
