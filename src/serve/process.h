/* SPDX-License-Identifier: MIT */
/*
 * A dana of its own that works for the service, its standard input and output at hand. It is no member of our group of
 * processes, so that a signal to all of us does not cut its work short. It may live longer than what it works for.
 * Threads: the loop's.
 */
#ifndef DANA_SERVE_PROCESS_H
#define DANA_SERVE_PROCESS_H

#include "base/buf.h"
#include "base/slice.h"

struct loop;
struct process;

/** `arg` comes from process_start. */
struct process_calls {
	/** Bytes of its output. */
	void (*output)(void *arg, struct slice bytes);
	/** Optional. Little of its input waits. */
	void (*hungry)(void *arg);
	/** All is over, with the last line of standard error; `status`: 128 and the signal that ended it. */
	void (*ended)(void *arg, int status, const char *error);
	/** The time of process_time is over; it begins again. */
	void (*late)(void *arg);
};

/** The name of a file that holds what process_start has given. */
#define PROCESS_GIVEN "/dev/fd/3"

/**
 * `arguments`: NULL ended, the first one the program. `given`: nothing, or what it may read once as the file
 * PROCESS_GIVEN, not more than a pipe holds. Returns NULL if it cannot be started.
 */
struct process *process_start(struct loop *loop, char **arguments, struct slice given,
			      const struct process_calls *calls, void *arg);
/** Nobody wants it any more: it is killed if it runs, and nothing is called again. It frees itself. */
void process_drop(struct process *p);
/** Returns how many bytes wait; -1 if it takes no more. `body` (or NULL) as outflow_put. */
long process_feed(struct process *p, struct slice bytes, struct buf *body);
/** Nothing follows. */
void process_feed_end(struct process *p);
/** Its output is not read any more, or again. */
void process_pause(struct process *p, bool paused);
/** Returns whether something is to be done by it: it has input, or all of it, and its output is read. */
bool process_is_asked(const struct process *p);
/** `late` is called after `milliseconds` in which it takes no input and writes nothing; 0: not at all. */
void process_time(struct process *p, uint64_t milliseconds);
/** Ends it; `ended` is called. */
void process_kill(struct process *p);
/** Other processes come first from now on. */
void process_lower(struct process *p);

#endif
