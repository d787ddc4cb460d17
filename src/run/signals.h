/* SPDX-License-Identifier: MIT */
/*
 * SIGINT and SIGTERM: the first asks all pipelines to stop, the second ends the process at once. SIGWINCH: the terminal
 * has got another size.
 * A thread of its own waits for them, so nothing has to be safe inside a signal handler.
 */
#ifndef DANA_RUN_SIGNALS_H
#define DANA_RUN_SIGNALS_H

/** Call before any other thread is made: they inherit that the signals are blocked. Once. Returns 0 or -1. */
int signals_start(void);
/** Returns the signal that came; 0 before. */
int signals_caught(void);
/** `stop(arg)` is called, on another thread, when the first signal comes; at once when it has come already. */
void signals_watch(void (*stop)(void *arg), void *arg);
/** After it has returned, `stop` is not called any more for that `arg`. */
void signals_unwatch(void *arg);
/** `resize(arg)` is called, on another thread, when the terminal has got another size. NULL: not any more, once it
 * returns. */
void signals_on_resize(void (*resize)(void *arg), void *arg);

#endif
