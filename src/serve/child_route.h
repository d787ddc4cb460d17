/* SPDX-License-Identifier: MIT */
/*
 * Requests for which a process works, a dana of its own: counted, so that there are never too many. The state of such a
 * request begins with a struct child_route. Threads: that of the loop.
 */
#ifndef DANA_SERVE_CHILD_ROUTE_H
#define DANA_SERVE_CHILD_ROUTE_H

#include "serve/arguments.h"
#include "serve/process.h"

struct child_route {
	struct request *request;
	struct process *process; /* NULL: not started */
	struct arguments arguments;
};

/**
 * Makes the request's state, zeroed, of `size` bytes, for `dana COMMAND`. Returns NULL if that is refused: memory is
 * exhausted, or there are `too_many` processes, which is the reason given.
 */
void *child_route_begin(struct request *r, size_t size, const char *command, const char *too_many);
/**
 * Starts the process. The callbacks of process_config get `c`. Returns false if the request is answered with an error.
 */
bool child_route_start(struct child_route *c, void (*output)(void *c, struct slice bytes), void (*hungry)(void *c),
		       void (*ended)(void *c, int status, const char *error));
/** Returns what the process has said, without "dana COMMAND: " before it. */
const char *child_route_error(const struct child_route *c, const char *error);
/** route.gone */
void child_route_gone(struct request *r);
/** route.over; frees the state. */
void child_route_over(struct request *r);

#endif
