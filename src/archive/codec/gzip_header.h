/* SPDX-License-Identifier: MIT */
/*
 * Header of a gzip member (RFC 1952, section 2.3), however it is cut into pieces. Extra field, name and comment are
 * skipped, whatever their length, without memory. One owner, one thread at a time.
 */
#ifndef DANA_CODEC_GZIP_HEADER_H
#define DANA_CODEC_GZIP_HEADER_H

#include "archive/codec/codec.h"

struct gzip_header {
	int state;
	uint8_t flags;
	uint16_t value;    /* of the current two-byte number */
	unsigned left;     /* bytes left of the current part */
	uint32_t crc;      /* of the bytes so far, if a checksum follows */
	const char *fault; /* after DANA_EFORMAT */
};

/** Prepares for a member's first byte. */
void gzip_header_begin(struct gzip_header *h);
/**
 * Returns 0 if the header is complete, with in->pos at the deflate data; CODEC_MORE_INPUT; or DANA_EFORMAT with
 * h->fault.
 */
int gzip_header_parse(struct gzip_header *h, struct codec_in *in);
/**
 * Returns how many decoded bytes the member has by what wget notes in its header (extra field `sl`), or 0 if nothing is
 * noted. `header`: a complete header, as gzip_header_parse has taken it. The note may be wrong.
 */
uint32_t gzip_header_noted(struct slice header);

#endif
