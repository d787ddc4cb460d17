/* SPDX-License-Identifier: MIT */
/*
 * The connections of clients. The gate accepts them and keeps the limits of time, size and number; a connection reads
 * requests as strictly as they can be read (request_text), one after the other, and takes the bytes of their responses:
 *
 *	begin --> data, data ... --> end --> connection_write, connection_done
 *
 * A connection without a request costs a descriptor and about a KiB. Threads: the loop's.
 */
#ifndef DANA_SERVE_CONNECTION_H
#define DANA_SERVE_CONNECTION_H

#include <netinet/in.h>
#include <sys/un.h>
#include <uv.h>

#include "base/buf.h"
#include "base/status.h"
#include "serve/request_text.h"

struct loop;
struct serve_config;
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
size_t outflow_waits(const struct outflow *o);
/** After the stream is closed. */
void outflow_free(struct outflow *o);

/* ---- addresses ---- */

enum address_reach {
	ADDRESS_UNIX,     /* whom the file system lets */
	ADDRESS_LOOPBACK, /* programs of this machine, and pages that a browser of it shows */
	ADDRESS_NETWORK,
};

struct address {
	union {
		struct sockaddr any;
		struct sockaddr_storage all;
		struct sockaddr_in ip4;
		struct sockaddr_in6 ip6;
		struct sockaddr_un un;
	} socket;
	socklen_t length;
	enum address_reach reach;
};

/** Reads "127.0.0.1:8080", "[::1]:8080", "localhost:8080", "unix:/run/dana.sock". Returns 0 or DANA_ECONFIG. */
int address_read(struct slice text, struct address *address, struct error *err);
enum { ADDRESS_SHOWN = 400 };
/** Writes how a client names it: "http://127.0.0.1:8080/", "unix:/run/dana.sock". */
void address_show(const struct address *address, char *out, size_t size);

/* ---- the gate ---- */

struct request;

struct gate_calls {
	/**
	 * The head is there, until connection_done; `arg` comes from gate_new. Stores the request, which the others
	 * get. Returns 0, or the status with which it is refused.
	 */
	int (*begin)(void *arg, struct connection *c, const struct request_head *head, struct request **r);
	/** Bytes of the body, without the frames of chunks. */
	void (*data)(struct request *r, struct slice bytes);
	/** The body is complete. */
	void (*end)(struct request *r);
	/** Little waits for the client: after connection_write has returned more than GATE_FULL. */
	void (*writable)(struct request *r);
	/** The request can be answered no more, or need not be: connection_done is to be called, now or later. */
	void (*gone)(struct request *r);
};

enum { GATE_FULL = 256 << 10 /* bytes that wait for a client */ };

struct gate_counts {
	size_t connections, requests; /* now */
	size_t waiting;               /* bytes that clients have not taken, now */
	uint64_t accepted;            /* connections, ever */
	uint64_t refused[600 - 400];  /* requests by status, from 400 on, that had no route or lost it */
	uint64_t bytes_read, bytes_written;
};

/**
 * Checks that the inherited descriptors are sockets that listen, before anything else is opened, which could get the
 * number of one that is missing. Returns 0 or DANA_ECONFIG.
 */
int gate_check_inherited(const struct serve_config *config, struct error *err);
/** `connections_most`: at once, of all machines. The config is borrowed. */
struct gate *gate_new(const struct serve_config *config, size_t connections_most, struct loop *loop,
		      const struct gate_calls *calls, void *arg, struct error *err);
/**
 * Opens all sockets, prints where it listens, and begins to accept. Returns 0, DANA_ECONFIG (an address; the network
 * without a token) or DANA_EIO.
 */
int gate_open(struct gate *g, struct error *err);
/** No connection is kept after the response to its request. New ones are still accepted. */
void gate_drain(struct gate *g);
const struct gate_counts *gate_counts(const struct gate *g);
/** Returns whether a request is under way, or a client still takes its response. */
bool gate_is_busy(const struct gate *g);
/** Closes all connections, but during a request one stays until connection_done. */
void gate_close(struct gate *g);
/** After gate_close, when no request is left. Files of unix sockets that gate_open has made are removed. */
void gate_free(struct gate *g);

/* ---- a connection, during a request ---- */

enum address_reach connection_reach(const struct connection *c);
/** Returns whether it will end after this response, which should announce it then. */
bool connection_ends(const struct connection *c);
/** Stops the reading of the body, or resumes it. */
void connection_hold(struct connection *c, bool held);
/**
 * Writes bytes of the response as they go over the wire, `body` (or NULL) as outflow_put. Returns how many wait for the
 * client. Without memory the connection is closed.
 */
size_t connection_write(struct connection *c, struct slice bytes, struct buf *body);
/** After the last response: the client learns of its end, and what still comes is dropped. Ends the request. */
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
