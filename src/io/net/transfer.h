/* SPDX-License-Identifier: MIT */
/*
 * One request and its reply, by libcurl, with all that is fixed for safety: http and https only, redirects never from
 * https to http and at most five, certificates verified, TLS 1.2 or later, no cookies, no .netrc, no proxy unless one
 * is set. Threads: that of the session. Events come from the loop only, and may free the transfer.
 */
#ifndef DANA_IO_NET_TRANSFER_H
#define DANA_IO_NET_TRANSFER_H

#include "base/ondemand/curl_library.h"
#include "base/slice.h"
#include "io/net/body_answer.h"
#include "io/net/reply.h"

struct network_session;
struct transfer;

struct transfer_request {
	const char *url;
	const struct wish *wish; /* copied, but for its identity */
	uint64_t patience;       /* milliseconds for what does not move on (patience.h) */
	bool fresh;              /* with a new connection and a new look-up of the host's name */
	const struct s3_access
		*s3; /* of a store: the path goes as it stands, and is signed if there is a key. NULL: any server */
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
/** Its patience is over: the result is that of a time-out. `done` is not called. */
void transfer_give_up(struct transfer *t);
/** After BODY_TAKEN_LAST or BODY_NO_ROOM. May call `body`. */
void transfer_go_on(struct transfer *t);
/** Ends it where it is. NULL allowed. */
void transfer_free(struct transfer *t);

#endif
