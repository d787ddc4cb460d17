/* SPDX-License-Identifier: MIT */
/*
 * The head of a request, read as strictly as RFC 9112 allows: what two programs could understand in two ways is
 * refused. libmicrohttpd takes lone CR for line ends, joins folded lines, cuts values at NUL and passes over a second
 * Content-Length; so it sees no head that was not read here before. Pure functions.
 */
#ifndef DANA_SERVE_REQUEST_HEAD_H
#define DANA_SERVE_REQUEST_HEAD_H

#include "base/slice.h"

enum {
	REQUEST_HEAD_MOST = 16 << 10, /* bytes, with the empty line */
	REQUEST_TARGET_MOST = 8 << 10,
	REQUEST_LINES_MOST = 100, /* fields */
};

/** Statuses of RFC 9110 that a head can be refused with. */
enum request_refusal {
	REQUEST_GOOD = 0,
	REQUEST_BAD = 400,
	REQUEST_TARGET_LONG = 414,
	REQUEST_EXPECTS = 417,
	REQUEST_HEAD_LARGE = 431,
	REQUEST_NOT_IMPLEMENTED = 501, /* a method or a transfer coding that nobody knows */
	REQUEST_VERSION = 505,
};

/** Where the head is looked at as it comes. Zeroed at its beginning. */
struct request_scan {
	size_t seen; /* bytes that were looked at */
	size_t lines;
};

/** What a head says. Slices point into it. */
struct request_head {
	struct slice method, target;
	struct slice authority; /* of a target that is a URL; else empty */
	struct slice path;      /* of the target, without the query; "*" */
	struct slice host;      /* of the field, where has_host; may be empty */
	bool has_host, has_length, chunked;
	uint64_t length; /* of the body, where has_length */
	bool old;        /* HTTP/1.0 */
	bool closes;     /* the connection shall end after the response */
	bool expects;    /* 100-continue */
};

/**
 * Looks at the bytes that are there of a head, from its first one: empty lines before it were dropped. Returns its
 * length when the empty line has come, 0 when more bytes are needed, and the negated enum request_refusal when no more
 * bytes can make it good.
 */
int request_head_scan(struct request_scan *scan, struct slice bytes);
/** Reads a head that request_head_scan has found whole. */
enum request_refusal request_head_read(struct slice bytes, struct request_head *head);
/** Returns the reason phrase of a status (RFC 9110, section 15); "Error" for others than those of this room. */
const char *request_reason(int status);

#endif
