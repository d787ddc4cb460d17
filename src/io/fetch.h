/* SPDX-License-Identifier: MIT */
/*
 * Bytes of a file on a server, each once and in order, whatever happens on the way: requests that fail are made again
 * from where they stopped (reply.h), as often as all inputs together may ask the host (host_gate.h), and no reply is
 * used that has not been looked at (reply.h).
 * Threads: the session's. Ownership: copies the address.
 */
#ifndef DANA_IO_FETCH_H
#define DANA_IO_FETCH_H

#include "base/buf.h"
#include "base/status.h"
#include "io/transfer.h"

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
