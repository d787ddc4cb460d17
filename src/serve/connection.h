/* SPDX-License-Identifier: MIT */
/* The inside of gate.h, shared by the files that make it up. */
#ifndef DANA_SERVE_CONNECTION_H
#define DANA_SERVE_CONNECTION_H

#include <uv.h>

#include "base/buf.h"
#include "serve/chunk_frames.h"
#include "serve/gate.h"

enum {
	READ_BYTES = 64 << 10,
	REQUESTS_OF_CONNECTION = 1000, /* then it ends */
	LINGER_SECONDS = 2,            /* after the last byte of a response, for what the client still sends */
	SLOW_SECONDS = 10,             /* of a body; then SLOW_BYTES a second are asked for */
	STUCK_SECONDS = 30,            /* of a response, likewise */
	SLOW_BYTES = 1 << 10,
	BLANK_LINES_MOST = 8, /* before a request */
	REFUSED_AT_ONCE = 64, /* connections beyond the most, which get a 503 */
};

enum connection_state {
	CONNECTION_HEAD,   /* waits for a head, or reads it */
	CONNECTION_BODY,   /* passes the body on */
	CONNECTION_REPLY,  /* the request is read; nothing more is until little of its response waits for the client */
	CONNECTION_LINGER, /* the last response is written or on its way; what comes is dropped */
	CONNECTION_CLOSED,
};

union client_handle {
	uv_stream_t stream;
	uv_tcp_t tcp;
	uv_pipe_t pipe;
};

struct connection {
	struct gate *gate;
	struct connection *next, *before; /* in the gate's list */
	void *user;
	union client_handle client;
	uv_pipe_t *inner; /* to the engine, for one request; NULL: none */
	unsigned handles; /* that are open */
	enum connection_state state;
	enum address_reach reach;
	uint32_t peer;
	bool counted_peer;
	bool reading;    /* from the client */
	bool in_request; /* the engine has not done with it */
	bool full;       /* more waits for the client than should */
	bool ended;      /* the client sends nothing any more; it may still read */
	bool shut;       /* the last byte is written */
	bool answered;   /* bytes of the response are on their way; no other can take its place */

	struct buf head; /* the head under way, or that of the request */
	struct request_scan scan;
	struct request_head request;
	struct buf rest; /* what came after the request, and waits */
	unsigned blank_lines, served;

	struct chunk_frames chunks;
	uint64_t body; /* bytes of the body that were read */

	unsigned seconds;                 /* in this state, or since its first byte */
	unsigned slow_seconds;            /* in which the body could have been read */
	unsigned stuck_seconds;           /* in which something waited for the client */
	uint64_t written, written_before; /* bytes that the client has taken */
};

struct listener {
	struct listener *next;
	struct gate *gate;
	union client_handle handle;
	enum address_reach reach;
	bool waits; /* a client was accepted for which there was no memory */
};

struct gate {
	struct gate_config config;
	struct gate_counts counts;
	struct listener *listeners;
	struct connection *first; /* the newest */
	uv_timer_t timer;
	size_t open_handles; /* listeners and the timer */
	uint32_t seed;
	uint16_t peers[1 << 16]; /* connections by a hash of the machine */
	bool draining;
	uint8_t buffer[READ_BYTES];
};

/* connection.c */

/** A client that libuv has accepted. Returns false if memory is exhausted; try again. */
bool connection_open(struct gate *g, const struct listener *from);
/** Bytes came from the client. */
void connection_take(struct connection *c, struct slice bytes);
/** The response to the request before is on its way: waits for the next one. */
void connection_next(struct connection *c);
/** A second has passed. */
void connection_tick(struct connection *c);
/** At once, without another byte. */
void connection_close(struct connection *c);

/* connection_io.c */

void connection_start_reading(struct connection *c);
void connection_stop_reading(struct connection *c);
/** Passes bytes to the engine. */
void connection_feed(struct connection *c, struct slice bytes);
/** Opens the pair of sockets. Returns the engine's end, or a negative status. */
int connection_open_inner(struct connection *c);
/** What the engine wrote and was not yet read goes to the client; then its end is closed. */
void connection_close_inner(struct connection *c, bool drain);
/** A status and a line of text (NULL: what the status means); for requests that the engine does not answer. */
void connection_send_status(struct connection *c, int status, const char *text);
/** After the last byte is written: says so to the client, and drops what it sends. */
void connection_linger(struct connection *c);
/** When all handles are closed and the engine has done, the connection is freed. */
void connection_closed_handle(struct connection *c);

#endif
