/* SPDX-License-Identifier: MIT */
/*
 * Reads the head of an archived HTTP message (RFC 9112, sections 2 to 5) as the web sends it, from any split.
 * Owns the bytes of the head; slices of `head` point into it until the next reset. One owner, one thread.
 * Bad data is never an error: it adds to `problems`.
 */
#ifndef DANA_HTTP_HEAD_H
#define DANA_HTTP_HEAD_H

#include "archive/http/response.h"
#include "base/buf.h"

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

#endif
