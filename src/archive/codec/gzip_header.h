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
	uint16_t value;    /* of the two-byte number under way */
	unsigned left;     /* bytes of the part under way */
	uint32_t crc;      /* of the bytes so far, where a checksum follows */
	const char *fault; /* after DANA_EFORMAT */
};

/** Gets ready for a member's first byte. */
void gzip_header_begin(struct gzip_header *h);
/** 0: complete, in->pos is at the deflate data; CODEC_MORE_INPUT; or DANA_EFORMAT with h->fault. */
int gzip_header_parse(struct gzip_header *h, struct codec_in *in);

#endif
