/*
 * One zstd frame, block by block. When the library meets damage it forgets what it put out in that call; so it gets the frame
 * in units that put out nothing before they can fail: then damage never depends on the split.
 */
#ifndef DANA_CODEC_ZSTD_FRAME_H
#define DANA_CODEC_ZSTD_FRAME_H

#include <zstd.h>

#include "codec/zstd_header.h"

enum zstd_unit {
	UNIT_BLOCK_HEADER,
	UNIT_BLOCK,
	UNIT_RAW_END, /* the last byte of a raw block, where the library compares the content size */
	UNIT_CHECKSUM,
	UNIT_NONE, /* the frame is over */
};

struct zstd_frame {
	ZSTD_DCtx *context; /* lent */
	enum zstd_unit unit;
	size_t left; /* of the unit */
	uint8_t block_header[3];
	bool checksum, last_block;
	bool pending; /* the output was full: the context may hold decoded bytes */
};

/** Begins the frame with this header. The library's result: an error or not. */
size_t zstd_frame_begin(struct zstd_frame *f, ZSTD_DCtx *context, const struct zstd_header *header);
/** CODEC_MORE_INPUT, CODEC_MORE_OUTPUT, CODEC_MEMBER_END, or DANA_EFORMAT with the library's result. */
int zstd_frame_step(struct zstd_frame *f, struct codec_in *in, struct codec_out *out, size_t *result);

#endif
