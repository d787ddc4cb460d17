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

#include "archive/stats.h"
#include "serve/connection.h"
#include "serve/serve.h"
#include "serve/worker.h"

struct pages;
struct survey;

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
	struct stats counts;   /* of a report, with a record for each page */
	struct survey *survey; /* NULL: none is wanted */
	size_t memory;         /* bytes of bodies of requests under way; what waits for clients is in gate_counts */
	size_t children;       /* that run, for archives and reports */
	size_t fetches;        /* processes that run */
	atomic_bool stop;      /* by a signal; any thread */
	bool draining;         /* since then, for `drain_ticks` */
	unsigned drain_ticks;
	bool over;           /* the loop ends */
	int64_t date_second; /* of `date`, as of HTTP: "Sun, 06 Nov 1994 08:49:37 GMT" */
	char date[32];
};

/** What is done at a path. */
struct route {
	const char *path;
	/** Optional. Of routes with one path, the first that takes the request has it. */
	bool (*takes)(const struct request_head *head);
	bool get, post;
	bool get_if_fetch;             /* GET is allowed with --fetch */
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

extern const struct route lines_route, fetch_route, pages_route, archives_route, front_route, reports_route,
	openapi_route, report_route, health_route, metrics_route;

struct request {
	struct server *server;
	struct connection *connection;
	const struct request_head *head;
	const struct route *route;
	struct buf body;
	struct buf fields;    /* of the response, beyond those that all have */
	size_t charged;       /* bytes that count as memory of the server */
	uint64_t started;     /* nanoseconds */
	bool ended;           /* `end` was called */
	int accepts;          /* enum reply_format that Accept asks for, or -1 */
	struct page_job *job; /* whose text is the response, or NULL */
	void *state;          /* of the route */
};

/** For the gate; `arg` is the server. */
extern const struct gate_calls request_calls;

/** Adds a field to the response, before request_reply. */
void request_add_field(struct request *r, const char *name, const char *value);
/** Adds the fields of a page that is shown: its Content-Security-Policy; no other site shows or loads it. */
void request_add_policy(struct request *r, const char *policy);
/** Sends the response; takes over the memory of `body`. */
void request_reply(struct request *r, int status, const char *content_type, struct buf *body);
/** Sends a line of text, or with Accept: application/json an object with `reason`. */
void request_reply_reason(struct request *r, int status, const char *reason);

/**
 * Returns whether so many bytes more may be held. The response to a page that was taken is made in any case, so more
 * may be held than is allowed.
 */
bool server_has_room(const struct server *s, size_t bytes);
/** Writes a parameter of the query, decoded, with NUL after it; empty: it is not there. Returns false if it is wrong.
 */
bool request_parameter(const struct request *r, const char *name, struct buf *value);
/** The fields of a form that hold its page: one file, or characters. Others come after them. */
enum { IN_FILE, IN_HTML, IN_OTHERS };
#define FORM_PAGE \
	{ .name = "file", .any_file = true }, \
	{ \
		.name = "html" \
	}
/**
 * Makes the page that a form has the body of the request; a body that is no form stays. *is_text: the page was the
 * field html, in UTF-8. `fields`: FORM_PAGE and others. Returns NULL, or what is wrong, of an empty page as well.
 */
const char *request_take_form(struct request *r, struct form_field *fields, size_t n, bool *is_text);
/**
 * Begins a response that request_stream_write continues, in chunks (HTTP/1.0: up to the connection's end), and
 * request_stream_end ends; the trailer Dana-Status is `how`, as "good".
 */
void request_stream_begin(struct request *r, const char *content_type);
/** Returns how many bytes wait for the client; beyond GATE_FULL `writable` is called when fewer do. */
size_t request_stream_write(struct request *r, struct slice bytes);
void request_stream_end(struct request *r, const char *how);
void metrics_time(struct metrics *m, double seconds);
/** Returns how many bytes of bodies and responses are held, with those that clients have not taken. */
size_t server_memory(const struct server *s);

/* ---- jobs of pages (pages.c) ---- */

/**
 * A page whose text is to be made. It owns its bytes, and may outlive the request that it is for.
 */
struct page_job {
	struct page_job *next, *before; /* in the queue */
	struct server *server;
	/**
	 * The text, or with a status other than 200 what is wrong; takes over its memory. The job is freed afterwards.
	 * NULL: nobody waits for it any more.
	 */
	void (*done)(struct page_job *j, int status, struct buf *text);
	void *arg; /* of `done` */
	struct page_order order;
	struct page_answer answer;
	struct buf head, body; /* query, Content-Type and URL; what the page is in */
	size_t charged;        /* bytes that count as memory of the server */
	uint64_t began;        /* nanoseconds */
	bool given, waits;     /* page_job_give was called; it is in the queue */
};

/** With the query of the request; `arg`, `body` and `charged` are set by the caller. NULL: memory is exhausted. */
struct page_job *page_job_new(struct request *r, enum page_body kind,
			      void (*done)(struct page_job *, int, struct buf *));
/** Takes over the memory of a body, and what the request is charged for; page_reply is its `done`. */
void page_job_take(struct page_job *j, struct request *r, struct buf *body);
/** Puts it into the queue; `done` may be called at once. */
void page_job_give(struct page_job *j, struct slice content_type, struct slice url);
/** Nobody waits for it any more: `done` is not called. NULL is accepted. */
void page_job_drop(struct page_job *j);
/** `done` of a job that page_job_take was called for: its text is the response. */
void page_reply(struct page_job *j, int status, struct buf *text);

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
