/* SPDX-License-Identifier: MIT */
/*
 * Follows the frame's structure (RFC 8878, section 3.1.1) only as far as to know where the next unit ends. Example:
 * the block header 29 00 00 is 0x29 = 5 << 3 | 0 << 1 | 1, so a raw block of 5 bytes which is the last one: 4 bytes
 * are one unit (UNIT_BLOCK), the fifth another (UNIT_RAW_END).
 */
#include "archive/codec/zstd_frame.h"

#include <zstd_errors.h>

#include "base/little_endian.h"

enum { BLOCK_HEADER_BYTES = 3, CHECKSUM_BYTES = 4, BLOCK_MOST = 128 << 10 };
enum { BLOCK_RAW = 0, BLOCK_RLE = 1, BLOCK_COMPRESSED = 2 };

static size_t read_header(ZSTD_DCtx *context, const struct zstd_header *header)
{
	(void)ZSTD_DCtx_reset(context, ZSTD_reset_session_only);
	ZSTD_inBuffer in = { header->bytes, header->len, 0 };
	ZSTD_outBuffer out = { NULL, 0, 0 };
	return ZSTD_decompressStream(context, &out, &in);
}

/*
 * If the dictionary differs from that of the frame before, the library decodes the first block with another decoder,
 * which accepts damage that the usual one refuses: the result of damage would depend on what was tried before. After
 * the header is read twice, it uses the usual decoder.
 */
size_t zstd_frame_begin(struct zstd_frame *f, ZSTD_DCtx *context, const struct zstd_header *header, bool dictionary,
			struct buf *spare)
{
	buf_clear(spare);
	*f = (struct zstd_frame){ .context = context,
				  .left = BLOCK_HEADER_BYTES,
				  .room = header->content,
				  .spare = spare,
				  .checksum = header->checksum };
	if (dictionary)
		(void)read_header(context, header);
	return read_header(context, header);
}

static void set_unit(struct zstd_frame *f, enum zstd_unit unit, size_t left)
{
	f->unit = unit;
	f->left = left;
}

static unsigned block_type(const struct zstd_frame *f)
{
	return f->block_header[0] >> 1 & 3;
}

static void after_block(struct zstd_frame *f)
{
	if (!f->last_block)
		set_unit(f, UNIT_BLOCK_HEADER, BLOCK_HEADER_BYTES);
	else if (f->checksum)
		set_unit(f, UNIT_CHECKSUM, CHECKSUM_BYTES);
	else
		set_unit(f, UNIT_NONE, 0);
}

/*
 * Block header: last-block bit, two bits of type, size (RFC 8878, section 3.1.1.2). A raw block, or one byte many
 * times, that is longer than the rest of the content is handled here: the library would output as much as fits of a raw
 * one if it comes in pieces, else nothing.
 */
static void after_header(struct zstd_frame *f)
{
	const uint8_t *p = f->block_header;
	const size_t size = (size_t)little_endian(p, BLOCK_HEADER_BYTES) >> 3;
	const unsigned type = block_type(f);
	f->last_block = p[0] & 1;
	if ((type == BLOCK_RAW || type == BLOCK_RLE) && size > f->room)
		set_unit(f, UNIT_NONE, 0);
	else if (type == BLOCK_RLE)
		set_unit(f, UNIT_BLOCK, 1);
	else if (size == 0)
		after_block(f);
	else if (type == BLOCK_RAW && size == 1)
		set_unit(f, UNIT_RAW_END, 1);
	else
		set_unit(f, UNIT_BLOCK, type == BLOCK_RAW ? size - 1 : size);
}

static void next_unit(struct zstd_frame *f)
{
	switch (f->unit) {
	case UNIT_BLOCK_HEADER:
		after_header(f);
		break;
	case UNIT_BLOCK:
		if (block_type(f) == BLOCK_RAW)
			set_unit(f, UNIT_RAW_END, 1);
		else
			after_block(f);
		break;
	case UNIT_RAW_END:
		after_block(f);
		break;
	case UNIT_CHECKSUM:
	case UNIT_NONE:
		set_unit(f, UNIT_NONE, 0);
		break;
	}
}

/* Follows the structure over the bytes that the library took. */
static void pass(struct zstd_frame *f, const uint8_t *bytes, size_t n)
{
	if (n == 0)
		return;
	if (f->unit == UNIT_BLOCK_HEADER)
		memcpy(f->block_header + BLOCK_HEADER_BYTES - f->left, bytes, n);
	f->left -= n;
	if (f->left == 0)
		next_unit(f);
}

/* Passes on what `spare` holds. Returns 0 when nothing of it is left, else CODEC_MORE_OUTPUT. */
static int pass_on(struct zstd_frame *f, struct codec_out *out)
{
	const size_t left = f->spare->len - f->given, space = out->len - out->pos, n = left < space ? left : space;
	if (n)
		memcpy(out->data + out->pos, f->spare->data + f->given, n);
	out->pos += n;
	f->given += n;
	return n < left ? CODEC_MORE_OUTPUT : 0;
}

/* The end of a compressed block whose length shows only when all of it is written, for which `out` has no space. */
static bool needs_spare(const struct zstd_frame *f, size_t n, const struct codec_out *out)
{
	return n && n == f->left && f->unit == UNIT_BLOCK && block_type(f) == BLOCK_COMPRESSED &&
	       f->room < BLOCK_MOST && out->len - out->pos <= f->room;
}

/* One call of the library. Returns 0 or DANA_EFORMAT. */
static int step_unit(struct zstd_frame *f, struct codec_in *in, size_t n, struct codec_out *out, size_t *result)
{
	const bool spare = needs_spare(f, n, out);
	const uint8_t *bytes = n ? in->data + in->pos : NULL;
	buf_clear(f->spare);
	f->given = 0;
	if (spare && buf_reserve(f->spare, (size_t)f->room + 1) < 0) {
		*result = (size_t) - (int)ZSTD_error_memory_allocation;
		return DANA_EFORMAT;
	}
	ZSTD_inBuffer from = { bytes, n, 0 };
	ZSTD_outBuffer to = { out->data, out->len, out->pos };
	if (spare)
		to = (ZSTD_outBuffer){ f->spare->data, (size_t)f->room + 1, 0 };
	const size_t before = to.pos;
	*result = ZSTD_decompressStream(f->context, &to, &from);
	if (ZSTD_isError(*result) || to.pos - before > f->room)
		return DANA_EFORMAT;
	pass(f, bytes, from.pos);
	in->pos += from.pos;
	f->room -= to.pos - before;
	f->pending = !spare && to.pos == to.size;
	f->ended = *result == 0;
	if (spare)
		f->spare->len = to.pos;
	else
		out->pos = to.pos;
	return DANA_OK;
}

int zstd_frame_step(struct zstd_frame *f, struct codec_in *in, struct codec_out *out, size_t *result)
{
	while (out->pos < out->len) {
		size_t n = in->len - in->pos < f->left ? in->len - in->pos : f->left;
		const bool waits = f->given < f->spare->len;
		if (f->pending || waits)
			n = 0;
		else if (f->left && n == 0)
			return CODEC_MORE_INPUT;
		if (!waits && step_unit(f, in, n, out, result) < 0)
			return DANA_EFORMAT;
		if (pass_on(f, out))
			return CODEC_MORE_OUTPUT;
		if (f->ended)
			return CODEC_MEMBER_END;
		if (f->unit == UNIT_NONE && !f->pending)
			return DANA_EFORMAT;
	}
	return CODEC_MORE_OUTPUT;
}
