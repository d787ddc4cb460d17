/* SPDX-License-Identifier: MIT */
/* The event loop of one thread, and the pool of threads that all loops share. */
#ifndef DANA_IO_LOOP_H
#define DANA_IO_LOOP_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The event loop of one thread. Everything of `io` that waits, waits here.
 * Threads: a loop belongs to the thread that runs it; only loop_wake may be called from others.
 */

struct error;
struct loop;
struct uv_loop_s;

/** Returns NULL if memory or descriptors are exhausted; err names which. */
struct loop *loop_new(struct error *err);
/**
 * As loop_new, but sources read files on the loop's own thread: no other thread is started (libuv keeps its own to the
 * end). For sources only.
 */
struct loop *loop_new_alone(struct error *err);
/** Returns libuv's own object, for the files of this room and for timers of the pipeline. */
struct uv_loop_s *loop_uv(struct loop *l);
/** `woken` runs on the loop's thread after each loop_wake (several calls may become one). */
void loop_on_wake(struct loop *l, void (*woken)(void *arg), void *arg);
/** From any thread. */
void loop_wake(struct loop *l);
/** Calls `tick` every `milliseconds`; 0 ends it. One tick for each loop. */
void loop_on_tick(struct loop *l, uint64_t milliseconds, void (*tick)(void *arg), void *arg);
/**
 * Calls `then` once, in the loop's next round and after all else that has happened; one at a time. NULL: takes that
 * back.
 */
void loop_soon(struct loop *l, void (*then)(void *arg), void *arg);
/** Handles events, waiting for them, until *done. */
void loop_run_until(struct loop *l, const bool *done);
/** For timers of others than this file: what they have done may be what loop_run_until waits for. */
void loop_look(struct loop *l);
/** All sources and outputs on it must be gone. */
void loop_free(struct loop *l);

/*
 * libuv's pool of threads, which all loops of the process share. libuv starts it when it is first used, and ends the
 * process without a word where a thread cannot be had. So it is started here, after as many threads have been tried.
 */

/** Before the first loop, while there is one thread: a process that only writes one output at a time needs no more. */
void thread_pool_of_one(void);

#endif
