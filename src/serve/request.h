/* SPDX-License-Identifier: MIT */
/*
 * A request that the engine has, and what is done with it: which route it takes, what is asked of it before, how its
 * response is made. Threads: that of the loop.
 */
#ifndef DANA_SERVE_REQUEST_H
#define DANA_SERVE_REQUEST_H

#include "base/buf.h"
#include "serve/engine.h"
#include "serve/gate.h"

struct server;
struct request;

/** What is done at a path. */
struct route {
	const char *path;
	bool get, post;
	bool streams;                  /* its body is not kept, and may have any length */
	bool is_open;                  /* needs no token */
	const char *const *parameters; /* names in the query; NULL ended; NULL: none */
	/** Optional. The head is there. */
	void (*begin)(struct request *r);
	/** Bytes of the body; NULL: they are kept. Returns false if the request has been refused. */
	bool (*data)(struct request *r, struct slice bytes);
	/** The body is complete: request_reply now, or request_wait and request_reply later. */
	void (*end)(struct request *r);
	/** Optional. The client has gone; what the request waits for is not wanted any more. */
	void (*gone)(struct request *r);
	/** Optional. The request is over; what `begin` and `end` made is given back. */
	void (*over)(struct request *r);
};

struct request {
	struct server *server;
	struct connection *connection;
	struct MHD_Connection *engine;
	const struct route *route;
	struct buf body;
	size_t charged;   /* bytes that count as memory of the server */
	uint64_t started; /* nanoseconds */
	bool ended;       /* `end` was called */
	bool waits;       /* the engine does not look at it */
	bool direct;      /* the response goes by connection_write */
	bool is_over;     /* a direct response is complete */
	struct MHD_Response *response;
	int status;
	void *state; /* of the route */
};

/** MHD_AccessHandlerCallback; its argument is the server. */
enum MHD_Result request_handle(void *server, struct MHD_Connection *engine, const char *url, const char *method,
			       const char *version, const char *data, size_t *len, void **request);
/** engine_config.done */
void request_done(void *server, void *connection, void *request);
/** gate_config.gone */
void request_gone(void *server, struct connection *c);
/** gate_config.admit, and returns as that. */
int request_admit(void *server, struct connection *c, const struct request_head *head);

/** The engine waits until request_reply or request_go_on. */
void request_wait(struct request *r);
void request_go_on(struct request *r);
/** Ends the request without a response of the engine, now that its client has gone or has all of one. */
void request_leave(struct request *r);
/** The response; takes over the memory of `body`. Ends a wait. */
void request_reply(struct request *r, int status, const char *content_type, struct buf *body);
/** A line of text, or with Accept: application/json an object with `reason`. */
void request_reply_reason(struct request *r, int status, const char *reason);
/** A field of the response, which request_reply has made. */
void request_add_header(struct request *r, const char *name, const char *value);

/** Returns a field of the request; NULL if it is not there. */
const char *request_header(const struct request *r, const char *name);
/** A parameter of the query, decoded, NUL ended; empty: it is not there. Returns false if it cannot be decoded. */
bool request_parameter(const struct request *r, const char *name, struct buf *value);
/** Returns whether the client wants JSON rather than text. */
bool request_wants_json(const struct request *r);
/** Counts memory for the request. Returns false if there is too much already, and it was refused. */
bool request_charge(struct request *r, size_t bytes);

#endif
