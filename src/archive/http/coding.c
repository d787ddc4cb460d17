/* SPDX-License-Identifier: MIT */
#include "archive/http/coding.h"

#include <libdeflate.h>
#include <stdlib.h>

#include "archive/document.h"
#include "base/ascii.h"

static int coding_write(struct byte_sink *self, struct slice bytes);
static int coding_finish(struct byte_sink *self);

static const struct byte_sink_ops coding_sink_ops = { "coding", coding_write, coding_finish };

struct coding *coding_new(const struct limits *limits)
{
	struct coding *c = calloc(1, sizeof(*c));
	if (!c)
		return NULL;
	c->window = malloc(CODING_WINDOW);
	if (!c->window) {
		free(c);
		return NULL;
	}
	c->sink.ops = &coding_sink_ops;
	c->limits = limits;
	return c;
}

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

static int take_codec(struct coding *c)
{
	size_t place = 0;
	for (size_t i = 0; i < CODING_FORMATS; i++) {
		if (c->kept[i] && c->kept[i]->ops == c->ops) {
			c->codec = c->kept[i];
			c->ops->reset(c->codec);
			return 0;
		}
		if (!c->kept[i])
			place = i;
	}
	if (c->kept[place])
		c->kept[place]->ops->close(c->kept[place]);
	const struct codec_limits limits = { .window = c->limits->window };
	c->codec = c->kept[place] = c->ops->open(&limits);
	return c->codec ? 0 : DANA_ENOMEM;
}

int coding_reset(struct coding *c, const struct codec_ops *ops, struct byte_sink *next, uint64_t max_output)
{
	if (c->renew)
		drop_codec(c);
	c->renew = false;
	c->ops = ops;
	c->next = next;
	c->problems = 0;
	c->state = CODING_START;
	c->max_output = max_output;
	c->output = c->pieces = 0;
	c->n_magic = c->n_piece = 0;
	c->collects = slice_is(slice_from_text(ops->name), "gzip");
	buf_clear(&c->body);
	return take_codec(c);
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
	buf_free(&c->body);
	buf_free(&c->decoded);
	free(c->window);
	free(c);
}

static int damaged(struct coding *c)
{
	drop_codec(c);
	c->problems |= PROBLEM_BAD_CODING;
	c->state = CODING_OVER;
	return 0;
}

/* Returns the output allowed so far. Input counts in whole pieces. */
static uint64_t allowed_output(const struct coding *c)
{
	uint64_t allowed = c->pieces * CODING_PIECE * c->limits->expansion;
	if (allowed < CODING_FREE_OUTPUT)
		allowed = CODING_FREE_OUTPUT;
	return allowed < c->max_output ? allowed : c->max_output;
}

static int pass_output(struct coding *c, size_t len)
{
	uint64_t allowed = allowed_output(c);
	uint64_t room = allowed > c->output ? allowed - c->output : 0;
	bool too_much = len > room;
	if (too_much)
		len = (size_t)room;
	c->output += len;
	int status = len ? byte_sink_write(c->next, slice_of(c->window, len)) : 0;
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

static void end_member(struct coding *c, int result)
{
	c->state = result == CODEC_END || !has_magic(c->ops) ? CODING_OVER : CODING_BETWEEN;
	c->renew = c->renew || result == CODEC_SKIPPED;
	c->n_magic = 0;
}

/* Decodes from the front of `bytes` up to the member's end. `last`: the body ends with them. */
static int decode(struct coding *c, struct slice *bytes, bool last)
{
	struct codec_in in = { bytes->data, bytes->len, 0 };
	int result, status;
	do {
		struct codec_out out = { c->window, CODING_WINDOW, 0 };
		size_t before = in.pos;
		result = c->ops->step(c->codec, &in, &out, last);
		if (result == DANA_ENOMEM)
			return result;
		bool stuck =
			result == CODEC_MORE_INPUT && (last || in.pos < in.len) && out.pos == 0 && in.pos == before;
		status = out.pos ? pass_output(c, out.pos) : 0;
		if (status == 0 && (result < 0 || stuck))
			status = damaged(c);
		else if (result == CODEC_MEMBER_END || result == CODEC_SKIPPED || result == CODEC_END)
			end_member(c, result);
	} while (status == 0 && c->state == CODING_MEMBER && (result == CODEC_MORE_OUTPUT || in.pos < in.len || last));
	*bytes = slice_skip(*bytes, in.pos);
	return status;
}

/* Returns whether there are no control bytes: never true for 512 bytes of compressed data, hardly ever for 100. */
static bool looks_like_text(struct slice s)
{
	for (size_t i = 0; i < s.len; i++) {
		if ((s.data[i] < 0x20 && !ascii_is_space(s.data[i])) || s.data[i] == 0x7F)
			return false;
	}
	return true;
}

/* Tries whether a short body decodes without a fault, with a codec of its own. */
static int decodes(struct coding *c, struct slice body, bool *good)
{
	struct codec_in in = { body.data, body.len, 0 };
	struct codec_out out = { c->window, CODING_WINDOW, 0 };
	*good = c->ops->step(c->codec, &in, &out, true) > 0;
	drop_codec(c);
	return take_codec(c);
}

/* Decides by the first piece whether the body is coded at all. `last`: the piece is the whole body. */
static int decide(struct coding *c, struct slice piece, bool last)
{
	bool coded;
	int status = 0;
	if (has_magic(c->ops)) {
		coded = c->ops->bid(piece) > 0;
	} else {
		bool is_short = last && piece.len <= CODING_LOOK;
		coded = !looks_like_text(slice_of(piece.data, is_short ? piece.len : CODING_LOOK));
		if (!coded && is_short)
			status = decodes(c, piece, &coded);
	}
	c->state = coded ? CODING_MEMBER : CODING_PLAIN;
	return status;
}

/* Looks for another member after one; other bytes are ignored. */
static int look_for_member(struct coding *c, struct slice *bytes)
{
	struct slice magic = { c->magic, 0 };
	int bid = -1;
	while (bid < 0 && bytes->len && c->n_magic < CODING_MAGIC_MAX) {
		c->magic[c->n_magic++] = bytes->data[0];
		*bytes = slice_skip(*bytes, 1);
		magic.len = c->n_magic;
		bid = c->ops->bid(magic);
	}
	if (bid < 0 && c->n_magic < CODING_MAGIC_MAX)
		return 0;
	c->state = bid > 0 ? CODING_MEMBER : CODING_OVER;
	return bid > 0 ? decode(c, &magic, false) : 0;
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
		case CODING_BETWEEN:
			status = look_for_member(c, &piece);
			break;
		case CODING_PLAIN:
			return byte_sink_write(c->next, piece);
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
			return byte_sink_write(c->next, bytes);
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
	if (c->collects && c->body.len + bytes.len <= CODING_WHOLE)
		return buf_append(&c->body, bytes.data, bytes.len);
	int status = c->collects ? write_pieces(c, buf_slice(&c->body)) : 0;
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
	const struct slice body = buf_slice(&c->body);
	if (body.len < MEMBER_MIN || body.data[FLAGS_AT] != 0)
		return false;
	const size_t len = little_endian_32(body.data + body.len - 4);
	if (len > CODING_FREE_OUTPUT || len > c->max_output)
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
		status = c->decoded.len ? byte_sink_write(c->next, buf_slice(&c->decoded)) : 0;
	} else {
		if (c->collects)
			status = write_pieces(c, buf_slice(&c->body));
		if (status == 0)
			status = take_piece(c, slice_of(c->piece, c->n_piece), true);
		c->n_piece = 0;
	}
	c->collects = false;
	return status ? status : byte_sink_finish(c->next);
}
