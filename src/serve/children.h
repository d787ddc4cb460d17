/* SPDX-License-Identifier: MIT */
/* The processes that work for requests, counted, so that there are never too many. Threads: that of the loop. */
#ifndef DANA_SERVE_CHILDREN_H
#define DANA_SERVE_CHILDREN_H

#include "serve/process.h"

struct server;

/** NULL: it cannot be started. It ends by children_drop. */
struct process *children_start(struct server *s, const struct process_config *config);
/** Drops *process and sets it to NULL; NULL there: does nothing. */
void children_drop(struct server *s, struct process **process);

#endif
