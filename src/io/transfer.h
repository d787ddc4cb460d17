/* SPDX-License-Identifier: MIT */
/*
 * Requests to servers: places at a host (host_), transfers by libcurl (transfer_), and fetches, which make them again
 * until all bytes have come (fetch_).
 *
 * What all inputs of a run may do together to one host: so many connections, while it is failing one attempt a second,
 * and one a minute when most of its answers were errors (a circuit breaker). A host of which inputs were given up, one
 * after the other and without a good answer between them, is not asked for each of the others in full length again.
 *
 * A connection is a place at the host. Each user (a session, with a thread of its own) asks for one, and waits in a
 * queue while all are taken. A user that has finished may keep its place for its next request, and the connection open;
 * it is asked for it when another needs it.
 *
 * Threads: any; there is a lock inside, and nothing waits. Times are milliseconds of one clock, given by the caller.
 */
#ifndef DANA_IO_TRANSFER_H
#define DANA_IO_TRANSFER_H

#include <uv.h>

#include "base/buf.h"
#include "base/curl_library.h"
#include "base/slice.h"
#include "base/status.h"
#include "io/network.h"
#include "io/reply.h"

enum {
	HOST_PLACES_MOST = 4,
	HOST_FAILING_MS = 1000, /* at a host that is failing: after an attempt, and after its failure */
	HOST_BREAK_MS = 60000,  /* the same when the breaker is open */
	HOST_ANSWERS = 20,      /* the breaker opens when more than half of so many were errors */
	HOST_GIVEN_UP_MOST =
		3, /* inputs given up, after which the host gets one attempt in HOST_BREAK_MS, and no input waits */
};

struct host_gate;

struct host;

/** Somebody who needs places. Zeroed but for the call; in place until it has none and waits for none. */
struct host_user {
	/** From any thread, under the lock: a place has become free for it, or it is asked for its idle one. */
	void (*wake)(void *arg);
	void *arg;
	bool beside; /* it takes no place: others may keep theirs while they wait for it */
	bool queued; /* the rest is the gate's: in the queue of a host, one at a time */
	struct host_user *after;
};

/** `places` for each host, 1 to HOST_PLACES_MOST. */
struct host_gate *host_gate_new(unsigned places);
/** The host of that name, made at first; it lives as long as the gate. */
struct host *host_gate_find(struct host_gate *g, struct slice name);

enum { HOST_QUEUED = -1, HOST_DEAD = -2 };

/**
 * Asks for a place, to begin an attempt at once. Returns 0 if granted. More: ask again after so long. HOST_QUEUED:
 * `wake` comes; then ask again. HOST_DEAD: HOST_GIVEN_UP_MOST inputs were given up.
 */
int64_t host_ask(struct host *h, struct host_user *user, uint64_t now);

enum host_answer {
	HOST_GOOD,  /* what was asked for begins to arrive, or the host answers that it does not exist */
	HOST_BROKE, /* it had begun well and broke off: counts as good for the breaker */
	HOST_ERROR,
};

/** How an attempt went. Returns true if with this answer the breaker has opened. */
bool host_answered(struct host *h, enum host_answer answer, uint64_t now);
/** Returns how long to wait until the next attempt may begin, if there is a place. */
uint64_t host_wait(struct host *h, uint64_t now);
/** Returns whether its last answer was a good one; false before the first. */
bool host_is_well(struct host *h);
/** An input is given up through the host's fault. It counts where no good answer has come for `silence`. */
void host_give_up(struct host *h, uint64_t silence, uint64_t now);
/**
 * Returns how many inputs that count were given up since the last good answer. While there are any, no input makes a
 * second attempt.
 */
unsigned host_given_up(struct host *h);
/** Returns host_given_up if host_ask would say HOST_DEAD, else 0. */
unsigned host_dead(struct host *h, uint64_t now);
/** The attempt is over, and the place is kept: the connection stays open. `wake` comes when somebody wants it. */
void host_rest(struct host *h, struct host_user *user);
/** The connection is closed, or a place not wanted any more: gives it back, and leaves the queue. */
void host_leave(struct host *h, struct host_user *user);
/** Returns whether somebody waits for the idle place that `user` keeps. */
bool host_wanted(struct host *h, const struct host_user *user);
/** No user may be left. */
void host_gate_free(struct host_gate *g);

/*
 * One request and its reply, by libcurl, with all that is fixed for safety: http and https only, redirects never from
 * https to http and at most five, certificates verified, TLS 1.2 or later, no cookies, no .netrc, no proxy unless one
 * is set. A session is one loop with libcurl's multi handle: libcurl names the sockets and the time it waits for,
 * libuv waits. Threads: the session's. Events come from the loop only, and may free the transfer.
 */

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

/**
 * Loads libcurl, and checks what it would only find out at the first request. Returns NULL with a text in `err`:
 * DANA_ELIBRARY, DANA_ECONFIG or DANA_ENOMEM.
 */
const struct curl_library *network_library(const struct network_config *config, struct error *err);

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

/**
 * Sets what is the same for every request: protocols, certificates, the proxy, no .netrc, the User-Agent. Returns the
 * first code that is not CURLE_OK: memory is exhausted, or an option is one that this libcurl does not know.
 */
CURLcode transfer_set_safe(const struct curl_library *curl, CURL *easy, const struct network_config *config,
			   const char *url);

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

/*
 * Bytes of a file on a server, each once and in order, whatever happens on the way: requests that fail are made again
 * from where they stopped (reply.h), as often as all inputs together may ask the host (host_ask), and no reply is
 * used that has not been looked at (reply.h).
 * Threads: the session's. Ownership: copies the address.
 */

struct fetch;

struct network_session;

/** Only `take` is called from inside of libcurl, and may do nothing but keep the bytes. The others may begin anew. */
struct fetch_events {
	void (*opened)(void *arg, uint64_t total); /* once, before `arrived`: bytes of the file; UINT64_MAX: unknown */
	enum body_answer (*take)(void *arg, struct slice bytes); /* the next ones; any answer but BODY_STOP */
	void (*arrived)(void *arg);                              /* take was called */
	void (*end)(void *arg);                                  /* what was asked for has come */
	void (*failed)(void *arg, const char *why);              /* for good; nothing more comes */
	void *arg;
	/**
	 * What is asked for may lie beyond the end of the file: then it ends without bytes, and without `opened` when
	 * nothing is known of the file.
	 */
	bool may_be_outside;
};

struct fetch_counts {
	uint64_t requests, retries, bytes; /* bytes of replies, good or not */
};

/** Of no file yet. */
struct fetch *fetch_new(struct network_session *s, const struct fetch_events *events);
/**
 * What follows is of the file at `address`, of which nothing is known. Ends what is under way. `shown`: the address in
 * messages. Returns 0, or with a text in `err`: DANA_ECONFIG (no address) or DANA_ENOMEM.
 */
int fetch_aim(struct fetch *f, const char *address, const char *shown, struct error *err);
/** The file is to be the one of which earlier replies, to another fetch, have said this. After fetch_aim. */
void fetch_expect(struct fetch *f, const struct identity *identity);
/** Returns what replies have said of the file. */
const struct identity *fetch_known(const struct fetch *f);
/** Asks for the bytes from `from` up to, without, `to` (UINT64_MAX: all), instead of what is under way. */
void fetch_begin(struct fetch *f, uint64_t from, uint64_t to);
/** After BODY_TAKEN_LAST or BODY_NO_ROOM: there is room again. May call `take`. */
void fetch_go_on(struct fetch *f);
/** Once `opened` was called: what identifies this version of the file, as source_identity. */
int fetch_identity(const struct fetch *f, struct buf *out);
/** Returns false if the server has sent the whole file where a part of it was asked for. */
bool fetch_knows_ranges(const struct fetch *f);
struct fetch_counts fetch_counts(const struct fetch *f);
/** Runs the loop for a moment. */
void fetch_free(struct fetch *f);

#endif
