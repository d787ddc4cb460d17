/* SPDX-License-Identifier: MIT */
/*
 * Undoes chunked transfer coding (RFC 9112, section 7.1), leniently and from any split. If the first bytes are not a
 * chunk size, the body was stored already decoded: it is passed as it is. No memory of its own, one owner.
 */
#ifndef DANA_HTTP_CHUNKED_H
#define DANA_HTTP_CHUNKED_H

#include "archive/stream/byte_sink.h"

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

#endif
