/* SPDX-License-Identifier: MIT */
/*
 * libmicrohttpd on the loop: its epoll descriptor is one that libuv waits for, and it has no thread and no listening
 * socket of its own. It gets requests that the gate has read, each on a socket of its own.
 * Threads: that of the loop. MHD_suspend_connection and MHD_resume_connection may be used; engine_run after the latter.
 */
#ifndef DANA_SERVE_ENGINE_H
#define DANA_SERVE_ENGINE_H

#include "base/status.h"
#include "serve/http_library.h"

struct loop;
struct engine;

struct engine_config {
	struct loop *loop;
	size_t requests_most;
	MHD_AccessHandlerCallback handle; /* its first argument is `arg` */
	/** A request is over; `request` is what `handle` has stored, NULL if it never ran. Once for each engine_add
	 * that returned 0. */
	void (*done)(void *arg, void *context, void *request);
	void *arg;
};

struct engine *engine_new(const struct engine_config *config, struct error *err);
/** A request comes from `fd`, which is the engine's from now on. `context`: see engine_context. Returns 0 or -1. */
int engine_add(struct engine *e, int fd, void *context);
/** Returns the context of a connection of libmicrohttpd. */
void *engine_context(struct MHD_Connection *connection);
/** Lets it run in the loop's next round: a connection has been resumed. */
void engine_run(struct engine *e);
/** Ends all requests. NULL allowed. */
void engine_free(struct engine *e);

#endif
