/* SPDX-License-Identifier: MIT */
/*
 * `dana filter` as a child that reads the records of a crawl from a pipe. It has its own process group, so that keys
 * that end wget2 do not end it; however wget2 ends, the child reads up to the end of the pipe and completes its output.
 * Any thread.
 */
#ifndef DANA_WGET2_CHILD_H
#define DANA_WGET2_CHILD_H

#include "base/slice.h"
#include "base/status.h"

struct child;

/**
 * Starts the child. `arguments`: the program first, NULL last; borrowed during the call. Returns 0, or DANA_EIO or
 * DANA_ENOMEM with a text. The child reports its own errors on standard error and exits.
 */
int child_start(struct child **out, char *const *arguments, struct error *err);
/** Feeds a whole record; waits until the child has room. Returns false if the child has ended. */
bool child_feed(struct child *c, struct slice record);
/** Closes the pipe and waits for the child. Returns its exit status, or 128 plus the signal. NULL allowed: 0. */
int child_end(struct child *c);

#endif
