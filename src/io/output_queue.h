/* SPDX-License-Identifier: MIT */
/*
 * Blocks of bytes on their way to a descriptor, written one after the other by libuv's pool.
 * Inside of io only. Threads: that of its loop.
 */
#ifndef DANA_IO_OUTPUT_QUEUE_H
#define DANA_IO_OUTPUT_QUEUE_H

#include "base/slice.h"

struct loop;
struct output_queue;

/**
 * The queue borrows `fd`. `moved(arg)` is called after each block and after a failure. Returns NULL if memory is
 * exhausted.
 */
struct output_queue *output_queue_new(struct loop *l, int fd, void (*moved)(void *arg), void *arg);
/** Copies `bytes`. Returns 0 or DANA_ENOMEM. Nothing is kept after a failure. */
int output_queue_put(struct output_queue *q, struct slice bytes);
size_t output_queue_waiting(const struct output_queue *q);
/** Not for regular files: from now on a write that waits in vain for half a second fails with ETIMEDOUT. */
void output_queue_hurry(struct output_queue *q);
/** Returns the errno of the first write that failed; 0 if all went well. */
int output_queue_error(const struct output_queue *q);
/** Runs the loop until all is written, or a write has failed. */
void output_queue_drain(struct output_queue *q);
/** Waits for a write that is under way. NULL allowed. */
void output_queue_free(struct output_queue *q);

#endif
