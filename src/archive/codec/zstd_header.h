/* SPDX-License-Identifier: MIT */
/*
 * Header of a zstd frame or skippable frame (RFC 8878, section 3.1), however it is cut into pieces. It is read here so
 * that window and dictionary are checked before the library takes memory. One owner, one thread at a time.
 */
#ifndef DANA_CODEC_ZSTD_HEADER_H
#define DANA_CODEC_ZSTD_HEADER_H

#include "archive/codec/codec.h"

enum { ZSTD_HEADER_MAX = 18 };

struct zstd_header {
	uint8_t bytes[ZSTD_HEADER_MAX];
	size_t len;
	bool skippable;         /* the frame is skippable */
	bool dictionary;        /* the frame is the skippable one that holds a dictionary */
	uint32_t skip;          /* bytes of a skippable frame's content */
	uint64_t window;        /* bytes that the frame's decoder needs */
	uint64_t content;       /* bytes of the frame's content; UINT64_MAX: not given */
	uint32_t dictionary_id; /* 0: no dictionary */
	bool checksum;          /* a checksum follows the last block */
	const char *fault;      /* after DANA_EFORMAT */
};

/** Prepares for a frame's first byte. */
void zstd_header_begin(struct zstd_header *h);
/**
 * Returns 0 if the header is complete, with in->pos directly after it; CODEC_MORE_INPUT; or DANA_EFORMAT with h->fault.
 */
int zstd_header_parse(struct zstd_header *h, struct codec_in *in);

/** As codec_ops.bid, and returns as that. */
int zstd_bid(struct slice first);

/** Returns whether a frame of any kind can begin with this byte. A quick test for searches. */
static inline bool zstd_magic_begins(uint8_t first)
{
	return first == 0x28 || (first & 0xf0) == 0x50;
}

/**
 * Returns how many first bytes of `s` match a frame's magic number: 4, or all if there are fewer; 0 if they do not
 * match.
 */
size_t zstd_magic_part(struct slice s);

#endif
