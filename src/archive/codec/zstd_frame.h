/* SPDX-License-Identifier: MIT */
/*
 * Decodes one zstd frame block by block.
 *
 * When the library finds damage, it does not say how much it wrote in that call. Given a good and a damaged block
 * together, it would lose the good one; given one after the other, it would not. So each call gets at most one unit (a
 * block's header, its content, the checksum), and a unit writes nothing before the point where it can fail. Then the
 * output before damage does not depend on how the input is cut. A block that is longer than the rest of the header's
 * content size is damage, too: whether the library sees it depends on the frames that it has decoded before. Example:
 * in "[header][block of 1,000][header][damaged block]" the second call writes the 1,000 bytes; the fourth fails and has
 * written nothing.
 */
#ifndef DANA_CODEC_ZSTD_FRAME_H
#define DANA_CODEC_ZSTD_FRAME_H

#include <zstd.h>

#include "archive/codec/zstd_header.h"
#include "base/buf.h"

enum zstd_unit {
	UNIT_BLOCK_HEADER,
	UNIT_BLOCK,
	UNIT_RAW_END, /* the last byte of a raw block: there the library compares the content size, and can fail */
	UNIT_CHECKSUM,
	UNIT_NONE, /* the frame has ended, or is known to be damaged */
};

struct zstd_frame {
	ZSTD_DCtx *context; /* borrowed */
	enum zstd_unit unit;
	size_t left;   /* of the unit */
	uint64_t room; /* of the header's content size: bytes left for the next blocks */
	uint8_t block_header[3];
	bool checksum, last_block;
	bool pending;      /* the output was full: the context may hold decoded bytes */
	struct buf *spare; /* borrowed: a block that might have been longer than `room` */
	size_t given;      /* bytes of `spare` that were passed on */
	bool ended;        /* the frame ends with `spare` */
};

/**
 * Begins the frame with this header; `dictionary`: one is loaded; `spare`, of the caller, is used until the frame ends.
 * Returns the library's result, for ZSTD_isError.
 */
size_t zstd_frame_begin(struct zstd_frame *f, ZSTD_DCtx *context, const struct zstd_header *header, bool dictionary,
			struct buf *spare);
/**
 * Returns CODEC_MORE_INPUT, CODEC_MORE_OUTPUT, CODEC_MEMBER_END, or DANA_EFORMAT; *result is the library's last result.
 */
int zstd_frame_step(struct zstd_frame *f, struct codec_in *in, struct codec_out *out, size_t *result);

#endif
