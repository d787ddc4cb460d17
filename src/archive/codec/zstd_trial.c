/* SPDX-License-Identifier: MIT */
/*
 * The checks in order of their cost: magic and header, window and dictionary, the first block's type and size, the
 * first decoded bytes. Each one that fails ends the trial.
 */
#include "archive/codec/zstd_trial.h"

#include "archive/codec/record_start.h"
#include "archive/codec/zstd_frame.h"
#include "base/little_endian.h"

enum { BLOCK_HEADER = 3, BLOCK_MAX = 128 << 10 };
enum block_type { BLOCK_RAW = 0, BLOCK_RLE = 1, BLOCK_COMPRESSED = 2, BLOCK_RESERVED = 3 };

/* Accepts a dictionary if another frame or the end of the input follows it. Other skippable frames do not count. */
static int try_skippable(const struct zstd_header *h, struct slice from, bool last)
{
	const uint64_t end = (uint64_t)h->len + h->skip;
	if (!h->dictionary || end + 4 > CODEC_LOOKAHEAD || (last && end > from.len))
		return 0;
	if (from.len < end + 4 && !last)
		return -1;
	struct slice next = slice_skip(from, (size_t)end);
	return next.len == 0 || zstd_magic_part(next) ? 1 : 0;
}

/* Checks the first block's header (RFC 8878, section 3.1.1.2). A run of one byte is refused: no record begins so. */
static bool block_is_plausible(const uint8_t *p, uint64_t window)
{
	const unsigned header = (unsigned)little_endian(p, BLOCK_HEADER);
	const unsigned type = header >> 1 & 3, size = header >> 3;
	return (type == BLOCK_RAW || type == BLOCK_COMPRESSED) && size <= BLOCK_MAX &&
	       (size <= window || window < 1024);
}

static int try_frame(ZSTD_DCtx *context, const struct zstd_header *h, bool dictionary, struct slice body,
		     enum resync_start start, bool last, bool whole, struct buf *spare)
{
	if (body.len < BLOCK_HEADER)
		return last ? 0 : -1;
	if (!block_is_plausible(body.data, h->window))
		return 0;
	uint8_t decoded[RECORD_START_BYTES];
	struct zstd_frame frame;
	struct codec_in in = { body.data, body.len, 0 };
	struct codec_out out = { decoded, sizeof(decoded), 0 };
	size_t result = zstd_frame_begin(&frame, context, h, dictionary, spare);
	int status = ZSTD_isError(result) ? DANA_EFORMAT : zstd_frame_step(&frame, &in, &out, &result);
	int verdict = record_start(slice_of(decoded, out.pos));
	if (verdict == 1 || (verdict == 0 && start == RESYNC_AT_RECORD))
		return verdict;
	if (start == RESYNC_ANYWHERE && out.pos > 0)
		return 1; /* a block was decoded without a fault */
	if (status != CODEC_MORE_INPUT || last)
		return 0;
	return whole ? 1 : -1;
}

int zstd_trial(ZSTD_DCtx *context, const struct zstd_needs *needs, struct slice from, enum resync_start start,
	       bool last, struct buf *spare)
{
	const bool whole = from.len >= CODEC_LOOKAHEAD;
	if (whole && from.len > CODEC_LOOKAHEAD) {
		from.len = CODEC_LOOKAHEAD;
		last = false;
	}
	struct codec_in in = { from.data, from.len, 0 };
	struct zstd_header h;
	zstd_header_begin(&h);
	int status = zstd_header_parse(&h, &in);
	if (status < 0)
		return 0;
	if (status == CODEC_MORE_INPUT)
		return last ? 0 : -1;
	if (h.skippable)
		return try_skippable(&h, from, last);
	if (h.window > needs->window || (h.dictionary_id && h.dictionary_id != needs->dictionary_id))
		return 0;
	return try_frame(context, &h, needs->dictionary_id != 0, slice_skip(from, in.pos), start, last, whole, spare);
}
