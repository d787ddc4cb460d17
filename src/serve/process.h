/* SPDX-License-Identifier: MIT */
/*
 * A child that works for a request: this program with other arguments, its standard input and output at hand. It is no
 * member of our group of processes, so that a signal to all of us does not cut its work short.
 * Threads: that of the loop.
 */
#ifndef DANA_SERVE_PROCESS_H
#define DANA_SERVE_PROCESS_H

#include "base/slice.h"

struct loop;
struct process;

struct process_config {
	struct loop *loop;
	char **arguments; /* the program first, NULL last; borrowed until it has started */
	/** Bytes of its output. */
	void (*output)(void *arg, struct slice bytes);
	/** Optional. Little of its input waits. */
	void (*hungry)(void *arg);
	/** It has ended and all its output was seen; `error`: the last line that it wrote to its standard error. */
	void (*ended)(void *arg, int status, const char *error);
	void *arg;
};

/** Returns NULL if it cannot be started. */
struct process *process_start(const struct process_config *config);
/** Gives bytes to its input. Returns how many wait; -1 if it takes no more. */
long process_feed(struct process *p, struct slice bytes);
/** Nothing follows. */
void process_feed_end(struct process *p);
/** Its output waits in its pipe, or comes again. */
void process_pause(struct process *p, bool paused);
/** Nobody wants it any more: it is killed if it runs, and nothing is called again. It frees itself. */
void process_drop(struct process *p);

#endif
