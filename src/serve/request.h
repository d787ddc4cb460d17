/* SPDX-License-Identifier: MIT */
/*
 * The service as a whole, its routes, and a request: which route it takes, what must be true of it before, how its
 * response is made. Whatever answers or refuses a request ends it (request_reply,
 * connection_refuse, connection_finish): it does not exist afterwards.
 *
 *	static void show_health(struct request *r)
 *	{
 *		struct buf body = { 0 };
 *		buf_append_text(&body, "ok\n");
 *		request_reply(r, 200, "text/plain; charset=utf-8", &body);
 *	}
 *	const struct route health_route = { .path = "/healthz", .get = true, .end = show_health };
 *
 * Threads: the loop's.
 */
#ifndef DANA_SERVE_REQUEST_H
#define DANA_SERVE_REQUEST_H

#include <stdatomic.h>

#include "extract/page_options.h"
#include "serve/connection.h"
#include "serve/serve.h"

struct pages;

enum { METRICS_BUCKETS = 12, METRICS_STATUSES = 600 };

/** Counters; gate_counts has others. */
struct metrics {
	uint64_t responses[METRICS_STATUSES]; /* by status */
	uint64_t pages, html_bytes, text_chars;
	uint64_t buckets[METRICS_BUCKETS]; /* requests of /extract by seconds; not summed up */
	uint64_t timed;
	double seconds;
};

struct server {
	const struct serve_config *config;
	const struct route *const *routes; /* NULL ended */
	struct loop *loop;
	struct gate *gate;
	struct pages *pages;
	struct metrics metrics;
	size_t memory;    /* bytes of bodies of requests under way; what waits for clients is in gate_counts */
	size_t children;  /* that run */
	atomic_bool stop; /* by a signal; any thread */
	bool draining;    /* since then, for `drain_ticks` */
	unsigned drain_ticks;
	bool over;           /* the loop ends */
	int64_t date_second; /* of `date`, as of HTTP: "Sun, 06 Nov 1994 08:49:37 GMT" */
	char date[32];
};

/** What is done at a path. */
struct route {
	const char *path;
	bool get, post;
	bool is_open;                  /* needs no token */
	size_t body_most;              /* bytes of a body that is kept; 0: as configured */
	const char *const *parameters; /* names in the query; NULL ended; NULL: none */
	/** Optional. The head is there. */
	void (*begin)(struct request *r);
	/** Bytes of the body, of any length; without it the body is kept, within the limits. */
	void (*data)(struct request *r, struct slice bytes);
	/** The body is complete. */
	void (*end)(struct request *r);
	/** Of a route that calls connection_write: it may be called again. */
	void (*writable)(struct request *r);
	/** Optional. The request is over; what `begin` and `end` made is given back. */
	void (*over)(struct request *r);
};

#define PAGE_IS_LATE "work_limit: the page takes longer than --page-time allows"

extern const struct route pages_route, archives_route, front_route, reports_route;

struct request {
	struct server *server;
	struct connection *connection;
	const struct request_head *head;
	const struct route *route;
	struct buf body;
	struct buf fields; /* of the response, beyond those that all have */
	size_t charged;    /* bytes that count as memory of the server */
	uint64_t started;  /* nanoseconds */
	bool ended;        /* `end` was called */
	bool works;        /* a worker has it: only request_reply ends it */
	void *state;       /* of the route */
};

/** For the gate; `arg` is the server. */
extern const struct gate_calls request_calls;

/** Adds a field to the response, before request_reply. */
void request_add_field(struct request *r, const char *name, const char *value);
/** Sends the response; takes over the memory of `body`. */
void request_reply(struct request *r, int status, const char *content_type, struct buf *body);
/** Sends a line of text, or with Accept: application/json an object with `reason`. */
void request_reply_reason(struct request *r, int status, const char *reason);

/*
 * For PAGE_OPTIONS: the parameter of an option of a page, as the command line calls it, or for a key of the method as
 * the key.
 */
#define PAGE_PARAMETER(name, word, type, ...) PAGE_PARAMETER_##type(name, word)
#define PAGE_PARAMETER_TEXTS(name, word) word,
#define PAGE_PARAMETER_KEYS(name, word) word,
#define PAGE_PARAMETER_WORD(name, word) word,
#define PAGE_PARAMETER_FLAG(name, word) word,
#define PAGE_PARAMETER_SELECTORS(name, word) word,
#define PAGE_PARAMETER_LINES(name, word) word,
#define PAGE_PARAMETER_KEY(name, word) #name,

/** Writes a parameter of the query, decoded, with NUL after it; empty: it is not there. Returns false if it is wrong.
 */
bool request_parameter(const struct request *r, const char *name, struct buf *value);
/** Returns whether the client wants JSON rather than text. */
bool request_wants_json(const struct request *r);
void metrics_time(struct metrics *m, double seconds);
/** Returns how many bytes of bodies and responses are held, with those that clients have not taken. */
size_t server_memory(const struct server *s);

struct pages *pages_new(struct server *s, struct error *err);
/** Ends all processes and the requests for which they work. */
void pages_stop(struct server *s);
/** After pages_stop. */
void pages_free(struct pages *p);
/** Returns how many processes make texts now. */
size_t pages_workers(const struct pages *p);
/** Returns how many processes there can be that make texts. */
size_t workers_most(const struct serve_config *config);

#endif
