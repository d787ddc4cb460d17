/* SPDX-License-Identifier: MIT */
/*
 * The connections of clients. The gate accepts them and keeps the limits of time, size and number; a connection reads
 * requests as strictly as they can be read (request_text), one after the other, and takes the bytes of their responses:
 *
 *	begin --> data, data ... --> end --> connection_write, connection_done
 *
 * A connection without a request costs a descriptor and about a KiB. Threads: that of the loop.
 */
#ifndef DANA_SERVE_CONNECTION_H
#define DANA_SERVE_CONNECTION_H

#include <uv.h>

#include "base/buf.h"
#include "base/status.h"
#include "serve/listen.h"
#include "serve/request_text.h"

struct loop;
struct gate;
struct connection;

/* ---- bytes on their way into a stream ---- */

/**
 * What a stream does not take at once is kept, in two buffers however many pieces it came in. Zeroed but for `stream`,
 * `moved` and `arg`.
 */
struct outflow {
	uv_stream_t *stream;
	/** Something of what was kept is written (status 0), or the stream has failed. */
	void (*moved)(void *arg, int status);
	/** After outflow_end: all is written and the other side knows of the end. */
	void (*ended)(void *arg);
	void *arg;
	uv_write_t write;
	uv_shutdown_t shutdown;
	struct buf writing, waiting; /* of the write that is under way, and what follows it */
	bool busy, ends;
};

/**
 * Writes `bytes` and then `body`, whose memory it takes over; `body` may be NULL. Returns false if memory is exhausted.
 */
bool outflow_put(struct outflow *o, struct slice bytes, struct buf *body);
/** Nothing follows. */
void outflow_end(struct outflow *o);
/** Returns how many bytes are not written. */
size_t outflow_waits(const struct outflow *o);
/** After the stream is closed. */
void outflow_free(struct outflow *o);

/* ---- the gate ---- */

/** What is done with requests. `arg` is that of the config. */
struct gate_calls {
	/** The head is there. Returns 0, or the status with which the request is refused. */
	int (*begin)(void *arg, struct connection *c);
	/** Bytes of the body, without the frames of chunks. */
	void (*data)(void *arg, struct connection *c, struct slice bytes);
	/** The body is complete. */
	void (*end)(void *arg, struct connection *c);
	/** Little waits for the client: after connection_write has returned more than GATE_FULL. */
	void (*writable)(void *arg, struct connection *c);
	/** The request cannot be answered any more: connection_done is awaited, now or later. */
	void (*gone)(void *arg, struct connection *c);
};

enum { GATE_FULL = 256 << 10 /* bytes that wait for a client */ };

struct gate_config {
	struct loop *loop;
	size_t connections_most;
	size_t peer_most;     /* connections of one machine, from the network */
	size_t requests_most; /* under way at once */
	unsigned head_seconds, idle_seconds;
	const struct gate_calls *calls;
	void *arg;
};

/** For metrics. */
struct gate_counts {
	size_t connections, requests; /* now */
	size_t waiting;               /* bytes that clients have not taken, now */
	uint64_t accepted;            /* connections, ever */
	uint64_t refused[600 - 400];  /* requests by status, from 400 on, that had no route or lost it */
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
/** After gate_close, when no request is left. */
void gate_free(struct gate *g);

/* ---- a connection, during a request ---- */

enum address_reach connection_reach(const struct connection *c);
/** Returns the head of the request under way. */
const struct request_head *connection_head(const struct connection *c);
/** What connection_user returns: the request, until connection_done. */
void connection_set_user(struct connection *c, void *user);
void *connection_user(const struct connection *c);
/** Returns whether it will end after this response, which should say so then. */
bool connection_ends(const struct connection *c);
/** Stops the reading of the body, or resumes it. */
void connection_hold(struct connection *c, bool held);
/**
 * Writes bytes of the response as they go over the wire, `body` (or NULL) as outflow_put. Returns how many wait for the
 * client. Without memory the connection is closed.
 */
size_t connection_write(struct connection *c, struct slice bytes, struct buf *body);
/** The response is complete, and so is the connection; what is missing of the request is dropped. */
void connection_finish(struct connection *c);
/**
 * Ends a request that is not to be read to its end: a response of its own with a line of text (NULL: what the status
 * means), or where one has begun, the connection is cut.
 */
void connection_refuse(struct connection *c, int status, const char *text);
/** Closes the connection at once: the response cannot be made. */
void connection_cut(struct connection *c);
/** The request is over, with or without a response. */
void connection_done(struct connection *c);

#endif
