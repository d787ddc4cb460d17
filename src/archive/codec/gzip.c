/* SPDX-License-Identifier: MIT */
/*
 * gzip members (RFC 1952), one after another: header, deflate data, trailer with CRC-32 and length. NULs between or
 * after members are padding, which is skipped.
 *
 * Members are decoded in steps by zlib, which gives the same output however the input is cut: data with a fault after 5
 * good bytes gives these 5 bytes and then the fault, in one piece or byte by byte. A member that lies in memory as a
 * whole is decoded at once by libdeflate, three times as fast.
 *
 * After damage, resync searches for the next member by its magic number and verifies it by a trial. Example: in
 * "[member 1][member 2, a byte wrong][member 3]" step returns CODEC_MEMBER_END for 1 and DANA_EFORMAT in 2. The caller
 * moves to one byte after the start of 2; resync stops at the start of 3, where step continues.
 *
 * The encoder makes one member for each unit.
 */
#include <libdeflate.h>
#include <limits.h>
#include <stdlib.h>

#include "archive/codec/codecs.h"
#include "base/ascii.h"
#include "base/buf.h"

enum { TRAILER_BYTES = 8, MAGIC_BYTES = 3 };

static const uint8_t gzip_magic[MAGIC_BYTES] = { 0x1f, 0x8b, Z_DEFLATED };

static uInt clamp(size_t n)
{
	return n < INT_MAX ? (uInt)n : INT_MAX;
}

int inflate_step(z_stream *z, struct codec_in *in, struct codec_out *out)
{
	for (;;) {
		Bytef none;
		const uInt avail_in = clamp(in->len - in->pos), avail_out = clamp(out->len - out->pos);
		z->next_in = avail_in ? (z_const Bytef *)(uintptr_t)(in->data + in->pos) : &none;
		z->avail_in = avail_in;
		z->next_out = avail_out ? out->data + out->pos : &none;
		z->avail_out = avail_out;
		const int status = inflate(z, Z_NO_FLUSH);
		const bool moved = z->avail_in != avail_in || z->avail_out != avail_out;
		in->pos += avail_in - z->avail_in;
		out->pos += avail_out - z->avail_out;
		if (status == Z_STREAM_END)
			return CODEC_MEMBER_END;
		if (status == Z_MEM_ERROR)
			return DANA_ENOMEM;
		if (status != Z_OK && status != Z_BUF_ERROR)
			return DANA_EFORMAT;
		if (out->pos == out->len)
			return CODEC_MORE_OUTPUT;
		if (!moved || in->pos == in->len)
			return CODEC_MORE_INPUT;
	}
}

/*
 * The header of a member (RFC 1952, section 2.3), however it is cut into pieces: one state for each part, and flags
 * for the parts that exist. Extra field, name and comment are skipped, whatever their length, without memory. Example:
 * 1f 8b 08 08, six bytes of time and system, "page\0". Flag 08 is FNAME: after the fixed part, HEADER_NAME skips up to
 * the NUL, and the header is complete.
 */
struct gzip_header {
	int state;
	uint8_t flags;
	uint16_t value;    /* of the current two-byte number */
	unsigned left;     /* bytes left of the current part */
	uint32_t crc;      /* of the bytes so far, if a checksum follows */
	const char *fault; /* after DANA_EFORMAT */
};

enum {
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

enum {
	GZIP_FHCRC = 0x02,
	GZIP_FEXTRA = 0x04,
	GZIP_FNAME = 0x08,
	GZIP_FCOMMENT = 0x10,
	GZIP_RESERVED = 0xe0,
};

enum { FIXED_REST = 6 }; /* bytes after the flags that always exist */

static int bad_header(struct gzip_header *h, const char *fault)
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

/* Takes one byte, or as much of a part as is available. Returns 0 or DANA_EFORMAT. `in` is not empty. */
static int take_part(struct gzip_header *h, struct codec_in *in)
{
	const uint8_t *from = in->data + in->pos, *nul;
	const size_t unread = in->len - in->pos;
	size_t n = 1;
	switch (h->state) {
	case HEADER_ID1:
	case HEADER_ID2:
		if (*from != gzip_magic[h->state - HEADER_ID1])
			return bad_header(h, "no gzip member where one should begin");
		h->state++;
		break;
	case HEADER_METHOD:
		if (*from != Z_DEFLATED)
			return bad_header(h, "unknown compression method in a gzip header");
		h->state++;
		break;
	case HEADER_FLAGS:
		if (*from & GZIP_RESERVED)
			return bad_header(h, "reserved flag bits in a gzip header");
		h->flags = *from;
		h->crc = libdeflate_crc32(libdeflate_crc32(0, gzip_magic, MAGIC_BYTES), from, 1);
		h->left = FIXED_REST;
		h->state = HEADER_FIXED;
		break;
	case HEADER_EXTRA_LEN_1:
	case HEADER_CRC_1:
		h->value = *from;
		h->state++;
		break;
	case HEADER_EXTRA_LEN_2:
		h->left = h->value | (unsigned)*from << 8;
		h->state = h->left ? HEADER_EXTRA : after(h->flags, HEADER_EXTRA);
		break;
	case HEADER_FIXED:
	case HEADER_EXTRA:
		n = unread < h->left ? unread : h->left;
		h->left -= (unsigned)n;
		if (h->left == 0)
			h->state = after(h->flags, h->state);
		break;
	case HEADER_NAME:
	case HEADER_COMMENT:
		nul = memchr(from, 0, unread);
		n = nul ? (size_t)(nul - from) + 1 : unread;
		if (nul)
			h->state = after(h->flags, h->state);
		break;
	case HEADER_CRC_2:
		if ((h->value | (unsigned)*from << 8) != (h->crc & 0xffff))
			return bad_header(h, "checksum of a gzip header is wrong");
		h->state = HEADER_DONE;
		break;
	default:
		break;
	}
	in->pos += n;
	return 0;
}

/* Begins with a zeroed header. Returns 0 when it is complete, with in->pos at the deflate data; else CODEC_MORE_INPUT.
 */
static int parse_header(struct gzip_header *h, struct codec_in *in)
{
	while (h->state != HEADER_DONE) {
		if (in->pos == in->len)
			return CODEC_MORE_INPUT;
		const bool summed = (h->flags & GZIP_FHCRC) && h->state > HEADER_FLAGS && h->state < HEADER_CRC_1;
		const size_t from = in->pos;
		int status = take_part(h, in);
		if (status < 0)
			return status;
		if (summed)
			h->crc = libdeflate_crc32(h->crc, in->data + from, in->pos - from);
	}
	return 0;
}

/*
 * Returns how many decoded bytes the member has by what wget notes in its header, or 0 if nothing is noted; the note
 * may be wrong. A subfield of the extra field (RFC 1952, section 2.3.1.1) has two letters and the length of its data;
 * the data of `sl` are the lengths of the member, coded and decoded. `header` is complete.
 */
static uint32_t noted_length(struct slice header)
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

/*
 * A whole member in one call of libdeflate. Which members are decoded this way depends only on their bytes and on the
 * members before, never on how the input is cut: those that libdeflate decodes from at most WHOLE_INPUT bytes to at
 * most WHOLE_OUTPUT bytes, with the right checksum and length.
 *
 * This matters because libdeflate accepts a few codes that no encoder makes and zlib refuses: if the split decided
 * which decoder gets a member, it would also decide whether the member is damaged.
 *
 * libdeflate needs a whole member, and the length of a member is not known before it is decoded. So the available input
 * is tried, and if that fails for lack of input, the caller tries again with twice as much.
 *
 * Example: a member of 100 KiB, and the caller has 64 KiB. If they contain another member's magic number, this one may
 * be short, and is tried; else its end is probably not there, and it is not tried. 128 KiB contain the start of the
 * next member, so this one is tried and decoded.
 *
 * An attempt on a member that does not fit is wasted, and such members come in runs. So after the second one in a row
 * the next member is decoded by steps without an attempt, after the third the next 3, then 7, and at most 15. Where the
 * member's header notes its length, none is wasted.
 */
enum {
	/*
	 * More room than a member may fill. libdeflate reads zeros for some bytes after an input that is cut, and these
	 * may decode to some output. If even this room is not enough, the complete member is too large, too.
	 */
	ROOM_MOST = WHOLE_OUTPUT + (64 << 10),
	ROOM_FIRST = 64 << 10, /* four times as much when a member needs more; few do */
	PASSES_MAX = 15,
	LIKELY_WHOLE = 256 << 10, /* few members are longer: with this much input a search for the next does not pay */
};

struct whole {
	struct libdeflate_decompressor *decompressor; /* made on first use */
	unsigned passes; /* members to decode by steps after the next one that does not fit: 0, 1, 3, 7, 15 */
	unsigned left;   /* of those, how many are left */
	uint8_t *window;
	size_t room; /* bytes of `window` */
};

static bool resize(struct whole *w, size_t room)
{
	uint8_t *window = malloc(room);
	if (!window)
		return false;
	free(w->window);
	w->window = window;
	w->room = room;
	return true;
}

/* Returns false if there cannot be more room. A last step that adds little would only repeat all the work. */
static bool grow(struct whole *w)
{
	return w->room < ROOM_MOST && resize(w, w->room < ROOM_MOST / 8 ? w->room * 4 : ROOM_MOST);
}

/* The room of a member that did not fit is not kept: few are larger than ROOM_FIRST, and each worker has a decoder. */
static int does_not_fit(struct whole *w)
{
	if (w->room > ROOM_FIRST)
		(void)resize(w, ROOM_FIRST);
	w->left = w->passes;
	w->passes = w->passes < PASSES_MAX ? w->passes * 2 + 1 : PASSES_MAX;
	return CODEC_MORE_OUTPUT;
}

/* Decodes header, data and trailer of the member that `in` begins with. Returns as codec_ops.whole. */
static int decode_whole(struct whole *w, struct codec_in *in, size_t *made)
{
	struct gzip_header header = { 0 };
	int status = parse_header(&header, in);
	if (status)
		return status < 0 ? CODEC_MORE_OUTPUT : status;
	const uint32_t noted = noted_length(slice_of(in->data, in->pos));
	if (noted > WHOLE_OUTPUT)
		return CODEC_MORE_OUTPUT;
	while (w->room < noted && grow(w)) {
	}
	size_t used;
	enum libdeflate_result result;
	do {
		result = libdeflate_deflate_decompress_ex(w->decompressor, in->data + in->pos, in->len - in->pos,
							  w->window, w->room, &used, made);
	} while (result == LIBDEFLATE_INSUFFICIENT_SPACE && grow(w));
	if (result == LIBDEFLATE_INSUFFICIENT_SPACE || (result == LIBDEFLATE_SUCCESS && *made > WHOLE_OUTPUT))
		return does_not_fit(w);
	in->pos += result == LIBDEFLATE_SUCCESS ? used : 0;
	if (result != LIBDEFLATE_SUCCESS || in->len - in->pos < TRAILER_BYTES)
		return CODEC_MORE_INPUT;
	const uint8_t *trailer = in->data + in->pos;
	in->pos += TRAILER_BYTES;
	if (little_endian_32(trailer) != libdeflate_crc32(0, w->window, *made) ||
	    little_endian_32(trailer + 4) != (uint32_t)*made)
		return CODEC_MORE_OUTPUT;
	return CODEC_MEMBER_END;
}

/*
 * Returns whether another member seems to begin after this one's first bytes. If not, the end of this one is probably
 * not in the input, and an attempt would be wasted. Without this check, files with one member per record would waste
 * one attempt for each piece of input.
 */
static bool another_begins(struct slice bytes)
{
	enum { MEMBER_MIN = 20 };
	for (bytes = slice_skip(bytes, MEMBER_MIN); bytes.len >= MAGIC_BYTES; bytes = slice_skip(bytes, 1)) {
		const uint8_t *first = memchr(bytes.data, gzip_magic[0], bytes.len - 2);
		if (!first)
			return false;
		if (memcmp(first, gzip_magic, MAGIC_BYTES) == 0)
			return true;
		bytes = slice_skip(bytes, (size_t)(first - bytes.data));
	}
	return false;
}

enum gzip_state {
	GZIP_START,   /* between members */
	GZIP_PADDING, /* inside a run of NUL between or after members */
	GZIP_HEADER,
	GZIP_BODY,
	GZIP_TRAILER, /* CRC-32 and length */
};

struct gzip {
	struct codec codec;
	enum gzip_state state;
	z_stream inflater, trial; /* of steps, and of resync; made on first use, then their `state` is set */
	struct whole whole;
	struct gzip_header header;
	uint32_t crc, size; /* of the member's decoded bytes; size modulo 2^32 */
	uint8_t trailer[TRAILER_BYTES];
	size_t trailer_len;
};

/* Prepares for raw deflate data. */
static int begin_data(z_stream *z)
{
	if (z->state)
		return inflateReset(z) == Z_OK ? 0 : DANA_ENOMEM;
	return inflateInit2(z, -MAX_WBITS) == Z_OK ? 0 : DANA_ENOMEM;
}

static int gzip_step(struct codec *c, struct codec_in *in, struct codec_out *out, bool last)
{
	struct gzip *g = (struct gzip *)c;
	int result = *c->fault ? DANA_ESTATE : 0;
	while (result == 0) {
		switch (g->state) {
		case GZIP_START:
			if (in->pos == in->len)
				return last ? CODEC_END : CODEC_MORE_INPUT;
			g->state = in->data[in->pos] == 0 ? GZIP_PADDING : GZIP_HEADER;
			g->header = (struct gzip_header){ 0 };
			break;
		case GZIP_PADDING:
			while (in->pos < in->len && in->data[in->pos] == 0)
				in->pos++;
			if (in->pos == in->len && !last)
				return CODEC_MORE_INPUT;
			g->state = GZIP_START;
			return CODEC_SKIPPED;
		case GZIP_HEADER:
			result = parse_header(&g->header, in);
			if (result < 0)
				return codec_fail(&g->codec, result, g->header.fault);
			if (result == CODEC_MORE_INPUT)
				return codec_ends(&g->codec, last, "input ends inside a gzip header");
			if (begin_data(&g->inflater) < 0)
				return codec_fail(&g->codec, DANA_ENOMEM, "out of memory");
			g->crc = g->size = 0;
			g->trailer_len = 0;
			g->state = GZIP_BODY;

			break;
		case GZIP_BODY: {
			const size_t before = out->pos;
			result = inflate_step(&g->inflater, in, out);
			if (out->pos > before)
				g->crc = libdeflate_crc32(g->crc, out->data + before, out->pos - before);
			g->size += (uint32_t)(out->pos - before);
			if (result < 0)
				return codec_fail(&g->codec, result,
						  result == DANA_ENOMEM ? "out of memory" : "deflate data damaged");
			if (result == CODEC_MORE_INPUT)
				return codec_ends(&g->codec, last, "input ends inside a gzip member");
			if (result == CODEC_MORE_OUTPUT)
				return result;
			g->state = GZIP_TRAILER;
			result = 0;
			break;
		}
		case GZIP_TRAILER:
			while (g->trailer_len < TRAILER_BYTES && in->pos < in->len)
				g->trailer[g->trailer_len++] = in->data[in->pos++];
			if (g->trailer_len < TRAILER_BYTES)
				return codec_ends(&g->codec, last, "input ends inside a gzip trailer");
			if (little_endian_32(g->trailer) != g->crc)
				return codec_fail(&g->codec, DANA_EFORMAT, "CRC-32 of a gzip member is wrong");
			if (little_endian_32(g->trailer + 4) != g->size)
				return codec_fail(&g->codec, DANA_EFORMAT, "length of a gzip member is wrong");
			g->state = GZIP_START;
			return CODEC_MEMBER_END;
		}
	}
	return result;
}

static int gzip_whole(struct codec *c, struct codec_in *in, bool last, struct slice *decoded)
{
	struct whole *w = &((struct gzip *)c)->whole;
	struct codec_in member = { in->data + in->pos, in->len - in->pos, 0 };
	if (!w->decompressor)
		w->decompressor = libdeflate_alloc_decompressor();
	if (!w->decompressor || (!w->window && !resize(w, ROOM_FIRST)))
		return CODEC_MORE_OUTPUT;
	if (w->left) {
		w->left--;
		return CODEC_MORE_OUTPUT;
	}
	const bool all = last || member.len >= WHOLE_INPUT;
	if (!all && member.len < LIKELY_WHOLE && !another_begins(slice_of(member.data, member.len)))
		return CODEC_MORE_INPUT;
	if (member.len > WHOLE_INPUT)
		member.len = WHOLE_INPUT;
	size_t made = 0;
	int result = decode_whole(w, &member, &made);
	if (result == CODEC_MEMBER_END) {
		w->passes = 0;
		in->pos += member.pos;
		*decoded = slice_of(w->window, made);
	}
	return result == CODEC_MORE_INPUT && all ? does_not_fit(w) : result;
}

static void gzip_reset(struct codec *c)
{
	((struct gzip *)c)->state = GZIP_START;
	c->fault = "";
	c->cut = false;
}

static int gzip_bid(struct slice first)
{
	const size_t n = first.len < MAGIC_BYTES ? first.len : MAGIC_BYTES;
	if (n && memcmp(first.data, gzip_magic, n) != 0)
		return 0;
	return n == MAGIC_BYTES ? 24 : -1;
}

enum {
	/* Bytes of deflate data. The header of a dynamic block takes about 320 at most (RFC 1951, section 3.2.7). */
	TRIAL_BODY = 1024,
	TRIAL_DECODED = 2048, /* most decoded bytes: TRIAL_BODY bytes may expand to a MiB */
	CHECKSUM_BYTES = 4,
};

/*
 * Returns 1 if a member begins here, as `start` demands, 0 if not, -1 if more bytes are needed (never with `last`, and
 * never with CODEC_LOOKAHEAD bytes). More bytes never change a result of 1 or 0. At most CODEC_LOOKAHEAD bytes are
 * read, TRIAL_BODY of them deflate data: enough to decode the first bytes of a record. If these do not decide, the
 * place does not count as a member, whatever follows.
 *
 * If a member may begin with any bytes, it counts if these bytes decode without a fault; if the data ends within them,
 * its checksum must follow. If the output is full, a fault does not count: whether zlib met one after it depends on how
 * much input there was.
 */
static int try_member(z_stream *z, struct slice from, enum resync_start start, bool last)
{
	const bool all = last || from.len >= CODEC_LOOKAHEAD;
	struct codec_in in = { from.data, from.len < CODEC_LOOKAHEAD ? from.len : CODEC_LOOKAHEAD, 0 };
	struct gzip_header header = { 0 };
	int result = parse_header(&header, &in);
	if (result < 0)
		return 0;
	if (result == CODEC_MORE_INPUT)
		return all ? 0 : -1;
	const bool whole = all || in.len - in.pos >= TRIAL_BODY;
	if (in.len - in.pos > TRIAL_BODY)
		in.len = in.pos + TRIAL_BODY;
	uint8_t decoded[TRIAL_DECODED];
	struct codec_out out = { decoded, start == RESYNC_ANYWHERE ? TRIAL_DECODED : RECORD_START_BYTES, 0 };
	result = inflate_step(z, &in, &out);
	const int verdict = record_start(slice_first(slice_of(decoded, out.pos), RECORD_START_BYTES));
	if (verdict == 1)
		return 1;
	if (start == RESYNC_AT_RECORD)
		return verdict == 0 || result != CODEC_MORE_INPUT || whole ? 0 : -1;
	if (out.pos == out.len)
		return 1;
	if (result < 0)
		return 0;
	/* All input is taken, or the data has ended and its checksum follows. */
	if (result == CODEC_MORE_INPUT || in.len - in.pos < CHECKSUM_BYTES)
		return whole ? 1 : -1;
	return little_endian_32(in.data + in.pos) == libdeflate_crc32(0, out.data, out.pos);
}

/* Searches from in->pos on; in->pos is where a member is found, or where the search needs more input. */
static int find_member(struct gzip *g, struct codec_in *in, enum resync_start start, bool last)
{
	const size_t from = in->pos;
	for (; in->pos < in->len; in->pos++) {
		const uint8_t *magic = memchr(in->data + in->pos, gzip_magic[0], in->len - in->pos);
		if (!magic)
			break;
		in->pos = (size_t)(magic - in->data);
		struct slice rest = slice_of(magic, in->len - in->pos);
		if (gzip_bid(rest) == 0 || !trial_allowed(&g->codec.memory, in->pos - from))
			continue;
		if (begin_data(&g->trial) < 0)
			return DANA_ENOMEM;
		int verdict = try_member(&g->trial, rest, start, last);
		if (verdict < 0)
			return CODEC_MORE_INPUT;
		g->codec.memory.tried++;
		if (verdict > 0)
			return 0;
	}
	in->pos = in->len;
	return CODEC_MORE_INPUT;
}

static int gzip_resync(struct codec *c, struct codec_in *in, enum resync_start start, bool last)
{
	struct gzip *g = (struct gzip *)c;
	const size_t from = in->pos;
	int result = find_member(g, in, start, last);
	g->codec.memory.passed += in->pos - from;
	if (result == 0)
		gzip_reset(c);
	return result;
}

static void gzip_close(struct codec *c)
{
	struct gzip *g = (struct gzip *)c;
	if (!g)
		return;
	(void)inflateEnd(&g->inflater);
	(void)inflateEnd(&g->trial);
	if (g->whole.decompressor)
		libdeflate_free_decompressor(g->whole.decompressor);
	free(g->whole.window);
	free(g);
}

static struct codec *gzip_open(const struct codec_limits *limits)
{
	(void)limits; /* deflate's window is 32 KiB, always */
	struct gzip *g = calloc(1, sizeof(*g));
	if (!g)
		return NULL;
	g->codec.ops = &codec_gzip;
	gzip_reset(&g->codec);
	return &g->codec;
}

const struct codec_ops codec_gzip = {
	.name = CODEC_GZIP_NAME,
	.suffix = CODEC_GZIP_SUFFIX,
	.bid = gzip_bid,
	.open = gzip_open,
	.step = gzip_step,
	.whole = gzip_whole,
	.resync = gzip_resync,
	.reset = gzip_reset,
	.close = gzip_close,
};

/*
 * So that the same unit gives the same bytes on every machine, the header has no name, time 0 and system "unknown": 1f
 * 8b 08 00 00 00 00 00 00 ff (the byte before ff depends on the level).
 */
enum { LEVEL_MIN = 1, LEVEL_DEFAULT = 6, MEMORY_LEVEL = 8, GZIP_WRAPPER = 16, UNKNOWN_SYSTEM = 255, ROOM = 1 << 16 };

struct encoder_codec {
	z_stream z;
	gz_header header;
};

static struct encoder_codec *encoder_open(int level)
{
	if (level < LEVEL_MIN || level > Z_BEST_COMPRESSION)
		return NULL;
	struct encoder_codec *e = calloc(1, sizeof(*e));
	if (!e)
		return NULL;
	e->header.os = UNKNOWN_SYSTEM;
	if (deflateInit2(&e->z, level, Z_DEFLATED, MAX_WBITS + GZIP_WRAPPER, MEMORY_LEVEL, Z_DEFAULT_STRATEGY) !=
	    Z_OK) {
		free(e);
		return NULL;
	}
	return e;
}

static int encoder_unit(struct encoder_codec *e, struct slice unit, struct buf *out)
{
	(void)deflateReset(&e->z);
	(void)deflateSetHeader(&e->z, &e->header);
	Bytef none;
	const size_t bound = deflateBound(&e->z, (uLong)unit.len);
	int status = buf_reserve(out, bound);
	while (status == 0) {
		const uInt avail_in = clamp(unit.len), avail_out = clamp(out->cap - out->len);
		e->z.next_in = unit.len ? (z_const Bytef *)(uintptr_t)unit.data : &none;
		e->z.avail_in = avail_in;
		e->z.next_out = out->data + out->len;
		e->z.avail_out = avail_out;
		int result = deflate(&e->z, avail_in == unit.len ? Z_FINISH : Z_NO_FLUSH);
		out->len += avail_out - e->z.avail_out;
		unit = slice_skip(unit, avail_in - e->z.avail_in);
		if (result == Z_STREAM_END)
			return 0;
		status = buf_reserve(out, ROOM);
	}
	return status;
}

static void encoder_close(struct encoder_codec *e)
{
	if (e)
		(void)deflateEnd(&e->z);
	free(e);
}

const struct encoder_ops encoder_gzip = {
	.name = CODEC_GZIP_NAME,
	.suffix = CODEC_GZIP_SUFFIX,
	.level_min = LEVEL_MIN,
	.level_max = Z_BEST_COMPRESSION,
	.level_default = LEVEL_DEFAULT,
	.open = encoder_open,
	.unit = encoder_unit,
	.close = encoder_close,
};
