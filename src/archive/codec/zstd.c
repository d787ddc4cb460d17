/* SPDX-License-Identifier: MIT */
/*
 * zstd frames (RFC 8878), one after another, and the dictionary of the IIPC's "Zstandard compression of WARC files": a
 * skippable frame 0x184D2A5D that holds a dictionary, plain or itself one zstd frame.
 *
 * The header is read here before the library sees the frame. So a window above the limit or a dictionary that is not
 * loaded is refused before any memory is taken. Example: of the frames "[dictionary 7][frame that needs 7][frame that
 * needs 9]" the first gives CODEC_SKIPPED, the second is decoded, the third is DANA_ECONFIG.
 *
 * The encoder makes one frame for each unit.
 */
#include <stdio.h>
#include <stdlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "archive/codec/codec.h"
#include "archive/codec/codecs.h"
#include "base/ascii.h"
#include "base/buf.h"

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

/*
 * Collects the header's bytes; some of them determine how many more there are. Example: 28 b5 2f fd 04 58. The
 * descriptor 04 means: checksum, no dictionary id, no content size, and a window byte, so six bytes in all. 58 is 11 <<
 * 3 | 0: the window is 2^(10 + 11) = 2 MiB.
 */

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

static int bad_header(struct zstd_header *h, const char *fault)
{
	h->fault = fault;
	return DANA_EFORMAT;
}

/**
 * Returns 0 if the header is complete, with in->pos directly after it; CODEC_MORE_INPUT; or DANA_EFORMAT with h->fault.
 */
static int zstd_header_parse(struct zstd_header *h, struct codec_in *in)
{
	while (h->len < needed(h)) {
		if (in->pos == in->len)
			return CODEC_MORE_INPUT;
		const uint8_t byte = in->data[in->pos++];
		const size_t i = h->len++;
		h->bytes[i] = byte;
		if (i < MAGIC_BYTES && !fits_magic(h->bytes[0], byte, i))
			return bad_header(h, "no zstd frame where one should begin");
		h->skippable = is_skippable(h->bytes[0]);
		if (i == MAGIC_BYTES && !h->skippable && (byte & RESERVED))
			return bad_header(h, "reserved bit in a zstd frame header");
	}
	if (h->skippable) {
		h->dictionary = h->bytes[0] == DICTIONARY_BYTE;
		h->skip = (uint32_t)little_endian(h->bytes + MAGIC_BYTES, 4);
	} else {
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
	return 0;
}

/**
 * Returns how many first bytes of `s` match a frame's magic number: 4, or all if there are fewer; 0 if they do not
 * match.
 */
static size_t zstd_magic_part(struct slice s)
{
	size_t n = s.len < MAGIC_BYTES ? s.len : MAGIC_BYTES;
	for (size_t i = 0; i < n; i++) {
		if (!fits_magic(s.data[0], s.data[i], i))
			return 0;
	}
	return n;
}

uint64_t zstd_skippable_length(struct slice first)
{
	if (first.len < SKIPPABLE_BYTES || !is_skippable(first.data[0]) || !zstd_magic_part(first))
		return 0;
	return SKIPPABLE_BYTES + little_endian(first.data + MAGIC_BYTES, SKIPPABLE_BYTES - MAGIC_BYTES);
}

/** As codec_ops.bid, and returns as that. */
static int zstd_bid(struct slice first)
{
	size_t n = zstd_magic_part(first);
	if (n < MAGIC_BYTES)
		return n || first.len == 0 ? -1 : 0;
	return is_skippable(first.data[0]) ? 28 : 32;
}

/*
 * Decodes one zstd frame block by block.
 *
 * When the library finds damage, it does not report how much it wrote in that call. Given a good and a damaged block
 * together, it would lose the good one; given one after the other, it would not. So each call gets at most one unit (a
 * block's header, its content, the checksum), and a unit writes nothing before the point where it can fail.
 *
 * Then the output before damage does not depend on how the input is cut. A block that is longer than the rest of the
 * header's content size is damage, too: whether the library sees it depends on the frames that it has decoded before.
 * Example: in "[header][block of 1,000][header][damaged block]" the second call writes the 1,000 bytes; the fourth
 * fails and has written nothing.
 */
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

/*
 * Follows the frame's structure (RFC 8878, section 3.1.1) only as far as to know where the next unit ends. Example:
 * the block header 29 00 00 is 0x29 = 5 << 3 | 0 << 1 | 1, so a raw block of 5 bytes which is the last one: 4 bytes
 * are one unit (UNIT_BLOCK), the fifth another (UNIT_RAW_END).
 */

enum { BLOCK_HEADER_BYTES = 3, CHECKSUM_BYTES = 4, BLOCK_MOST = 128 << 10 };

enum { BLOCK_RAW = 0, BLOCK_RLE = 1, BLOCK_COMPRESSED = 2 };

static size_t give_header(ZSTD_DCtx *context, const struct zstd_header *header)
{
	(void)ZSTD_DCtx_reset(context, ZSTD_reset_session_only);
	ZSTD_inBuffer in = { header->bytes, header->len, 0 };
	ZSTD_outBuffer out = { NULL, 0, 0 };
	return ZSTD_decompressStream(context, &out, &in);
}

/*
 * If the dictionary is not the one that the frame before has, the library decodes the first block with another decoder,
 * which accepts damage that the usual one refuses: the result of damage would depend on what was tried before. After
 * the header is read twice, it uses the usual decoder.
 */
static size_t zstd_frame_begin(struct zstd_frame *f, ZSTD_DCtx *context, const struct zstd_header *header,
			       bool dictionary, struct buf *spare)
{
	buf_clear(spare);
	*f = (struct zstd_frame){ .context = context,
				  .left = BLOCK_HEADER_BYTES,
				  .room = header->content,
				  .spare = spare,
				  .checksum = header->checksum };
	if (dictionary)
		(void)give_header(context, header);
	return give_header(context, header);
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

/* One call of the library. Returns 0 or DANA_EFORMAT. */
static int step_unit(struct zstd_frame *f, struct codec_in *in, size_t n, struct codec_out *out, size_t *result)
{
	const bool spare = (n && n == f->left && f->unit == UNIT_BLOCK && block_type(f) == BLOCK_COMPRESSED &&
			    f->room < BLOCK_MOST && out->len - out->pos <= f->room);
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
	/* follow the structure over the bytes that the library took */
	if (from.pos && f->unit == UNIT_BLOCK_HEADER)
		memcpy(f->block_header + BLOCK_HEADER_BYTES - f->left, bytes, from.pos);
	f->left -= from.pos;
	if (from.pos && f->left == 0) {
		switch (f->unit) {
		case UNIT_BLOCK_HEADER: {
			/* block header: last-block bit, two bits of type, size (RFC 8878, section 3.1.1.2). A raw
			 * block, or one byte many times, that is longer than the rest of the content is handled here:
			 * the library would output as much as fits of a raw one if it comes in pieces, else nothing. */
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
		} break;
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

/**
 * Returns CODEC_MORE_INPUT, CODEC_MORE_OUTPUT, CODEC_MEMBER_END, or DANA_EFORMAT; *result is the library's last result.
 */
static int zstd_frame_step(struct zstd_frame *f, struct codec_in *in, struct codec_out *out, size_t *result)
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
		/* pass on what `spare` holds */
		const size_t left = f->spare->len - f->given, space = out->len - out->pos;
		const size_t part = left < space ? left : space;
		if (part)
			memcpy(out->data + out->pos, f->spare->data + f->given, part);
		out->pos += part;
		f->given += part;
		if (part < left)
			return CODEC_MORE_OUTPUT;
		if (f->ended)
			return CODEC_MEMBER_END;
		if (f->unit == UNIT_NONE && !f->pending)
			return DANA_EFORMAT;
	}
	return CODEC_MORE_OUTPUT;
}

struct zstd_needs {
	size_t window;          /* the limit, in bytes */
	unsigned dictionary_id; /* of the loaded dictionary; 0: no dictionary is loaded */
};

/*
 * The checks in order of their cost: magic and header, window and dictionary, the first block's type and size, the
 * first decoded bytes. Each one that fails ends the trial.
 */

/**
 * Returns 1 if a frame seems to begin here, 0 if not, -1 if more bytes are needed (never with `last`, and never with
 * CODEC_LOOKAHEAD bytes). More bytes never change a result of 1 or 0. A first block longer than CODEC_LOOKAHEAD cannot
 * be decoded here: then plausible headers are enough. The context and `spare` are borrowed; a frame that they were
 * decoding is lost.
 */
static int zstd_trial(ZSTD_DCtx *context, const struct zstd_needs *needs, struct slice from, enum resync_start start,
		      bool last, struct buf *spare)
{
	const bool whole = from.len >= CODEC_LOOKAHEAD;
	if (whole && from.len > CODEC_LOOKAHEAD) {
		from.len = CODEC_LOOKAHEAD;
		last = false;
	}
	struct codec_in in = { from.data, from.len, 0 };
	struct zstd_header h = { 0 };
	int status = zstd_header_parse(&h, &in);
	if (status < 0)
		return 0;
	if (status == CODEC_MORE_INPUT)
		return last ? 0 : -1;
	if (h.skippable) {
		/* accepts a dictionary if another frame or the end of the input follows it. Other skippable frames do
		 * not count. */
		const uint64_t end = (uint64_t)h.len + h.skip;
		if (!h.dictionary || end + 4 > CODEC_LOOKAHEAD || (last && end > from.len))
			return 0;
		if (from.len < end + 4 && !last)
			return -1;
		struct slice next = slice_skip(from, (size_t)end);
		return next.len == 0 || zstd_magic_part(next) ? 1 : 0;
	}
	if (h.window > needs->window || (h.dictionary_id && h.dictionary_id != needs->dictionary_id))
		return 0;
	const struct slice body = slice_skip(from, in.pos);
	if (body.len < BLOCK_HEADER_BYTES)
		return last ? 0 : -1;
	/* the first block's header (RFC 8878, section 3.1.1.2); a run of one byte is refused: no record begins so */
	const unsigned header = (unsigned)little_endian(body.data, BLOCK_HEADER_BYTES);
	const unsigned type = header >> 1 & 3, size = header >> 3;
	if (!((type == BLOCK_RAW || type == BLOCK_COMPRESSED) && size <= BLOCK_MOST &&
	      (size <= h.window || h.window < 1024)))
		return 0;
	uint8_t decoded[RECORD_START_BYTES];
	struct zstd_frame frame;
	in = (struct codec_in){ body.data, body.len, 0 };
	struct codec_out out = { decoded, sizeof(decoded), 0 };
	size_t result = zstd_frame_begin(&frame, context, &h, needs->dictionary_id != 0, spare);
	status = ZSTD_isError(result) ? DANA_EFORMAT : zstd_frame_step(&frame, &in, &out, &result);
	int verdict = record_start(slice_of(decoded, out.pos));
	if (verdict == 1 || (verdict == 0 && start == RESYNC_AT_RECORD))
		return verdict;
	if (start == RESYNC_ANYWHERE && out.pos > 0)
		return 1; /* a block was decoded without a fault */
	if (status != CODEC_MORE_INPUT || last)
		return 0;
	return whole ? 1 : -1;
}

enum zstd_state {
	STATE_START,  /* between frames */
	STATE_HEADER, /* the header is collected */
	STATE_BODY,
	STATE_SKIP,       /* inside a skippable frame */
	STATE_DICTIONARY, /* the dictionary frame is collected */
};

struct zstd {
	struct codec codec;
	enum zstd_state state;
	ZSTD_DCtx *context;      /* made on first use */
	struct zstd_needs needs; /* window limit and the loaded dictionary */
	struct zstd_header header;
	uint64_t left;         /* of a skippable frame */
	struct buf dictionary; /* being collected */
	struct zstd_frame frame;
	struct buf spare; /* of `frame`, and of trials */
	char text[96];    /* of a fault */
};

static int fail_by_zstd(struct zstd *z, size_t result)
{
	switch (ZSTD_getErrorCode(result)) {
	case ZSTD_error_memory_allocation:
		return codec_fail(&z->codec, DANA_ENOMEM, "out of memory");
	case ZSTD_error_checksum_wrong:
		return codec_fail(&z->codec, DANA_EFORMAT, "checksum of a zstd frame is wrong");
	default:
		return codec_fail(&z->codec, DANA_EFORMAT, "zstd data damaged");
	}
}

/* Makes the context refuse frames with a larger window (rounded up to a power of 2). */
static void limit_window(struct zstd *z)
{
	const ZSTD_bounds bounds = ZSTD_dParam_getBounds(ZSTD_d_windowLogMax);
	int log = bounds.lowerBound;
	while (log < bounds.upperBound && (size_t)1 << log < z->needs.window)
		log++;
	(void)ZSTD_DCtx_setParameter(z->context, ZSTD_d_windowLogMax, log);
}

static bool has_context(struct zstd *z)
{
	if (!z->context) {
		z->context = ZSTD_createDCtx();
		if (z->context)
			limit_window(z);
	}
	return z->context;
}

static int read_header(struct zstd *z, struct codec_in *in, bool last)
{
	int status = zstd_header_parse(&z->header, in);
	if (status < 0)
		return codec_fail(&z->codec, status, z->header.fault);
	if (status == CODEC_MORE_INPUT)
		return codec_ends(&z->codec, last, "input ends inside a zstd frame header");
	z->codec.was_dictionary = z->header.dictionary;
	z->codec.unchecked = !z->header.checksum;
	if (z->header.skippable) {
		z->left = z->header.skip;
		if (!z->header.dictionary) {
			z->state = STATE_SKIP;
			return 0;
		}
		if (z->left > z->needs.window)
			return codec_fail(&z->codec, DANA_ECONFIG, "zstd dictionary is larger than the window limit");
		buf_clear(&z->dictionary);
		z->state = STATE_DICTIONARY;
		return 0;
	}
	const struct zstd_header *h = &z->header;
	if (h->window > z->needs.window)
		return codec_fail(&z->codec, DANA_ELIMIT, "zstd window is larger than the limit");
	if (h->dictionary_id && h->dictionary_id != z->needs.dictionary_id) {
		if (z->needs.dictionary_id)
			(void)snprintf(z->text, sizeof(z->text), "zstd frame needs dictionary %u, and %u is loaded",
				       (unsigned)h->dictionary_id, z->needs.dictionary_id);
		else
			(void)snprintf(z->text, sizeof(z->text),
				       "zstd frame needs dictionary %u, and no dictionary is loaded",
				       (unsigned)h->dictionary_id);
		return codec_fail(&z->codec, DANA_ECONFIG, z->text);
	}
	if (!has_context(z))
		return codec_fail(&z->codec, DANA_ENOMEM, "out of memory");
	size_t result = zstd_frame_begin(&z->frame, z->context, h, z->needs.dictionary_id != 0, &z->spare);
	if (ZSTD_isError(result))
		return fail_by_zstd(z, result);
	z->state = STATE_BODY;
	return 0;
}

static int skip(struct zstd *z, struct codec_in *in, bool last)
{
	size_t n = in->len - in->pos;
	if (n > z->left)
		n = (size_t)z->left;
	in->pos += n;
	z->left -= n;
	if (z->left)
		return codec_ends(&z->codec, last, "input ends inside a skippable zstd frame");
	z->state = STATE_START;
	return CODEC_SKIPPED;
}

static bool begins(struct slice s, uint32_t magic)
{
	return s.len >= sizeof(magic) && little_endian_32(s.data) == magic;
}

/* Decodes `content`, which must be one frame. */
static int unpack(struct zstd *z, struct slice content, struct buf *to)
{
	enum { DECODE_STEP = 1 << 16 };
	ZSTD_inBuffer in = { content.data, content.len, 0 };
	for (;;) {
		if (buf_reserve(to, DECODE_STEP) < 0)
			return codec_fail(&z->codec, DANA_ENOMEM, "out of memory");
		ZSTD_outBuffer out = { to->data + to->len, DECODE_STEP, 0 };
		const size_t taken = in.pos;
		size_t result = ZSTD_decompressStream(z->context, &out, &in);
		to->len += out.pos;
		if (ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation)
			return codec_fail(&z->codec, DANA_ENOMEM, "out of memory");
		if (to->len > z->needs.window)
			return codec_fail(&z->codec, DANA_ECONFIG, "zstd dictionary is larger than the window limit");
		if (result == 0 && in.pos == in.size)
			return 0;
		if (ZSTD_isError(result) || result == 0 || (in.pos == taken && out.pos == 0))
			return codec_fail(&z->codec, DANA_ECONFIG, "zstd dictionary is damaged");
	}
}

static int load(struct zstd *z, struct slice dictionary)
{
	const unsigned id = begins(dictionary, ZSTD_MAGIC_DICTIONARY)
				    ? ZSTD_getDictID_fromDict(dictionary.data, dictionary.len)
				    : 0;
	if (id == 0)
		return codec_fail(&z->codec, DANA_ECONFIG, "the zstd dictionary frame does not contain a dictionary");
	size_t result = ZSTD_DCtx_loadDictionary(z->context, dictionary.data, dictionary.len);
	if (ZSTD_isError(result))
		return codec_fail(&z->codec, DANA_ECONFIG, "zstd dictionary is damaged");
	z->needs.dictionary_id = id;
	return 0;
}

static int read_dictionary(struct zstd *z, struct codec_in *in, bool last)
{
	size_t n = in->len - in->pos;
	if (n > z->left)
		n = (size_t)z->left;
	if (n && buf_append(&z->dictionary, in->data + in->pos, n) < 0)
		return codec_fail(&z->codec, DANA_ENOMEM, "out of memory");
	in->pos += n;
	z->left -= n;
	if (z->left)
		return last ? codec_fail(&z->codec, DANA_ECONFIG, "input ends inside the zstd dictionary")
			    : CODEC_MORE_INPUT;
	if (!has_context(z))
		return codec_fail(&z->codec, DANA_ENOMEM, "out of memory");
	/*
	 * The content begins with 37 a4 30 ec if it is the dictionary itself, and with 28 b5 2f fd if it is a zstd
	 * frame that holds the dictionary, which is decoded first, up to the window limit. Anything else is not a
	 * dictionary.
	 */
	const struct slice content = buf_slice(&z->dictionary);
	struct buf unpacked = { 0 };
	const bool packed = begins(content, ZSTD_MAGICNUMBER);
	int status = 0;
	z->needs.dictionary_id = 0;
	(void)ZSTD_DCtx_reset(z->context, ZSTD_reset_session_and_parameters);
	limit_window(z);
	if (packed) {
		status = unpack(z, content, &unpacked);
		(void)ZSTD_DCtx_reset(z->context, ZSTD_reset_session_only);
	}
	if (status == 0)
		status = load(z, packed ? buf_slice(&unpacked) : content);
	buf_free(&unpacked);
	buf_free(&z->dictionary);
	z->state = STATE_START;
	return status < 0 ? status : CODEC_SKIPPED;
}

static int zstd_step(struct codec *c, struct codec_in *in, struct codec_out *out, bool last)
{
	struct zstd *z = (struct zstd *)c;
	int status = *c->fault ? DANA_ESTATE : 0;
	while (status == 0) {
		switch (z->state) {
		case STATE_START:
			if (in->pos == in->len)
				return last ? CODEC_END : CODEC_MORE_INPUT;
			z->header = (struct zstd_header){ 0 };
			c->was_dictionary = false;
			z->state = STATE_HEADER;
			break;
		case STATE_HEADER:
			status = read_header(z, in, last);
			break;
		case STATE_BODY: {
			size_t result = 0;
			status = zstd_frame_step(&z->frame, in, out, &result);
			if (status < 0)
				status = fail_by_zstd(z, result);
			else if (status == CODEC_MORE_INPUT)
				status = codec_ends(&z->codec, last, "input ends inside a zstd frame");
			else if (status == CODEC_MEMBER_END)
				z->state = STATE_START;

			break;
		}
		case STATE_SKIP:
			status = skip(z, in, last);
			break;
		case STATE_DICTIONARY:
			status = read_dictionary(z, in, last);
			break;
		}
	}
	return status;
}

static void zstd_reset(struct codec *c)
{
	((struct zstd *)c)->state = STATE_START;
	c->fault = "";
	c->cut = false;
}

/* Moves *at, which is 0 at first, to the next such byte from `from` on, or to in->len. */
static void find_byte(size_t *at, const struct codec_in *in, size_t from, uint8_t byte)
{
	if (*at >= from)
		return;
	const uint8_t *const found = memchr(in->data + from, byte, in->len - from);
	*at = found ? (size_t)(found - in->data) : in->len;
}

/*
 * Searches from in->pos on; in->pos is where a frame is found, or where the search needs more input. It looks for the
 * last bytes of the magic numbers, as text has the first ones.
 */
static int find_frame(struct zstd *z, struct codec_in *in, enum resync_start start, bool last)
{
	const size_t begin = in->pos;
	size_t frame = 0, skippable = 0;
	for (; in->pos < in->len; in->pos++) {
		const size_t last_byte = in->pos + MAGIC_BYTES - 1;
		if (last_byte < in->len) {
			find_byte(&frame, in, last_byte, frame_magic[MAGIC_BYTES - 1]);
			find_byte(&skippable, in, last_byte, skippable_magic[MAGIC_BYTES - 1]);
			in->pos = (frame < skippable ? frame : skippable) - (MAGIC_BYTES - 1);
		}
		struct slice from = slice_of(in->data + in->pos, in->len - in->pos);
		if (!zstd_magic_part(from) || !trial_allowed(&z->codec.memory, in->pos - begin))
			continue;
		if (!has_context(z))
			return DANA_ENOMEM;
		int verdict = zstd_trial(z->context, &z->needs, from, start, last, &z->spare);
		if (verdict < 0)
			return CODEC_MORE_INPUT;
		z->codec.memory.tried++;
		if (verdict > 0)
			return 0;
	}
	return CODEC_MORE_INPUT;
}

static int zstd_resync(struct codec *c, struct codec_in *in, enum resync_start start, bool last)
{
	struct zstd *z = (struct zstd *)c;
	const size_t from = in->pos;
	int result = find_frame(z, in, start, last);
	z->codec.memory.passed += in->pos - from;
	if (result == 0)
		zstd_reset(c);
	return result;
}

static void zstd_close(struct codec *c)
{
	struct zstd *z = (struct zstd *)c;
	if (!z)
		return;
	(void)ZSTD_freeDCtx(z->context);
	buf_free(&z->dictionary);
	buf_free(&z->spare);
	free(z);
}

static struct codec *zstd_open(const struct codec_limits *limits)
{
	struct zstd *z = calloc(1, sizeof(*z));
	if (!z)
		return NULL;
	z->codec = (struct codec){ .ops = &codec_zstd, .fault = "" };
	z->needs.window = limits->window;
	return &z->codec;
}

const struct codec_ops codec_zstd = {
	.name = CODEC_ZSTD_NAME,
	.suffix = CODEC_ZSTD_SUFFIX,
	.bid = zstd_bid,
	.open = zstd_open,
	.step = zstd_step,
	.resync = zstd_resync,
	.reset = zstd_reset,
	.close = zstd_close,
};

/*
 * Content size and checksum are written, so that a reader can allocate once and detect
 * damage. Two documents become two frames, each of which can be decoded alone.
 */

/* Levels above 19 need windows that decoders refuse by default. */
enum { LEVEL_MIN = 1, LEVEL_MAX = 19, LEVEL_DEFAULT = 3 };

struct encoder_codec {
	ZSTD_CCtx *context;
};

static void encoder_close(struct encoder_codec *e)
{
	if (e)
		(void)ZSTD_freeCCtx(e->context);
	free(e);
}

static struct encoder_codec *encoder_open(int level)
{
	if (level < LEVEL_MIN || level > LEVEL_MAX)
		return NULL;
	struct encoder_codec *e = calloc(1, sizeof(*e));
	if (!e)
		return NULL;
	e->context = ZSTD_createCCtx();
	if (!e->context || ZSTD_isError(ZSTD_CCtx_setParameter(e->context, ZSTD_c_compressionLevel, level)) ||
	    ZSTD_isError(ZSTD_CCtx_setParameter(e->context, ZSTD_c_checksumFlag, 1))) {
		encoder_close(e);
		return NULL;
	}
	return e;
}

static int encoder_unit(struct encoder_codec *e, struct slice unit, struct buf *out)
{
	int status = buf_reserve(out, ZSTD_compressBound(unit.len));
	if (status < 0)
		return status;
	size_t n = ZSTD_compress2(e->context, out->data + out->len, out->cap - out->len, unit.data, unit.len);
	if (ZSTD_isError(n))
		return DANA_ENOMEM;
	out->len += n;
	return 0;
}

const struct encoder_ops encoder_zstd = {
	.name = CODEC_ZSTD_NAME,
	.suffix = CODEC_ZSTD_SUFFIX,
	.level_min = LEVEL_MIN,
	.level_max = LEVEL_MAX,
	.level_default = LEVEL_DEFAULT,
	.open = encoder_open,
	.unit = encoder_unit,
	.close = encoder_close,
};
