/* SPDX-License-Identifier: MIT */
/*
 * libuv's pool of threads, which all loops of the process share. libuv starts it when it is first used, and ends the
 * process without a word where a thread cannot be had. So it is started here, after as many threads have been tried.
 */
#ifndef DANA_IO_THREAD_POOL_H
#define DANA_IO_THREAD_POOL_H

/**
 * Starts the pool when it is called for the first time. Returns 0 or an errno number, the same at each call. Any
 * thread.
 */
int thread_pool_start(void);
/** Before the first loop, while there is one thread: a process that only writes one output at a time needs no more. */
void thread_pool_of_one(void);

#endif
