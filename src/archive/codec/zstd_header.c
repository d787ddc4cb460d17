/* SPDX-License-Identifier: MIT */
/*
 * Collects the header's bytes; some of them determine how many more there are. Example: 28 b5 2f fd 04 58. The
 * descriptor 04 says: checksum, no dictionary id, no content size, and a window byte, so six bytes in all. 58 is 11 <<
 * 3 | 0: the window is 2^(10 + 11) = 2 MiB.
 */
#include "archive/codec/zstd_header.h"

#include "base/little_endian.h"

static const uint8_t frame_magic[4] = { 0x28, 0xb5, 0x2f, 0xfd };
static const uint8_t skippable_magic[4] = { 0x50, 0x2a, 0x4d, 0x18 }; /* low half of the first byte is free */

enum {
	MAGIC_BYTES = 4,
	SKIPPABLE_BYTES = 8,    /* magic and length */
	DICTIONARY_BYTE = 0x5d, /* first byte of 0x184D2A5D */
	SINGLE_SEGMENT = 0x20,  /* bits of the frame header descriptor */
	RESERVED = 0x08,
	CHECKSUM = 0x04,
};

static bool is_skippable(uint8_t first)
{
	return (first & 0xf0) == skippable_magic[0];
}

static bool fits_magic(uint8_t first, uint8_t byte, size_t i)
{
	return byte == frame_magic[i] ? first == frame_magic[0]
				      : is_skippable(first) && (i == 0 || byte == skippable_magic[i]);
}

static size_t dictionary_id_bytes(uint8_t descriptor)
{
	return (size_t[]){ 0, 1, 2, 4 }[descriptor & 3];
}

static size_t content_size_bytes(uint8_t descriptor)
{
	unsigned flag = descriptor >> 6;
	if (flag == 0)
		return descriptor & SINGLE_SEGMENT ? 1 : 0;
	return (size_t)1 << flag;
}

/* Returns the length of the header as far as it is known; more than h->len while it is incomplete. */
static size_t needed(const struct zstd_header *h)
{
	if (h->len <= MAGIC_BYTES)
		return h->skippable ? SKIPPABLE_BYTES : MAGIC_BYTES + 1;
	if (h->skippable)
		return SKIPPABLE_BYTES;
	uint8_t d = h->bytes[MAGIC_BYTES];
	return MAGIC_BYTES + 1 + (d & SINGLE_SEGMENT ? 0U : 1U) + dictionary_id_bytes(d) + content_size_bytes(d);
}

static void read_frame_fields(struct zstd_header *h)
{
	const uint8_t d = h->bytes[MAGIC_BYTES], *p = h->bytes + MAGIC_BYTES + 1;
	if (!(d & SINGLE_SEGMENT)) {
		uint64_t base = (uint64_t)1 << (10 + (*p >> 3));
		h->window = base + base / 8 * (*p & 7);
		p++;
	}
	h->checksum = d & CHECKSUM;
	h->dictionary_id = (uint32_t)little_endian(p, dictionary_id_bytes(d));
	p += dictionary_id_bytes(d);
	h->content = content_size_bytes(d) ? little_endian(p, content_size_bytes(d)) : UINT64_MAX;
	if (content_size_bytes(d) == 2)
		h->content += 256;
	if (d & SINGLE_SEGMENT)
		h->window = h->content;
}

void zstd_header_begin(struct zstd_header *h)
{
	*h = (struct zstd_header){ .len = 0 };
}

static int fail(struct zstd_header *h, const char *fault)
{
	h->fault = fault;
	return DANA_EFORMAT;
}

int zstd_header_parse(struct zstd_header *h, struct codec_in *in)
{
	while (h->len < needed(h)) {
		if (in->pos == in->len)
			return CODEC_MORE_INPUT;
		const uint8_t byte = in->data[in->pos++];
		const size_t i = h->len++;
		h->bytes[i] = byte;
		if (i < MAGIC_BYTES && !fits_magic(h->bytes[0], byte, i))
			return fail(h, "no zstd frame where one should begin");
		h->skippable = is_skippable(h->bytes[0]);
		if (i == MAGIC_BYTES && !h->skippable && (byte & RESERVED))
			return fail(h, "reserved bit in a zstd frame header");
	}
	if (h->skippable) {
		h->dictionary = h->bytes[0] == DICTIONARY_BYTE;
		h->skip = (uint32_t)little_endian(h->bytes + MAGIC_BYTES, 4);
	} else {
		read_frame_fields(h);
	}
	return 0;
}

size_t zstd_magic_part(struct slice s)
{
	size_t n = s.len < MAGIC_BYTES ? s.len : MAGIC_BYTES;
	for (size_t i = 0; i < n; i++) {
		if (!fits_magic(s.data[0], s.data[i], i))
			return 0;
	}
	return n;
}

int zstd_bid(struct slice first)
{
	size_t n = zstd_magic_part(first);
	if (n < MAGIC_BYTES)
		return n || first.len == 0 ? -1 : 0;
	return is_skippable(first.data[0]) ? 28 : 32;
}
