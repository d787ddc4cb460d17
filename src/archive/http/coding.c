/* SPDX-License-Identifier: MIT */
/*
 * Undoes one content coding, from any split. Codec objects with small windows and buffers are kept from message to
 * message.
 *
 * The first piece of a body, 4096 bytes or all of it, decides what it is. Bytes that do not begin as the label has it
 * are taken as they are: many archives keep the label of a body that they store decoded.
 *
 * Where the label's decoder fails at once, or is not even begun, the bytes may still be coded in another way: gzip and
 * zstd show it by their first bytes, zlib by these and a trial without a fault, raw deflate and "br" by a trial that
 * gives text.
 *
 * Example: a body labelled "br" begins 1f 8b 08; the trial of "br" fails, and it is decoded as gzip, with a problem. In
 * the same way bodies are read that have no label.
 *
 * A body of one gzip member, which most coded bodies are, is decoded at once by libdeflate, three times as fast as by
 * steps. Whether it is does not depend on how the body is cut: up to CODING_WHOLE bytes are collected for it.
 */
#include "archive/http/coding.h"

#include <libdeflate.h>
#include <stdlib.h>

#include "archive/document.h"
#include "base/ascii.h"
#include "base/buf.h"
#include "base/status.h"

enum {
	CODING_WINDOW = 64 << 10,     /* decoded bytes that are passed at once */
	CODING_PIECE = 4096,          /* the codec gets the body in pieces of this size, however it arrives */
	CODING_WHOLE = 256 << 10,     /* a gzip-coded body of at most this size is collected, and decoded at once */
	CODING_LOOK = 512,            /* first bytes in which control characters are looked for */
	CODING_MAGIC_MAX = 4,         /* bytes that decide whether a member follows */
	CODING_FORMATS = 4,           /* gzip, deflate, br, zstd */
	CODING_FREE_OUTPUT = 1 << 20, /* this much output is always allowed */
	CODING_KEPT_OUTPUT = 1 << 20, /* a codec that made more holds a window of that size, and is not kept */
};

enum coding_state {
	CODING_START,   /* are the first bytes coded at all? */
	CODING_MEMBER,  /* inside a member */
	CODING_BETWEEN, /* a member ended; another may follow */
	CODING_PLAIN,   /* not coded: all is passed as it is */
	CODING_OVER,    /* damaged or complete: the rest is ignored */
};

struct coding {
	struct byte_sink sink;
	struct coding_body body;
	const struct limits *limits;
	unsigned problems;
	enum coding_state state;
	const struct codec_ops *ops; /* the format that is decoded */
	struct codec *codec;
	struct codec *kept[CODING_FORMATS];
	bool by_label;  /* the codec is the label's, and has not made a step */
	bool no_memory; /* for a trial */
	bool renew;     /* a skippable frame was read: a dictionary in it must not reach the next message */
	uint64_t output;
	uint64_t pieces; /* number of pieces begun */
	size_t n_magic;  /* CODING_BETWEEN */
	uint8_t magic[CODING_MAGIC_MAX];
	size_t n_piece;
	uint8_t piece[CODING_PIECE]; /* collected, when the body comes in smaller slices */
	uint8_t *window;
	bool collects;             /* the body may be decoded at once */
	struct buf whole, decoded; /* collected, and decoded at once */
	struct libdeflate_decompressor *decompressor;
};

/* Frees a codec that met damage, because it cannot be reset; others are kept for the next message. */
static void drop_codec(struct coding *c)
{
	for (size_t i = 0; i < CODING_FORMATS; i++) {
		if (c->codec && c->kept[i] == c->codec)
			c->kept[i] = NULL;
	}
	if (c->codec)
		c->ops->close(c->codec);
	c->codec = NULL;
}

static int take_codec(struct coding *c, const struct codec_ops *ops)
{
	size_t place = 0;
	c->ops = ops;
	for (size_t i = 0; i < CODING_FORMATS; i++) {
		if (c->kept[i] && c->kept[i]->ops == ops) {
			c->codec = c->kept[i];
			ops->reset(c->codec);
			return 0;
		}
		if (!c->kept[i])
			place = i;
	}
	if (c->kept[place])
		c->kept[place]->ops->close(c->kept[place]);
	const struct codec_limits limits = { .window = c->limits->window };
	c->codec = c->kept[place] = ops->open(&limits);
	return c->codec ? 0 : DANA_ENOMEM;
}

static int pass_output(struct coding *c, size_t len)
{
	/* the output allowed so far; input counts in whole pieces */
	uint64_t allowed = c->pieces * CODING_PIECE * c->limits->expansion;
	if (allowed < CODING_FREE_OUTPUT)
		allowed = CODING_FREE_OUTPUT;
	if (allowed > c->body.max_output)
		allowed = c->body.max_output;
	uint64_t room = allowed > c->output ? allowed - c->output : 0;
	bool too_much = len > room;
	if (too_much)
		len = (size_t)room;
	c->output += len;
	int status = len ? byte_sink_write(c->body.next, slice_of(c->window, len)) : 0;
	if (status || !too_much)
		return status;
	c->problems |= PROBLEM_TRUNCATED_LIMIT;
	c->state = CODING_OVER;
	return 1;
}

/* Returns whether the format has units that may follow each other and are recognised by a magic number. */
static bool has_magic(const struct codec_ops *ops)
{
	return slice_is(slice_from_text(ops->name), "gzip") || slice_is(slice_from_text(ops->name), "zstd");
}

/* Returns whether there are control characters that texts do not have; escape is one of ISO-2022. */
static bool has_control(struct slice s)
{
	static const bool controls[256] = {
		[0 ... 0x08] = true, [0x0B] = true, [0x0E ... 0x1A] = true, [0x1C ... 0x1F] = true, [0x7F] = true,
	};
	size_t i = 0;
	s = slice_first(s, CODING_LOOK);
	while (i < s.len && !controls[s.data[i]])
		i++;
	return i < s.len;
}

/* Makes a first step in the body's first piece, and forgets it. `made`: what comes out, in the window. */
static int try_step(struct coding *c, const struct codec_ops *ops, struct slice *piece, bool last, struct slice *made)
{
	struct codec_in in = { piece->data, piece->len, 0 };
	struct codec_out out = { c->window, CODING_WINDOW, 0 };
	int status = take_codec(c, ops);
	if (status == 0)
		status = ops->step(c->codec, &in, &out, last);
	drop_codec(c);
	c->no_memory |= status == DANA_ENOMEM;
	*made = slice_of(c->window, out.pos);
	*piece = slice_skip(*piece, in.pos);
	return status;
}

/* Returns whether the body has the magic number of a format that decodes its first piece without a fault. */
static bool is_certain(struct coding *c, struct slice piece, bool last)
{
	bool certain = false;
	for (size_t i = 0; codec_codings[i] && !certain; i++) {
		struct slice rest = piece, made;
		certain = has_magic(codec_codings[i]) && codec_codings[i]->bid(piece) > 0 &&
			  try_step(c, codec_codings[i], &rest, last, &made) > 0;
	}
	return certain;
}

/* Returns whether a format without a magic number decodes the piece to a text, as far as that can be seen. */
static bool decodes(struct coding *c, const struct codec_ops *ops, struct slice piece, bool last)
{
	const bool zlib = ops->bid(piece) > 0;
	struct slice made;
	const int result = try_step(c, ops, &piece, last && !zlib, &made);
	const bool all = result == CODEC_MORE_OUTPUT || slice_trim(piece).len == 0;
	return result > 0 && all && made.len && (zlib || !has_control(made));
}

/* Returns the format of the body by its first piece, other than that of the label; NULL if there is none. */
static const struct codec_ops *recognise(struct coding *c, struct slice piece, bool last)
{
	const bool binary = has_control(piece);
	for (size_t i = 0; codec_codings[i]; i++) {
		const struct codec_ops *ops = codec_codings[i];
		if (ops != c->body.label &&
		    (has_magic(ops) ? ops->bid(piece) > 0 : binary && decodes(c, ops, piece, last)))
			return ops;
	}
	return NULL;
}

static bool begins_tag(struct slice s)
{
	s = slice_trim(s);
	return s.len > 1 && s.data[0] == '<' && (s.data[1] == '!' || ascii_is_alpha(s.data[1]));
}

/*
 * The body is not what the label says, or has none. Decodes it as what it is, or else as `otherwise`, unless it is
 * clearly not coded.
 */
static int turn(struct coding *c, struct slice piece, bool last, const struct codec_ops *otherwise)
{
	const struct codec_ops *ops = recognise(c, piece, last);
	c->by_label = false;
	if (c->no_memory)
		return DANA_ENOMEM;
	if (ops)
		c->problems |= PROBLEM_BAD_CODING;
	else if (!begins_tag(piece))
		ops = otherwise;
	c->state = ops ? CODING_MEMBER : CODING_PLAIN;
	int status = ops ? take_codec(c, ops) : 0;
	if (status == 0 && ops && !c->body.label && c->body.on_coded)
		status = c->body.on_coded(c->body.arg);
	return status;
}

/* Decodes from the front of `bytes` up to the member's end. `last`: the body ends with them. */
static int decode(struct coding *c, struct slice *bytes, bool last)
{
	struct codec_in in = { bytes->data, bytes->len, 0 };
	int result, status;
	do {
		struct codec_out out = { c->window, CODING_WINDOW, 0 };
		const size_t before = in.pos;
		result = c->ops->step(c->codec, &in, &out, last);
		if (result == DANA_ENOMEM)
			return result;
		const bool stuck =
			result == CODEC_MORE_INPUT && (last || in.pos < in.len) && out.pos == 0 && in.pos == before;
		if (c->by_label && (result < 0 || stuck)) {
			drop_codec(c);
			in.pos = 0;
			result = CODEC_MORE_OUTPUT;
			status = turn(c, *bytes, last, c->body.label);
			continue;
		}
		c->by_label = false;
		status = out.pos ? pass_output(c, out.pos) : 0;
		if (status == 0 && (result < 0 || stuck)) {
			drop_codec(c);
			c->problems |= PROBLEM_BAD_CODING;
			c->state = CODING_OVER;
			status = 0;
		} else if (result == CODEC_MEMBER_END || result == CODEC_SKIPPED || result == CODEC_END) {
			c->state = result == CODEC_END || !has_magic(c->ops) ? CODING_OVER : CODING_BETWEEN;
			c->renew = c->renew || result == CODEC_SKIPPED;
			c->n_magic = 0;
		}
	} while (status == 0 && c->state == CODING_MEMBER && (result == CODEC_MORE_OUTPUT || in.pos < in.len || last));
	*bytes = slice_skip(*bytes, in.pos);
	return status;
}

/* Decides by the first piece whether the body is coded, and how. `last`: the piece is the whole body. */
static int decide(struct coding *c, struct slice piece, bool last)
{
	const struct codec_ops *label = c->body.label;
	bool coded = false;
	if (label && has_magic(label)) {
		coded = label->bid(piece) > 0;
	} else if (label && !is_certain(c, piece, last)) {
		/* control bytes are not missing in 512 bytes of compressed data, hardly ever in 100 */
		struct slice rest = piece, made;
		coded = has_control(piece) ||
			(last && piece.len <= CODING_LOOK && try_step(c, label, &rest, true, &made) > 0);
	}
	if (c->no_memory)
		return DANA_ENOMEM;
	if (!coded)
		return turn(c, piece, last, NULL);
	c->state = CODING_MEMBER;
	c->by_label = true;
	return take_codec(c, label);
}

static int take_piece(struct coding *c, struct slice piece, bool last)
{
	int status = 0;
	c->pieces++;
	if (c->state == CODING_START && piece.len)
		status = decide(c, piece, last);
	while (status == 0 && piece.len) {
		switch (c->state) {
		case CODING_MEMBER:
			status = decode(c, &piece, last);
			break;
		case CODING_BETWEEN: {
			struct slice magic = { c->magic, 0 };
			int bid = -1;
			while (bid < 0 && piece.len && c->n_magic < CODING_MAGIC_MAX) {
				c->magic[c->n_magic++] = piece.data[0];
				piece = slice_skip(piece, 1);
				magic.len = c->n_magic;
				bid = c->ops->bid(magic);
			}
			if (bid < 0 && c->n_magic < CODING_MAGIC_MAX)
				return 0;
			c->state = bid > 0 ? CODING_MEMBER : CODING_OVER;
			status = bid > 0 ? decode(c, &magic, false) : 0;
			break;
		}
		case CODING_PLAIN:
			return byte_sink_write(c->body.next, piece);
		case CODING_START:
		case CODING_OVER:
			return 0;
		}
	}
	/* The codec may hold back output, or miss its end. */
	return status == 0 && last && c->state == CODING_MEMBER ? decode(c, &piece, true) : status;
}

static int write_pieces(struct coding *c, struct slice bytes)
{
	int status = 0;
	while (bytes.len && status == 0) {
		if (c->state == CODING_PLAIN && c->n_piece == 0)
			return byte_sink_write(c->body.next, bytes);
		size_t n = CODING_PIECE - c->n_piece;
		n = n < bytes.len ? n : bytes.len;
		if (n == CODING_PIECE) {
			status = take_piece(c, slice_of(bytes.data, n), false);
		} else {
			memcpy(c->piece + c->n_piece, bytes.data, n);
			c->n_piece += n;
			if (c->n_piece == CODING_PIECE) {
				c->n_piece = 0;
				status = take_piece(c, slice_of(c->piece, CODING_PIECE), false);
			}
		}
		bytes = slice_skip(bytes, n);
	}
	return status;
}

static int coding_write(struct byte_sink *self, struct slice bytes)
{
	struct coding *c = (struct coding *)self;
	if (c->collects && c->whole.len + bytes.len <= CODING_WHOLE)
		return buf_append(&c->whole, bytes.data, bytes.len);
	int status = c->collects ? write_pieces(c, buf_slice(&c->whole)) : 0;
	c->collects = false;
	return status ? status : write_pieces(c, bytes);
}

/*
 * Decodes the collected body if it is one good member, with no optional part in its header, and its length is always
 * allowed. Returns whether it is.
 */
static bool decode_at_once(struct coding *c)
{
	enum { FLAGS_AT = 3, MEMBER_MIN = 18 };
	const struct slice body = buf_slice(&c->whole);
	if (body.len < MEMBER_MIN || body.data[FLAGS_AT] != 0)
		return false;
	const size_t len = little_endian_32(body.data + body.len - 4);
	if (len > CODING_FREE_OUTPUT || len > c->body.max_output)
		return false;
	if (!c->decompressor)
		c->decompressor = libdeflate_alloc_decompressor();
	buf_clear(&c->decoded);
	if (!c->decompressor || buf_reserve(&c->decoded, len + 1) < 0)
		return false;
	size_t used;
	if (libdeflate_gzip_decompress_ex(c->decompressor, body.data, body.len, c->decoded.data, len, &used, NULL) !=
		    LIBDEFLATE_SUCCESS ||
	    used != body.len)
		return false;
	c->decoded.len = c->output = len;
	return true;
}

static int coding_finish(struct byte_sink *self)
{
	struct coding *c = (struct coding *)self;
	int status = 0;
	if (c->collects && decode_at_once(c)) {
		c->state = CODING_OVER;
		status = c->decoded.len ? byte_sink_write(c->body.next, buf_slice(&c->decoded)) : 0;
	} else {
		if (c->collects)
			status = write_pieces(c, buf_slice(&c->whole));
		if (status == 0)
			status = take_piece(c, slice_of(c->piece, c->n_piece), true);
		c->n_piece = 0;
	}
	c->collects = false;
	return status ? status : byte_sink_finish(c->body.next);
}

static const struct byte_sink_ops coding_sink_ops = { "coding", coding_write, coding_finish };

struct coding *coding_new(const struct limits *limits)
{
	struct coding *c = calloc(1, sizeof(*c));
	if (c)
		c->window = malloc(CODING_WINDOW);
	if (!c || !c->window) {
		free(c);
		return NULL;
	}
	c->sink.ops = &coding_sink_ops;
	c->limits = limits;
	return c;
}

void coding_begin(struct coding *c, const struct coding_body *body)
{
	if (c->renew)
		drop_codec(c);
	c->renew = false;
	c->body = *body;
	c->problems = 0;
	c->by_label = c->no_memory = false;
	c->state = CODING_START;
	c->output = c->pieces = 0;
	c->n_magic = c->n_piece = 0;
	c->collects = body->label && slice_is(slice_from_text(body->label->name), "gzip");
	buf_clear(&c->whole);
}

struct byte_sink *coding_sink(struct coding *c)
{
	return &c->sink;
}

void coding_redirect(struct coding *c, struct byte_sink *next)
{
	c->body.next = next;
}

void coding_limit(struct coding *c, uint64_t max_output)
{
	c->body.max_output = max_output;
}

unsigned coding_problems(const struct coding *c)
{
	return c->problems;
}

void coding_release(struct coding *c)
{
	if (c->output > CODING_KEPT_OUTPUT)
		drop_codec(c);
}

void coding_free(struct coding *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < CODING_FORMATS; i++) {
		if (c->kept[i])
			c->kept[i]->ops->close(c->kept[i]);
	}
	if (c->decompressor)
		libdeflate_free_decompressor(c->decompressor);
	buf_free(&c->whole);
	buf_free(&c->decoded);
	free(c->window);
	free(c);
}
