/* SPDX-License-Identifier: MIT */
/*
 * `dana filter` as a child that reads the records of a crawl from a pipe. It is no member of wget2's group of
 * processes, so that keys that end wget2 do not end it; however wget2 ends, the child comes to the end of the pipe and
 * completes its output. Any thread.
 */
#ifndef DANA_WGET2_CHILD_H
#define DANA_WGET2_CHILD_H

#include "base/slice.h"
#include "base/status.h"

struct child;

/**
 * `arguments`: the program first, NULL last; borrowed until it has started. 0; DANA_EIO or DANA_ENOMEM with a text. What
 * the child finds wrong it tells on standard error; then it ends.
 */
int child_start(struct child **out, char *const *arguments, struct error *err);
/** A whole record; waits until the child has room. False: it has ended. */
bool child_feed(struct child *c, struct slice record);
/** Tells it that nothing follows and waits for its end. Its exit status, or 128 and the signal. NULL allowed: 0. */
int child_end(struct child *c);

#endif
