/* SPDX-License-Identifier: MIT */
/*
 * Where a chunked body ends (RFC 9112, section 7.1), without decoding it: strictly, as request_head. Pure; any split of
 * the bytes gives the same.
 */
#ifndef DANA_SERVE_CHUNK_FRAMES_H
#define DANA_SERVE_CHUNK_FRAMES_H

#include "base/slice.h"

enum chunk_state {
	CHUNK_SIZE, /* digits of a size */
	CHUNK_EXTENSION,
	CHUNK_SIZE_END, /* after the CR of a size line */
	CHUNK_DATA,
	CHUNK_DATA_CR, /* after the data */
	CHUNK_DATA_LF,
	CHUNK_TRAILER,    /* at the beginning of a line of the trailer */
	CHUNK_TRAILER_IN, /* inside of it */
	CHUNK_TRAILER_LF, /* after its CR */
	CHUNK_LAST_LF,    /* after the CR of the empty line */
	CHUNK_END,
};

/** Zeroed at the beginning of a body. */
struct chunk_frames {
	enum chunk_state state;
	unsigned digits;
	uint64_t size;   /* of the chunk; what is missing of its data */
	uint64_t bytes;  /* of data until now */
	size_t overhead; /* bytes of extensions and of the trailer */
};

enum { CHUNK_OVERHEAD_MOST = 4 << 10 };

/**
 * Takes bytes until the body ends: *taken of them. Returns false if they are wrong, or the chunks' extensions and the
 * trailer are longer than CHUNK_OVERHEAD_MOST together.
 */
bool chunk_frames_take(struct chunk_frames *f, struct slice bytes, size_t *taken);

#endif
