/* SPDX-License-Identifier: MIT */
/*
 * An HTTP message as archived: bytes of a record's block in, head and decoded body out. One message for each reset.
 * Takes what the web sends: LF only, no reason phrase, "HTTP/2 200", no status line at all. Never fails for bad data:
 * faults become problems.
 */
#ifndef DANA_HTTP_RESPONSE_H
#define DANA_HTTP_RESPONSE_H

#include "archive/stream/byte_sink.h"
#include "archive/stream/limits.h"
#include "base/slice.h"

struct http_response;

/** The contents of a complete head. Slices are valid until the next reset. Empty slice = not sent. */
struct http_head {
	int status;                                       /* 0: no readable status line */
	struct slice content_type;                        /* the first one, as sent */
	struct slice content_encoding, transfer_encoding; /* all of that name, joined by ", " */
	bool has_length;
	uint64_t length;    /* Content-Length */
	struct slice lines; /* the lines after the first, each ended by LF, folded ones joined */
};

/**
 * `body` takes the decoded body. When its write returns RECORD_UNWANTED (1), the rest is not decoded, and
 * http_response_write returns 1 too.
 */
struct http_response *http_response_new(const struct limits *limits, struct byte_sink *body);
/**
 * Prepares for the next message. `bare`: the block is the body itself, without any HTTP head (resource records, ARC
 * files of other schemes).
 */
void http_response_reset(struct http_response *r, bool bare);
/**
 * Called once, when the head is complete and before the first body byte; may be NULL. `head` returns 0 to continue, 1
 * to skip the rest.
 */
void http_response_on_head(struct http_response *r, int (*head)(void *arg, const struct http_head *head), void *arg);
/** Returns 0, 1 (the rest is not wanted), or a negative status (DANA_ENOMEM, or that of the body's sink). */
int http_response_write(struct http_response *r, struct slice bytes);
/** Ends the block and flushes. Does not call body->finish. Returns 0 or a negative status. */
int http_response_finish(struct http_response *r);
const struct http_head *http_response_head(const struct http_response *r);
/** Returns a set of enum document_problem, complete after finish. */
unsigned http_response_problems(const struct http_response *r);
/** Returns the number of bytes passed to `body`. */
uint64_t http_response_body_bytes(const struct http_response *r);
void http_response_free(struct http_response *r);

#endif
