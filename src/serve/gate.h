/* SPDX-License-Identifier: MIT */
/*
 * The connections of clients. The gate reads each request as strictly as it can be read (request_head, chunk_frames),
 * keeps the limits of time, size and number, and passes what is good, byte by byte, through a pair of sockets to the
 * HTTP engine; what the engine writes goes back. A connection that asks nothing costs the engine nothing. Threads: that
 * of the loop.
 */
#ifndef DANA_SERVE_GATE_H
#define DANA_SERVE_GATE_H

#include "base/status.h"
#include "serve/address.h"
#include "serve/request_head.h"

struct loop;
struct gate;
struct connection;

struct gate_config {
	struct loop *loop;
	size_t connections_most;
	size_t peer_most;     /* connections of one machine, from the network */
	size_t requests_most; /* under way at once */
	unsigned head_seconds, idle_seconds;
	/** Before a request is passed on. Returns 0, or the status with which it is refused. */
	int (*admit)(void *arg, struct connection *c, const struct request_head *head);
	/**
	 * Called when a request begins: its bytes come from `fd`, which is the engine's from now on. Returns 0, or
	 * negative if it cannot take it.
	 */
	int (*begin)(void *arg, struct connection *c, int fd);
	/** connection_write may go on: little waits for the client. */
	void (*writable)(void *arg, struct connection *c);
	/** The client of a request under way has gone. */
	void (*gone)(void *arg, struct connection *c);
	void *arg;
};

/** For metrics. */
struct gate_counts {
	size_t connections, requests; /* now */
	size_t waiting;               /* bytes that clients have not taken, now */
	uint64_t accepted;            /* connections, ever */
	uint64_t refused[600 - 400];  /* requests by status, from 400 on; before the engine saw them */
	uint64_t bytes_read, bytes_written;
};

struct gate *gate_new(const struct gate_config *config, struct error *err);
/** Begins to accept; takes over `fd`, which is bound. Returns 0 or DANA_EIO. */
int gate_listen(struct gate *g, int fd, const struct address *address, struct error *err);
/** No connection is kept after the response to its request. New ones are still accepted. */
void gate_drain(struct gate *g);
const struct gate_counts *gate_counts(const struct gate *g);
/** Returns whether a request is under way, or a client still takes its response. */
bool gate_is_busy(const struct gate *g);
/** Closes all connections, but those of requests stay until connection_done. */
void gate_close(struct gate *g);
/** After gate_close, when no request is left. NULL allowed. */
void gate_free(struct gate *g);

/** Returns the bytes of a body that were read until now; chunks without their frames. */
uint64_t connection_body(const struct connection *c);
enum address_reach connection_reach(const struct connection *c);
/** Returns the head of the request under way. */
const struct request_head *connection_head(const struct connection *c);
/** Returns whether it will end after this response, which should say so then. */
bool connection_ends(const struct connection *c);
/** It shall end after the response that is under way. */
void connection_set_last(struct connection *c);
/** The engine has done with the request; everything that it wrote is in its socket. */
void connection_done(struct connection *c);
/**
 * Ends a request that is not to be read to its end, with a line of text (NULL: what the status means). The engine sees
 * the end of its socket.
 */
void connection_refuse(struct connection *c, int status, const char *text);
/** A response by connection_write is complete; what is missing of the request is dropped. */
void connection_finish(struct connection *c);
/** What connection_user returns: the request that the engine has. */
void connection_set_user(struct connection *c, void *user);
void *connection_user(const struct connection *c);

/**
 * Instead of the engine's: a response in bytes as they go over the wire, of which the engine writes nothing. How much
 * waits for the client; above GATE_FULL the caller stops until `writable`.
 */
enum { GATE_FULL = 256 << 10 };
size_t connection_write(struct connection *c, struct slice bytes);

#endif
