/* SPDX-License-Identifier: MIT */
/*
 * One state for each part of the header; the flags say which parts exist. Example: 1f 8b 08 08, six bytes of time and
 * system, "page\0". Flag 08 is FNAME: after the fixed part, HEADER_NAME skips up to the NUL, and the header is
 * complete.
 */
#include "archive/codec/gzip_header.h"

#include <zlib.h>

#include "base/little_endian.h"

enum gzip_header_state {
	HEADER_ID1,
	HEADER_ID2,
	HEADER_METHOD,
	HEADER_FLAGS,
	HEADER_FIXED,       /* time, extra flags, operating system */
	HEADER_EXTRA_LEN_1, /* FEXTRA: length, low byte */
	HEADER_EXTRA_LEN_2,
	HEADER_EXTRA,
	HEADER_NAME,    /* FNAME: up to NUL */
	HEADER_COMMENT, /* FCOMMENT: up to NUL */
	HEADER_CRC_1,   /* FHCRC: low half of the CRC-32 of all before it */
	HEADER_CRC_2,
	HEADER_DONE,
};

enum gzip_flag {
	GZIP_FHCRC = 0x02,
	GZIP_FEXTRA = 0x04,
	GZIP_FNAME = 0x08,
	GZIP_FCOMMENT = 0x10,
	GZIP_RESERVED = 0xe0,
};

enum { FIXED_REST = 6 }; /* bytes after the flags that always exist */

void gzip_header_begin(struct gzip_header *h)
{
	*h = (struct gzip_header){ .state = HEADER_ID1 };
}

static int fail(struct gzip_header *h, const char *fault)
{
	h->fault = fault;
	return DANA_EFORMAT;
}

/* Returns the part that follows `state`, by the flags. */
static int after(uint8_t flags, int state)
{
	if (state < HEADER_EXTRA_LEN_1 && (flags & GZIP_FEXTRA))
		return HEADER_EXTRA_LEN_1;
	if (state < HEADER_NAME && (flags & GZIP_FNAME))
		return HEADER_NAME;
	if (state < HEADER_COMMENT && (flags & GZIP_FCOMMENT))
		return HEADER_COMMENT;
	if (state < HEADER_CRC_1 && (flags & GZIP_FHCRC))
		return HEADER_CRC_1;
	return HEADER_DONE;
}

/* Takes the bytes of a part with known length. Returns true at its end. */
static bool pass_counted(struct gzip_header *h, struct codec_in *in)
{
	size_t n = in->len - in->pos;
	if (n > h->left)
		n = h->left;
	in->pos += n;
	h->left -= (unsigned)n;
	return h->left == 0;
}

/* Takes the bytes of a part that ends with NUL. Returns true when the NUL is taken. */
static bool pass_text(struct codec_in *in)
{
	const uint8_t *nul = memchr(in->data + in->pos, 0, in->len - in->pos);
	in->pos = nul ? (size_t)(nul - in->data) + 1 : in->len;
	return nul != NULL;
}

static int take_flags(struct gzip_header *h, uint8_t flags)
{
	if (flags & GZIP_RESERVED)
		return fail(h, "reserved flag bits in a gzip header");
	const uint8_t begin[4] = { 0x1f, 0x8b, Z_DEFLATED, flags };
	h->flags = flags;
	h->crc = (uint32_t)crc32_z(0, begin, sizeof(begin));
	h->left = FIXED_REST;
	h->state = HEADER_FIXED;
	return 0;
}

/* Takes one byte, or as much of a part as is available. Returns 0 or DANA_EFORMAT. `in` is not empty. */
static int step(struct gzip_header *h, struct codec_in *in)
{
	switch (h->state) {
	case HEADER_ID1:
	case HEADER_ID2:
		if (in->data[in->pos++] != (h->state == HEADER_ID1 ? 0x1f : 0x8b))
			return fail(h, "no gzip member where one should begin");
		h->state++;
		break;
	case HEADER_METHOD:
		if (in->data[in->pos++] != Z_DEFLATED)
			return fail(h, "unknown compression method in a gzip header");
		h->state++;
		break;
	case HEADER_FLAGS:
		return take_flags(h, in->data[in->pos++]);
	case HEADER_EXTRA_LEN_1:
	case HEADER_CRC_1:
		h->value = in->data[in->pos++];
		h->state++;
		break;
	case HEADER_EXTRA_LEN_2:
		h->left = h->value | (unsigned)in->data[in->pos++] << 8;
		h->state = h->left ? HEADER_EXTRA : after(h->flags, HEADER_EXTRA);
		break;
	case HEADER_FIXED:
	case HEADER_EXTRA:
		if (pass_counted(h, in))
			h->state = after(h->flags, h->state);
		break;
	case HEADER_NAME:
	case HEADER_COMMENT:
		if (pass_text(in))
			h->state = after(h->flags, h->state);
		break;
	case HEADER_CRC_2:
		if ((h->value | (unsigned)in->data[in->pos++] << 8) != (h->crc & 0xffff))
			return fail(h, "checksum of a gzip header is wrong");
		h->state = HEADER_DONE;
		break;
	default:
		break;
	}
	return 0;
}

int gzip_header_parse(struct gzip_header *h, struct codec_in *in)
{
	while (h->state != HEADER_DONE) {
		if (in->pos == in->len)
			return CODEC_MORE_INPUT;
		const bool summed = (h->flags & GZIP_FHCRC) && h->state > HEADER_FLAGS && h->state < HEADER_CRC_1;
		const size_t from = in->pos;
		int status = step(h, in);
		if (status < 0)
			return status;
		if (summed)
			h->crc = (uint32_t)crc32_z(h->crc, in->data + from, in->pos - from);
	}
	return 0;
}

/* A subfield (RFC 1952, section 2.3.1.1) has two letters and the length of its data; that of `sl` are two lengths. */
uint32_t gzip_header_noted(struct slice header)
{
	enum { FLAGS_AT = 3, EXTRA_AT = 10, SUBFIELD_HEAD = 4, LENGTHS = 8 };
	if (!(header.data[FLAGS_AT] & GZIP_FEXTRA))
		return 0;
	const size_t len = little_endian(header.data + EXTRA_AT, 2);
	struct slice extra = slice_first(slice_skip(header, EXTRA_AT + 2), len);
	while (extra.len >= SUBFIELD_HEAD) {
		const size_t data = little_endian(extra.data + 2, 2);
		if (memcmp(extra.data, "sl", 2) == 0 && data == LENGTHS && extra.len >= SUBFIELD_HEAD + LENGTHS)
			return little_endian_32(extra.data + SUBFIELD_HEAD + 4);
		extra = slice_skip(extra, SUBFIELD_HEAD + data);
	}
	return 0;
}
