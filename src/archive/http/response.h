/* SPDX-License-Identifier: MIT */
/*
 * Reads the head of an archived HTTP message (RFC 9112, sections 2 to 5) as the web sends it, from any split.
 * Owns the bytes of the head; slices of `head` point into it until the next reset. One owner, one thread.
 * Bad data is never an error: it adds to `problems`.
 */
#ifndef DANA_HTTP_RESPONSE_H
#define DANA_HTTP_RESPONSE_H

#include "base/buf.h"
#include "archive/stream/byte_sink.h"
#include "archive/stream/limits.h"
#include "base/slice.h"

enum {
	HEAD_NAME_MAX = 128, /* a longer first word is not the name of a field, so the block is not an HTTP message */
	HEAD_LEAD_MAX = 16,  /* line ends that may go before the status line */
	HEAD_HELD_MAX = HEAD_LEAD_MAX + HEAD_NAME_MAX + 2,
};

enum head_result { HEAD_MORE, HEAD_DONE };

enum head_state {
	HEAD_FIRST, /* the first bytes, which may not begin a head at all */
	HEAD_LINES, /* inside the head */
	HEAD_OVER,  /* the body begins */
};

struct head_reader {
	struct http_head head;
	unsigned problems;
	/* private */
	size_t max_bytes;
	unsigned max_lines;
	enum head_state state;
	bool interim;    /* a 1xx head was read: only a status line begins another */
	bool has_status; /* the first line is a status line */
	bool colon;      /* the last held byte is the colon after a name */
	bool cr_ends;    /* lines end with CR alone */
	bool cr;         /* the byte before was a CR */
	bool full;       /* a limit was reached: nothing more is kept */
	size_t line_len; /* bytes of the current line, without its end */
	unsigned lines;
	size_t lead, n_held;
	uint8_t held[HEAD_HELD_MAX];
	struct buf text; /* the lines of the head, each ended by LF */
	struct buf content_encoding, transfer_encoding;
};

void head_reader_init(struct head_reader *h, size_t max_bytes, unsigned max_lines);

void head_reader_reset(struct head_reader *h);

/**
 * Takes head bytes off the front of `bytes`. Returns HEAD_MORE if all are taken; HEAD_DONE if the head is complete: the
 * body is head_reader_rest(), then the rest of `bytes`; or DANA_ENOMEM.
 */
int head_reader_feed(struct head_reader *h, struct slice *bytes);

/** Called if the block ends before HEAD_DONE: the part that was read counts. Returns 0 or DANA_ENOMEM. */
int head_reader_finish(struct head_reader *h);

/** Returns the bytes that were taken but belong to the body. */
struct slice head_reader_rest(const struct head_reader *h);

void head_reader_free(struct head_reader *h);

/*
 * Undoes chunked transfer coding (RFC 9112, section 7.1), leniently and from any split. If the first bytes are not a
 * chunk size, the body was stored already decoded: it is passed as it is. No memory of its own, one owner.
 */

enum {
	CHUNKED_HELD_MAX = 64, /* a first line with more digits than this is not a chunk size */
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
	size_t n_held;
	uint8_t held[CHUNKED_HELD_MAX];
};

void chunked_reset(struct chunked *c);

/** Returns 0, or the status of `next` if that is not 0. */
int chunked_write(struct chunked *c, struct slice bytes, struct byte_sink *next);

/** Ends the body. Does not call next->finish. Returns 0 or a negative status. */
int chunked_finish(struct chunked *c, struct byte_sink *next);

/*
 * An HTTP message as archived: bytes of a record's block in, head and decoded body out. One message for each reset.
 * Takes what the web sends: LF only, no reason phrase, "HTTP/2 200", no status line at all. Never fails for bad data:
 * faults become problems.
 */

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
