/* SPDX-License-Identifier: MIT */
/*
 * One request and its reply, by libcurl, with all that is fixed for safety: http and https only, redirects never from
 * https to http and at most five, certificates verified, TLS 1.2 or later, no cookies, no .netrc, no proxy unless one
 * is set. A session is one loop with libcurl's multi handle: libcurl names the sockets and the time it waits for,
 * libuv waits. Threads: the session's. Events come from the loop only, and may free the transfer.
 */
#ifndef DANA_IO_TRANSFER_H
#define DANA_IO_TRANSFER_H

#include <uv.h>

#include "base/curl_library.h"
#include "base/slice.h"
#include "io/host_gate.h"
#include "io/network.h"
#include "io/reply.h"

/** What becomes of bytes that libcurl hands over. */
enum body_answer {
	BODY_TAKEN,
	BODY_TAKEN_LAST, /* likewise, but little room is left: wait to be called again */
	BODY_NO_ROOM,    /* not taken: the same again when there is room */
	BODY_STOP,       /* nothing more is wanted: end the transfer */
};

struct buf;
struct s3_access;
struct transfer;

/* The inside of network objects, for the files of this room that make up a request. */
struct network {
	struct network_config config;
	const struct curl_library *curl;
	struct host_gate *gate;
};

/** A fetch, as the session knows it: called when a place at a host may be free. */
struct session_client {
	void (*woken)(void *arg);
	void *arg;
	struct session_client *next;
};

struct network_session {
	struct network *network;
	struct loop *loop;
	CURLM *multi;
	uv_timer_t timer; /* libcurl's */
	uv_async_t wake;
	struct host_user user;
	struct host *idle; /* a connection to it is kept, and a place */
	struct session_client *clients;
	struct transfer *transfers;
	bool settling;    /* in transfers_settle */
	unsigned handles; /* of libuv, not closed yet */
	bool closed;      /* no handle is open any more */
};

/**
 * Replaces *url by what is asked for, with a NUL, and finds its host. Returns 0, or with a text in `err`: as fetch_aim.
 */
int network_host(struct network *n, const char *address, struct buf *url, struct s3_access *s3, struct host **host,
		 struct error *err);
void session_add_client(struct network_session *s, struct session_client *client);
void session_remove_client(struct network_session *s, struct session_client *client);
/** As host_ask, whose answer it returns. Gives up the idle connection to another host. */
int64_t session_ask(struct network_session *s, struct host *h);
/** The attempt is over: the connection stays for the next one (`keep`), or is closed. */
void session_leave(struct network_session *s, struct host *h, bool keep);
/** Returns the milliseconds of a clock that all threads share. */
static inline uint64_t session_now(void)
{
	return uv_hrtime() / 1000000;
}

/** Ends the transfers that libcurl has finished, and lets the others know that something came. */
void transfers_settle(struct network_session *s);

struct transfer_request {
	const char *url;
	const struct wish *wish; /* copied, but for its identity */
	uint64_t patience;       /* milliseconds for what does not move on (reply.h) */
	bool fresh;              /* with a new connection and a new look-up of the host's name */
	const struct s3_access
		*s3; /* of a store: the path goes unchanged, and is signed if there is a key. NULL: any server */
};

enum { TRANSFER_PIECES = 128 << 10 }; /* bytes that may follow one another after BODY_TAKEN_LAST: have room for them */

struct transfer_events {
	enum body_answer (*body)(void *arg, struct slice bytes); /* from inside of libcurl: begin and end nothing */
	void (*settled)(void *arg);                              /* after body was called, from the loop */
	void (*done)(void *arg); /* the transfer is over: transfer_result; it must be freed then */
	void *arg;
};

struct transfer_result {
	CURLcode code; /* CURLE_WRITE_ERROR: BODY_STOP */
	char text[CURL_ERROR_SIZE];
	bool downgrade; /* a redirect from https to http was refused */
	bool in_head;   /* it ended between the request and the end of the reply's head */
	unsigned redirects;
	uint64_t retry_after_ms; /* 0: not known */
};

/** Sends the request. Returns NULL if memory is exhausted, or an option is one that this libcurl does not know. */
struct transfer *transfer_new(struct network_session *s, const struct transfer_request *request,
			      const struct transfer_events *events);
/** Returns the head, as far as it has come; it is whole at the first call of `body` and at `done`. */
const struct reply *transfer_reply(const struct transfer *t);
/** Returns the result; at `done` only. */
const struct transfer_result *transfer_result(const struct transfer *t);
/**
 * Returns the milliseconds until the transfer is given up if nothing more comes; not less than all while it waits for
 * transfer_go_on.
 */
uint64_t transfer_patience(const struct transfer *t);
/** Its patience is over: the result is a time-out. `done` is not called. */
void transfer_give_up(struct transfer *t);
/** After BODY_TAKEN_LAST or BODY_NO_ROOM. May call `body`. */
void transfer_go_on(struct transfer *t);
/** Ends it where it is. */
void transfer_free(struct transfer *t);

#endif
