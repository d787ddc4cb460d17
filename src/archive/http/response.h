/* SPDX-License-Identifier: MIT */
/* HTTP messages as archives hold them: the head, and the body with its codings undone. Bad data is never an error. */
#ifndef DANA_ARCHIVE_HTTP_RESPONSE_H
#define DANA_ARCHIVE_HTTP_RESPONSE_H

#include "archive/byte_sink.h"
#include "archive/limits.h"
#include "base/buf.h"
#include "base/slice.h"

/** The contents of a complete head. Slices are valid until the next reset. Empty slice = not sent. */
struct http_head {
	int status; /* 0: no readable status line */
	/* All fields of that name, joined by ", ". Without a head: content_type is what http_response_reset was told.
	 */
	struct slice content_type, content_encoding, transfer_encoding;
	bool has_length;
	uint64_t length;    /* Content-Length */
	struct slice lines; /* the lines after the first, each ended by LF, folded ones joined */
};

enum head_result { HEAD_MORE, HEAD_DONE };

/*
 * Undoes chunked transfer coding (RFC 9112, section 7.1), leniently and from any split. If the first bytes are not a
 * chunk size, the body was stored already decoded: it is passed as it is. No memory of its own, one owner.
 */

enum {
	CHUNKED_HELD_MAX = 64,    /* a first line with more digits than this is not a chunk size */
	CHUNKED_AGAIN_DIGITS = 8, /* digits of a size that no field names */
};

enum chunked_state {
	CHUNKED_FIRST,     /* the first size line: its bytes are held until they prove to be one */
	CHUNKED_SIZE,      /* the digits of a size */
	CHUNKED_SIZE_PAD,  /* white space after them */
	CHUNKED_EXTENSION, /* up to the end of the size line */
	CHUNKED_DATA,
	CHUNKED_DATA_END, /* the line end after the data */
	CHUNKED_TRAILER,  /* trailer fields, up to an empty line */
	CHUNKED_PLAIN,    /* not chunked at all: all is data */
	CHUNKED_OVER,     /* the last chunk or damage was read: the rest is ignored */
};

struct chunked {
	enum chunked_state state;
	bool bad;        /* damaged or cut: PROBLEM_BAD_CHUNKED */
	uint64_t size;   /* of the chunk; in CHUNKED_DATA the bytes left of it */
	bool digits;     /* at least one digit of the size was read */
	bool cr;         /* in CHUNKED_DATA_END: the CR was read */
	bool line_empty; /* in CHUNKED_TRAILER */
	bool unnamed;    /* no field says that there are chunks: without a doubt only, and damage ends them */
	bool coded;      /* with `unnamed`: the data is compressed */
	size_t n_line;   /* with `unnamed`: bytes of the first size line */
	size_t n_held;
	uint8_t held[CHUNKED_HELD_MAX];
};

void chunked_reset(struct chunked *c);
/** Returns 0, or the status of `next` if that is not 0. */
int chunked_write(struct chunked *c, struct slice bytes, struct byte_sink *next);
/** Ends the body. Does not call next->finish. */
int chunked_finish(struct chunked *c, struct byte_sink *next);

/*
 * An HTTP message as archived: bytes of a record's block in, head and decoded body out. One message for each reset.
 * Takes what the web sends: LF only, no reason phrase, "HTTP/2 200", no status line at all. Never fails for bad data:
 * faults become problems.
 */

struct http_response;

/**
 * `body` takes the decoded body. When its write returns RECORD_UNWANTED (1), the rest is not decoded, and
 * http_response_write returns 1 too.
 */
struct http_response *http_response_new(const struct limits *limits, struct byte_sink *body);
/** What the block of a record is. */
enum http_block {
	BLOCK_MESSAGE, /* head and body */
	BLOCK_BODY,    /* the body itself, without any HTTP head (resource records) */
	BLOCK_EITHER,  /* a message if a status line begins it, else a body (ARC does not say) */
};

/**
 * Prepares for the next message. `bare_type`: the Content-Type of a body without a head, borrowed until the next reset.
 */
void http_response_reset(struct http_response *r, enum http_block block, struct slice bare_type);
/**
 * Called once, when the head is complete and before the first body byte; may be NULL. `head` returns 0 to continue, 1
 * to skip the rest.
 */
void http_response_on_head(struct http_response *r, int (*head)(void *arg, const struct http_head *head), void *arg);
/** Returns 0, 1 (the rest is not wanted), or a negative status (DANA_ENOMEM, or that of the body's sink). */
int http_response_write(struct http_response *r, struct slice bytes);
/** Ends the block and flushes. Does not call body->finish. */
int http_response_finish(struct http_response *r);
const struct http_head *http_response_head(const struct http_response *r);
/** Returns a set of enum document_problem, complete after finish. */
unsigned http_response_problems(const struct http_response *r);
/** Returns the number of bytes passed to `body`. */
uint64_t http_response_body_bytes(const struct http_response *r);
void http_response_free(struct http_response *r);

#endif
