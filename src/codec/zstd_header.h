/*
 * Header of a zstd frame or skippable frame (RFC 8878, section 3.1), in any split; it is read here so that limits and
 * dictionaries are judged before any memory is taken. One owner, one thread at a time.
 */
#ifndef DANA_CODEC_ZSTD_HEADER_H
#define DANA_CODEC_ZSTD_HEADER_H

#include "codec/codec.h"

enum { ZSTD_HEADER_MAX = 18 };

struct zstd_header {
	uint8_t bytes[ZSTD_HEADER_MAX];
	size_t len;
	bool skippable, dictionary; /* a skippable frame; the one that holds a dictionary */
	uint32_t skip;              /* bytes of a skippable frame's content */
	uint64_t window;            /* bytes that the frame's decoder needs */
	uint32_t dictionary_id;     /* 0: none */
	bool checksum;              /* one follows the last block */
	const char *fault;          /* after DANA_EFORMAT */
};

/** Makes ready for a frame's first byte. */
void zstd_header_begin(struct zstd_header *h);
/** 0: complete, in->pos is just behind it; CODEC_MORE_INPUT; or DANA_EFORMAT with h->fault. */
int zstd_header_parse(struct zstd_header *h, struct codec_in *in);

/** As codec_ops.bid; looks through a leading skippable frame when it can see behind it. */
int zstd_bid(struct slice first);

/** Length of the part of a frame's magic number at the begin of `s`, at most 4; 0 when there is none. */
size_t zstd_magic_part(struct slice s);

#endif
