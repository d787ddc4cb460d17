/* SPDX-License-Identifier: MIT */
/* All limits of a run, in bytes unless a comment says otherwise. */
#ifndef DANA_ARCHIVE_LIMITS_H
#define DANA_ARCHIVE_LIMITS_H

#include <stddef.h>
#include <stdint.h>

struct limits {
	size_t head;          /* WARC record head that is read at most */
	size_t head_line;     /* part of each line that is kept */
	unsigned head_fields; /* fields that are read; lines after them are passed over */
	uint64_t block;       /* WARC block that is passed on */
	size_t http_head;
	unsigned http_lines; /* lines */
	uint64_t body;       /* body after content decoding */
	unsigned codings;    /* content codings stacked */
	unsigned expansion;  /* decoded : coded, after the first MiB */
	size_t window;       /* zstd window and dictionary */
	size_t text;         /* kept text of a page */
	unsigned depth;      /* open elements */
	unsigned work;       /* steps of counted work for each byte of a page */
	size_t in_flight;    /* blocks held for workers */
	size_t revisits;     /* table of the records that revisits refer to */
};

#define LIMITS_DEFAULT \
	{ \
		.head = (size_t)8 << 20, .head_line = (size_t)64 << 10, .head_fields = 100 << 10, \
		.block = (uint64_t)32 << 20, .http_head = (size_t)256 << 10, .http_lines = 1000, \
		.body = (uint64_t)16 << 20, .codings = 4, .expansion = 1000, .window = (size_t)8 << 20, \
		.text = (size_t)8 << 20, .depth = 512, .work = 64, .in_flight = (size_t)64 << 20, \
		.revisits = (size_t)64 << 20 \
	}

#endif
