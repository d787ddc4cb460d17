/* SPDX-License-Identifier: MIT */
/*
 * Reads an HTTP message as archives hold it, and passes on its body with all codings undone.
 *
 * Four parts: content codings (RFC 9110, section 8.4.1), the head (RFC 9112, sections 2 to 5) as the web sends it, the
 * chunked transfer coding (section 7.1), and the message, which passes its body through chunked and one stage for each
 * coding to `deliver`. Example: a body that
 * is "chunked" and "gzip" comes by chunked_write, coding_write, deliver_write. All read from any split. Where
 * the first bytes are no head, or no chunk size, they are the body as it is.
 */
#include "archive/http/response.h"

#include <libdeflate.h>
#include <stdlib.h>

#include "archive/byte_sink.h"
#include "archive/codec/codec.h"
#include "archive/document.h"
#include "archive/http/media_type.h"
#include "archive/limits.h"
#include "archive/record.h"
#include "base/ascii.h"
#include "base/buf.h"
#include "base/status.h"

/*
 * A stage undoes one content coding. Codec objects with small windows and buffers are kept from message to message. Bad
 * data is never an error: decoded bytes are passed, and a problem is noted.
 *
 * A body of one gzip member, which most coded bodies are, is decoded at once by libdeflate, three times as fast as by
 * steps. Whether it is does not depend on how the body is cut: up to CODING_WHOLE bytes are collected for it.
 */
enum {
	CODING_WINDOW = 64 << 10,     /* decoded bytes that are passed at once */
	CODING_PIECE = 4096,          /* the codec gets the body in pieces of this size, however it arrives */
	CODING_WHOLE = 256 << 10,     /* a gzip-coded body of at most this size is collected, and decoded at once */
	CODING_LOOK = 512,            /* first bytes that decide whether a body is coded at all */
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
	struct byte_sink *next;
	const struct limits *limits;
	unsigned problems;
	/* private */
	enum coding_state state;
	const struct codec_ops *ops;
	struct codec *codec;
	struct codec *kept[CODING_FORMATS];
	bool renew;          /* a skippable frame was read: a dictionary in it must not reach the next message */
	uint64_t max_output; /* of this body */
	uint64_t output;
	uint64_t pieces; /* number of pieces begun */
	size_t n_magic;  /* CODING_BETWEEN */
	uint8_t magic[CODING_MAGIC_MAX];
	size_t n_piece;
	uint8_t piece[CODING_PIECE]; /* collected, when the body comes in smaller slices */
	uint8_t *window;
	bool collects;            /* the body may be decoded at once */
	struct buf body, decoded; /* collected, and decoded at once */
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

static int pass_output(struct coding *c, size_t len)
{
	/* the output allowed so far; input counts in whole pieces */
	uint64_t allowed = c->pieces * CODING_PIECE * c->limits->expansion;
	if (allowed < CODING_FREE_OUTPUT)
		allowed = CODING_FREE_OUTPUT;
	if (allowed > c->max_output)
		allowed = c->max_output;
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

/* Decides by the first piece whether the body is coded at all. `last`: the piece is the whole body. */
static int decide(struct coding *c, struct slice piece, bool last)
{
	bool coded, is_short = last && piece.len <= CODING_LOOK;
	int status = 0;
	if (has_magic(c->ops)) {
		coded = c->ops->bid(piece) > 0;
	} else {
		/* control bytes are not missing in 512 bytes of compressed data, hardly ever in 100 */
		coded = false;
		for (size_t i = 0; i < (is_short ? piece.len : CODING_LOOK) && !coded; i++)
			coded = (piece.data[i] < 0x20 && !ascii_is_space(piece.data[i])) || piece.data[i] == 0x7F;
		if (!coded && is_short) { /* does it decode without a fault, by a codec of its own? */
			struct codec_in in = { piece.data, piece.len, 0 };
			struct codec_out out = { c->window, CODING_WINDOW, 0 };
			coded = c->ops->step(c->codec, &in, &out, true) > 0;
			drop_codec(c);
			status = take_codec(c);
		}
	}
	c->state = coded ? CODING_MEMBER : CODING_PLAIN;
	return status;
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

static const struct byte_sink_ops coding_sink_ops = { "coding", coding_write, coding_finish };

enum {
	HEAD_NAME_MAX = 128, /* a longer first word is not the name of a field, so the block is not an HTTP message */
	HEAD_LEAD_MAX = 16,  /* line ends that may go before the status line */
	HEAD_HELD_MAX = HEAD_LEAD_MAX + HEAD_NAME_MAX + 2,
};

enum head_state {
	HEAD_FIRST, /* the first bytes, which may not begin a head at all */
	HEAD_LINES, /* inside the head */
	HEAD_OVER,  /* the body begins */
};

struct head_reader {
	struct http_head head;
	unsigned problems;
	/* private */
	size_t max_bytes;
	unsigned max_lines;
	enum head_state state;
	bool interim;    /* a 1xx head was read: only a status line begins another */
	bool tunnel;     /* the head may be a proxy's reply to CONNECT: a whole status line begins the server's */
	bool has_status; /* the first line is a status line */
	bool colon;      /* the last held byte is the colon after a name */
	bool cr_ends;    /* lines end with CR alone */
	bool cr;         /* the byte before was a CR */
	bool full;       /* a limit was reached: nothing more is kept */
	size_t line_len; /* bytes of the current line, without its end */
	unsigned lines;
	size_t lead, n_held;
	uint8_t held[HEAD_HELD_MAX];
	struct buf text; /* the lines of the head, each ended by LF */
	struct buf content_encoding, transfer_encoding;
};

/* Prepares for a head; keeps the results of an interim head. */
static void begin_lines(struct head_reader *h)
{
	buf_clear(&h->text);
	h->cr_ends = h->cr = h->full = h->colon = false;
	h->line_len = 0;
	h->lines = 0;
}

static bool begins_nocase(struct slice s, const char *word)
{
	size_t n = strlen(word);
	return slice_equal_nocase(slice_of(s.data, s.len < n ? s.len : n), slice_of(word, s.len < n ? s.len : n));
}

enum verdict { VERDICT_MORE, VERDICT_STATUS, VERDICT_FIELD, VERDICT_BODY };

/* Judges bytes after what may be a proxy's reply: "HTTP/1.1 200", and nothing less, shows that it was one. */
static enum verdict tunnel_verdict(struct slice s)
{
	static const char *const forms[] = { "HTTP/0.0 000", "HTTP/0 000" };
	enum verdict verdict = VERDICT_BODY;
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms) && verdict == VERDICT_BODY; i++) {
		const size_t len = strlen(forms[i]);
		size_t n = 0;
		while (n < s.len && n < len &&
		       (forms[i][n] == '0' ? ascii_is_digit(s.data[n]) : s.data[n] == forms[i][n]))
			n++;
		if (n == s.len)
			verdict = n == len ? VERDICT_STATUS : VERDICT_MORE;
	}
	return verdict;
}

/* Judges what the held bytes, the last of which is new, begin. */
static enum verdict first_verdict(struct head_reader *h)
{
	struct slice s = slice_skip(slice_of(h->held, h->n_held), h->lead);
	uint8_t c = s.data[s.len - 1];
	if (h->tunnel)
		return tunnel_verdict(s);
	if (s.len <= 4 && (begins_nocase(s, "HTTP") || begins_nocase(s, "ICY ")))
		return s.len == 4 && c == ' ' ? VERDICT_STATUS : VERDICT_MORE;
	if (s.len == 5 && begins_nocase(s, "HTTP") && (c == '/' || c == ' ' || ascii_is_digit(c)))
		return VERDICT_STATUS;
	if (h->interim)
		return VERDICT_BODY;
	if (h->colon) /* "http://" at the start of a text is not a field */
		return c == '/' ? VERDICT_BODY : VERDICT_FIELD;
	h->colon = c == ':' && s.len > 1;
	const bool token = ascii_is_alpha(c) || ascii_is_digit(c) || (c != 0 && strchr("!#$%&'*+-.^_`|~", c));
	return h->colon || (token && s.len < HEAD_NAME_MAX) ? VERDICT_MORE : VERDICT_BODY;
}

static int join(struct buf *list, struct slice value)
{
	int status = list->len ? buf_append_text(list, ", ") : 0;
	return status ? status : buf_append(list, value.data, value.len);
}

/* Takes the next line off `text`, with the folded lines that belong to it (RFC 9112, section 5.2). */
static struct slice next_line(struct buf *text, size_t *at, bool folds)
{
	size_t start = *at, end = start;
	for (;;) {
		uint8_t *lf = memchr(text->data + end, '\n', text->len - end);
		if (!lf) {
			*at = text->len;
			return slice_of(text->data + start, text->len - start);
		}
		end = (size_t)(lf - text->data) + 1;
		if (!folds || end >= text->len || (*(lf + 1) != ' ' && *(lf + 1) != '\t'))
			break;
		*lf = ' ';
	}
	*at = end;
	return slice_of(text->data + start, end - 1 - start);
}

/*
 * Some programs also store what a proxy answers to CONNECT: "HTTP/1.0 200 Connection established", an empty line, and
 * then the server's response. Its head has nothing of a body; proxies call it by other names, too.
 */
static bool may_be_tunnel(const struct head_reader *h, struct slice reason)
{
	static const char established[] = "Connection established";
	const struct http_head *head = &h->head;
	if (head->status < 200 || head->status > 299)
		return false;
	return slice_is(slice_trim(reason), established) ||
	       (head->content_type.len == 0 && head->content_encoding.len == 0 && head->transfer_encoding.len == 0 &&
		head->length == 0);
}

static int parse_head(struct head_reader *h)
{
	size_t at = 0;
	struct slice reason = slice_of(NULL, 0);
	h->head = (struct http_head){ 0 };
	buf_clear(&h->content_encoding);
	buf_clear(&h->transfer_encoding);
	if (h->has_status && h->text.len) {
		/* "HTTP/1.1 200 OK", "HTTP/2 200", "ICY 200 OK", "HTTP/1.0 200OK": three digits after the first word */
		struct slice line = next_line(&h->text, &at, false);
		while (line.len && !ascii_is_space(line.data[0]))
			line = slice_skip(line, 1);
		uint64_t status;
		line = slice_trim(line);
		h->head.status = decimal_prefix(line, &status) == 3 && status >= 100 ? (int)status : 0;
		reason = slice_skip(line, h->head.status ? 3 : line.len);
	}
	if (h->head.status == 0)
		h->problems |= PROBLEM_BAD_HTTP;
	h->head.lines = slice_skip(buf_slice(&h->text), at);
	while (at < h->text.len) {
		int status = 0;
		const struct slice line = next_line(&h->text, &at, true);
		const uint8_t *colon = line.len ? memchr(line.data, ':', line.len) : NULL;
		if (!colon) {
			h->problems |= PROBLEM_BAD_HTTP;
			continue;
		}
		size_t n = (size_t)(colon - line.data);
		struct slice name = slice_trim(slice_of(line.data, n));
		struct slice value = slice_trim(slice_skip(line, n + 1));
		if (name.len != n || name.len == 0 || memchr(line.data, 0, line.len))
			h->problems |= PROBLEM_BAD_HTTP;
		if (value.len == 0)
			continue;
		if (slice_is(name, "Content-Type") && h->head.content_type.len == 0)
			h->head.content_type = value;
		else if (slice_is(name, "Content-Length") && !h->head.has_length &&
			 !(h->head.has_length = decimal_number(value, UINT64_MAX, &h->head.length)))
			h->problems |= PROBLEM_BAD_HTTP;
		else if (slice_is(name, "Content-Encoding"))
			status = join(&h->content_encoding, value);
		else if (slice_is(name, "Transfer-Encoding"))
			status = join(&h->transfer_encoding, value);
		if (status)
			return status;
	}
	h->head.content_encoding = buf_slice(&h->content_encoding);
	h->head.transfer_encoding = buf_slice(&h->transfer_encoding);
	h->tunnel = may_be_tunnel(h, reason);
	return 0;
}

/* Keeps a part of the current line, as far as the limits allow. */
static int keep(struct head_reader *h, const uint8_t *data, size_t len)
{
	h->line_len += len;
	if (h->full)
		return 0;
	size_t room = h->max_bytes > h->text.len ? h->max_bytes - h->text.len : 0;
	if (len > room || h->lines >= h->max_lines) {
		h->full = true;
		h->problems |= PROBLEM_BAD_HTTP;
		len = h->lines >= h->max_lines ? 0 : room;
	}
	return buf_append(&h->text, data, len);
}

/* An empty line ends the head. An interim head (RFC 9110, section 15.2) is followed by another; 101 is final. */
static int end_line(struct head_reader *h)
{
	if (h->line_len || h->lines == 0) {
		h->line_len = 0;
		h->lines += h->lines < h->max_lines;
		return h->full ? 0 : buf_append_byte(&h->text, '\n');
	}
	int status = parse_head(h);
	if (status)
		return status;
	h->interim = h->head.status >= 100 && h->head.status < 200 && h->head.status != 101;
	h->state = h->interim || h->tunnel ? HEAD_FIRST : HEAD_OVER;
	h->lead = h->n_held = 0;
	h->colon = false;
	return 0;
}

/* Handles a CR without LF: in the first line it shows that lines end with CR, elsewhere it is part of the line. */
static int lone_cr(struct head_reader *h)
{
	h->cr = false;
	if (h->lines > 0)
		return keep(h, (const uint8_t *)"\r", 1);
	h->cr_ends = true;
	h->problems |= PROBLEM_BAD_HTTP;
	return end_line(h);
}

static int line_end_byte(struct head_reader *h, uint8_t c)
{
	bool cr = h->cr;
	if (c == '\n') {
		h->cr = false;
		return cr && h->cr_ends ? 0 : end_line(h);
	}
	if (h->cr_ends) {
		h->cr = true;
		return end_line(h);
	}
	int status = cr ? lone_cr(h) : 0;
	if (status == 0 && h->cr_ends) /* the second CR ends a line of its own */
		return line_end_byte(h, c);
	h->cr = true;
	return status;
}

static int feed_lines(struct head_reader *h, struct slice *bytes)
{
	const uint8_t *p = bytes->data, *end = p + bytes->len;
	int status = 0;
	while (p < end && status == 0 && h->state == HEAD_LINES) {
		if (*p == '\n' || *p == '\r') {
			status = line_end_byte(h, *p++);
			continue;
		}
		if (h->cr && !h->cr_ends) {
			status = lone_cr(h);
			continue;
		}
		h->cr = false;
		const uint8_t *start = p;
		while (p < end && *p != '\n' && *p != '\r')
			p++;
		status = keep(h, start, (size_t)(p - start));
	}
	*bytes = slice_skip(*bytes, (size_t)(p - bytes->data));
	return status;
}

static int feed_first(struct head_reader *h, struct slice *bytes)
{
	while (bytes->len) {
		uint8_t c = bytes->data[0];
		h->held[h->n_held++] = c;
		*bytes = slice_skip(*bytes, 1);
		if ((c == '\r' || c == '\n') && h->lead + 1 == h->n_held && h->lead < HEAD_LEAD_MAX) {
			h->lead++;
			continue;
		}
		enum verdict verdict = first_verdict(h);
		if (verdict == VERDICT_MORE)
			continue;
		if (verdict == VERDICT_BODY) {
			h->problems |= h->tunnel ? 0 : PROBLEM_BAD_HTTP;
			h->state = HEAD_OVER;
			return 0;
		}
		begin_lines(h);
		h->has_status = verdict == VERDICT_STATUS;
		h->state = HEAD_LINES;
		struct slice held = slice_skip(slice_of(h->held, h->n_held), h->lead);
		h->n_held = 0;
		return feed_lines(h, &held);
	}
	return 0;
}

void chunked_reset(struct chunked *c)
{
	*c = (struct chunked){ .state = CHUNKED_FIRST };
}

static void begin_size(struct chunked *c)
{
	c->state = CHUNKED_SIZE;
	c->size = 0;
	c->digits = false;
}

static void give_up(struct chunked *c)
{
	c->bad = true;
	c->state = CHUNKED_OVER;
}

static void end_size_line(struct chunked *c)
{
	if (!c->digits) { /* an empty line where a size should be */
		c->bad = true;
		begin_size(c);
		return;
	}
	c->state = c->size ? CHUNKED_DATA : CHUNKED_TRAILER;
	c->line_empty = true;
}

/* Takes one byte of a size line. A CR is ignored: the LF ends the line. */
static void size_byte(struct chunked *c, uint8_t b)
{
	int digit = ascii_hex(b);
	if (b == '\n') {
		end_size_line(c);
	} else if (c->state == CHUNKED_EXTENSION) {
		return;
	} else if (c->state == CHUNKED_SIZE && digit >= 0) {
		c->digits = true;
		if (c->size >> 59) /* larger than any body, with no room for another digit */
			give_up(c);
		else
			c->size = c->size << 4 | (uint64_t)digit;
	} else if (b == ';' && c->digits) {
		c->state = CHUNKED_EXTENSION;
	} else if (b == ' ' || b == '\t' || b == '\r') {
		c->state = c->digits ? CHUNKED_SIZE_PAD : c->state;
	} else {
		give_up(c);
	}
}

/* The body is not chunked: the held bytes are its beginning. */
static int turn_plain(struct chunked *c, struct byte_sink *next)
{
	c->state = CHUNKED_PLAIN;
	return c->n_held ? byte_sink_write(next, slice_of(c->held, c->n_held)) : 0;
}

enum chunked_verdict { FIRST_MORE, FIRST_CHUNKED, FIRST_PLAIN };

/* Judges the held bytes, the last of which is new. A sign or a size beyond 63 bits is chunk framing, but damaged. */
static enum chunked_verdict chunked_first_verdict(struct chunked *c)
{
	uint8_t b = c->held[c->n_held - 1];
	bool pad = b == ' ' || b == '\t' || b == '\r';
	size_t start = c->held[0] == '-';
	if (c->n_held == start)
		return FIRST_MORE;
	if (ascii_hex(c->held[start]) < 0)
		return FIRST_PLAIN;
	if (b == '\n' || b == ';') {
		c->bad = start || c->size >> 63;
		return c->bad ? FIRST_PLAIN : FIRST_CHUNKED;
	}
	int digit = ascii_hex(b);
	if (digit >= 0 && !c->cr) {
		c->size = c->size >> 59 ? UINT64_MAX : c->size << 4 | (uint64_t)digit;
	} else if (!pad) {
		c->bad = b == '<' && !c->cr; /* "1f<html>": a size without its line end */
		return FIRST_PLAIN;
	}
	c->cr = pad; /* digits after white space are not part of the size */
	return c->n_held < CHUNKED_HELD_MAX ? FIRST_MORE : FIRST_PLAIN;
}

int chunked_write(struct chunked *c, struct slice bytes, struct byte_sink *next)
{
	int status = 0;
	for (size_t n = 1; bytes.len && status == 0; bytes = slice_skip(bytes, n), n = 1) {
		uint8_t b = bytes.data[0];
		switch (c->state) {
		case CHUNKED_PLAIN:
			return byte_sink_write(next, bytes);
		case CHUNKED_OVER:
			return 0;
		case CHUNKED_DATA:
			n = bytes.len < c->size ? bytes.len : (size_t)c->size;
			c->size -= n;
			if (c->size == 0) {
				c->state = CHUNKED_DATA_END;
				c->cr = false;
			}
			status = byte_sink_write(next, slice_of(bytes.data, n));
			break;
		case CHUNKED_FIRST: {
			c->held[c->n_held++] = b;
			const enum chunked_verdict verdict = chunked_first_verdict(c);
			if (verdict == FIRST_PLAIN)
				status = turn_plain(c, next);
			if (verdict != FIRST_CHUNKED)
				break;
			c->cr = false;
			c->digits = true;
			if (b == ';')
				c->state = CHUNKED_EXTENSION;
			else
				end_size_line(c);

			break;
		}
		case CHUNKED_SIZE:
		case CHUNKED_SIZE_PAD:
		case CHUNKED_EXTENSION:
			size_byte(c, b);
			break;
		case CHUNKED_DATA_END:
			if (b == '\r' && !c->cr) {
				c->cr = true;
				break;
			}
			begin_size(c);
			if (b == '\n')
				break;
			c->bad = true; /* the line end is missing; the next size may follow at once */
			size_byte(c, b);
			break;
		case CHUNKED_TRAILER:
			if (b == '\n' && c->line_empty)
				c->state = CHUNKED_OVER;
			else if (b != '\r')
				c->line_empty = b == '\n';
			break;
		}
	}
	return status;
}

int chunked_finish(struct chunked *c, struct byte_sink *next)
{
	if (c->state == CHUNKED_FIRST) {
		c->bad = c->n_held > 0;
		return turn_plain(c, next);
	}
	/* without the line end after the last chunk nothing is lost */
	c->bad |= c->state != CHUNKED_TRAILER && c->state != CHUNKED_PLAIN && c->state != CHUNKED_OVER;
	return 0;
}

enum response_state {
	RESPONSE_HEAD,
	RESPONSE_BODY,
	RESPONSE_OVER, /* the rest is unwanted */
};

struct http_response {
	struct byte_sink deliver; /* the last stage: limits and counts the decoded body */
	struct byte_sink look;    /* before it, where the head is of a text: is the body gzip that no label names? */
	struct byte_sink *looked; /* where `look` passes the body to; NULL: not decided */
	size_t n_magic;           /* so many first bytes are those of gzip, and not passed */
	struct byte_sink *body;   /* the caller's */
	struct byte_sink *first;  /* the stage that takes the body without transfer coding */
	struct limits limits;
	enum response_state state;
	unsigned problems;
	int (*on_head)(void *arg, const struct http_head *head);
	void *on_head_arg;
	struct head_reader head;
	bool is_chunked;
	struct chunked chunked;
	struct coding **levels; /* limits.codings of them and one for `look`, made on first use */
	size_t n_levels;        /* in use for this message */
	uint64_t raw_bytes, body_bytes;
	uint8_t begin[2];       /* of the raw body */
	struct slice bare_type; /* media type of a body without a head */
};

static int deliver_write(struct byte_sink *self, struct slice bytes)
{
	struct http_response *r = (struct http_response *)self;
	uint64_t room = r->limits.body - r->body_bytes;
	bool too_much = bytes.len > room;
	if (too_much)
		bytes.len = (size_t)room;
	r->body_bytes += bytes.len;
	int status = bytes.len ? byte_sink_write(r->body, bytes) : 0;
	if (status || !too_much)
		return status;
	r->problems |= PROBLEM_TRUNCATED_LIMIT;
	return RECORD_UNWANTED;
}

/* The caller finishes its own sink. */
static const struct byte_sink_ops deliver_ops = { "http body", deliver_write, NULL };

/* Takes one decoder more into use, which writes to `next`. */
static int put_level(struct http_response *r, const struct codec_ops *ops, struct byte_sink *next)
{
	struct coding **level = &r->levels[r->n_levels];
	if (!*level) {
		struct coding *made = calloc(1, sizeof(*made));
		if (made)
			made->window = malloc(CODING_WINDOW);
		if (!made || !made->window) {
			free(made);
			return DANA_ENOMEM;
		}
		made->sink.ops = &coding_sink_ops;
		made->limits = &r->limits;
		*level = made;
	}
	struct coding *c = *level;
	if (c->renew)
		drop_codec(c);
	c->renew = false;
	c->ops = ops;
	c->next = next;
	c->problems = 0;
	c->state = CODING_START;
	/* The output of an inner coding is coded itself: it may be as large as a block. */
	c->max_output = next == &r->deliver || next == &r->look ? UINT64_MAX : r->limits.block;
	c->output = c->pieces = 0;
	c->n_magic = c->n_piece = 0;
	c->collects = slice_is(slice_from_text(ops->name), "gzip");
	buf_clear(&c->body);
	int status = take_codec(c);
	if (status == 0)
		r->n_levels++;
	return status;
}

/*
 * A text whose head names no coding may be gzip all the same: servers send files as they are stored, and writers of
 * archives leave labels out. Its first three bytes show it, which no text has.
 */
static const uint8_t gzip_magic[] = { 0x1f, 0x8b, 8 };

static int pass_magic(struct http_response *r)
{
	const size_t n = r->n_magic;
	r->n_magic = 0;
	return n ? byte_sink_write(r->looked, slice_of(gzip_magic, n)) : 0;
}

static int look_write(struct byte_sink *self, struct slice bytes)
{
	struct http_response *r = (struct http_response *)((char *)self - offsetof(struct http_response, look));
	int status = 0;
	while (!r->looked && bytes.len) {
		if (bytes.data[0] != gzip_magic[r->n_magic]) {
			r->looked = &r->deliver;
			break;
		}
		bytes = slice_skip(bytes, 1);
		if (++r->n_magic < sizeof(gzip_magic))
			continue;
		for (size_t i = 0; i < r->n_levels; i++) /* what they write is coded itself */
			r->levels[i]->max_output = r->limits.block;
		status = put_level(r, codec_for_coding(slice_from_text("gzip")), &r->deliver);
		if (status < 0)
			return status;
		r->looked = &r->levels[r->n_levels - 1]->sink;
		r->problems |= PROBLEM_BAD_CODING;
	}
	if (r->looked)
		status = pass_magic(r);
	return status || bytes.len == 0 ? status : byte_sink_write(r->looked, bytes);
}

static int look_finish(struct byte_sink *self)
{
	struct http_response *r = (struct http_response *)((char *)self - offsetof(struct http_response, look));
	if (!r->looked)
		r->looked = &r->deliver;
	const int status = pass_magic(r);
	return status ? status : byte_sink_finish(r->looked);
}

static const struct byte_sink_ops look_ops = { "http look", look_write, look_finish };

/* Returns whether the body of this media type may be a text: other types may well be gzip. */
static bool may_be_text(struct slice content_type)
{
	static const char text[] = "text/";
	const struct slice type = media_type_of_header(content_type);
	return type.len == 0 || slice_is(slice_first(type, sizeof(text) - 1), text) || media_type_is_html(type);
}

struct http_response *http_response_new(const struct limits *limits, struct byte_sink *body)
{
	struct http_response *r = malloc(sizeof(*r));
	if (!r)
		return NULL;
	*r = (struct http_response){ .deliver = { &deliver_ops },
				     .look = { &look_ops },
				     .body = body,
				     .limits = *limits };
	r->levels = calloc(limits->codings + 1U, sizeof(struct coding *));
	if (!r->levels) {
		free(r);
		return NULL;
	}
	r->head = (struct head_reader){ .max_bytes = limits->http_head, .max_lines = limits->http_lines };
	http_response_reset(r, false);
	return r;
}

void http_response_free(struct http_response *r)
{
	if (!r)
		return;
	for (unsigned i = 0; i <= r->limits.codings; i++) {
		struct coding *level = r->levels[i];
		if (!level)
			continue;
		for (size_t k = 0; k < CODING_FORMATS; k++) {
			if (level->kept[k])
				level->kept[k]->ops->close(level->kept[k]);
		}
		if (level->decompressor)
			libdeflate_free_decompressor(level->decompressor);
		buf_free(&level->body);
		buf_free(&level->decoded);
		free(level->window);
		free(level);
	}
	free(r->levels);
	buf_free(&r->head.text);
	buf_free(&r->head.content_encoding);
	buf_free(&r->head.transfer_encoding);
	free(r);
}

/* Takes the last name off a list such as "gzip, br;q=1". Returns an empty slice if the list is empty. */
static struct slice last_name(struct slice *list)
{
	while (list->len && (list->data[list->len - 1] == ',' || ascii_is_space(list->data[list->len - 1])))
		list->len--;
	size_t start = list->len;
	while (start && list->data[start - 1] != ',')
		start--;
	struct slice name = slice_skip(*list, start);
	list->len = start;
	const uint8_t *parameters = name.len ? memchr(name.data, ';', name.len) : NULL;
	if (parameters)
		name.len = (size_t)(parameters - name.data);
	return slice_trim(name);
}

/* Returns whether the name means that there is no content coding. */
static bool is_nothing(struct slice name)
{
	return name.len == 0 || slice_is(name, "identity") || slice_is(name, "chunked");
}

static size_t count_names(struct slice list)
{
	size_t n = 0;
	while (list.len)
		n += !is_nothing(last_name(&list));
	return n;
}

/*
 * Builds the stages from the body's end to its source: the coding named first was applied first and is undone last. A
 * list is read from its front here, so each new stage goes before the existing ones.
 */
static int stack_codings(struct http_response *r, struct slice list)
{
	while (list.len) {
		const uint8_t *comma = memchr(list.data, ',', list.len);
		size_t n = comma ? (size_t)(comma - list.data) : list.len;
		struct slice head = slice_of(list.data, n);
		struct slice name = last_name(&head);
		list = slice_skip(list, n + 1);
		if (is_nothing(name))
			continue;
		const struct codec_ops *ops = codec_for_coding(name);
		if (!ops) {
			r->problems |= PROBLEM_BAD_CODING;
			continue;
		}
		int status = put_level(r, ops, r->first);
		if (status)
			return status;
		r->first = &r->levels[r->n_levels - 1]->sink;
	}
	return 0;
}

static int write_body(struct http_response *r, struct slice bytes)
{
	for (size_t i = 0; i < bytes.len && r->raw_bytes + i < sizeof(r->begin); i++)
		r->begin[r->raw_bytes + i] = bytes.data[i];
	r->raw_bytes += bytes.len;
	if (bytes.len == 0)
		return 0;
	return r->is_chunked ? chunked_write(&r->chunked, bytes, r->first) : byte_sink_write(r->first, bytes);
}

static int begin_body(struct http_response *r)
{
	r->state = RESPONSE_BODY;
	const struct http_head *head = &r->head.head;
	int status = 0;
	r->first = may_be_text(r->bare_type.len ? r->bare_type : head->content_type) ? &r->look : &r->deliver;
	r->is_chunked = false;
	for (struct slice list = head->transfer_encoding; list.len && !r->is_chunked;)
		r->is_chunked = slice_is(last_name(&list), "chunked");
	if (count_names(head->content_encoding) + count_names(head->transfer_encoding) > r->limits.codings) {
		r->problems |= PROBLEM_BAD_CODING;
	} else {
		status = stack_codings(r, head->content_encoding);
		if (status == 0)
			status = stack_codings(r, head->transfer_encoding);
	}

	if (status == 0 && r->on_head)
		status = r->on_head(r->on_head_arg, &r->head.head);
	/* bytes that were taken for a head and are none */
	return status ? status : write_body(r, slice_of(r->head.held, r->head.state == HEAD_OVER ? r->head.n_held : 0));
}

static int settle(struct http_response *r, int status)
{
	if (status > 0)
		r->state = RESPONSE_OVER;
	return status > 0 ? RECORD_UNWANTED : status;
}

/* Frees large windows: four codings may hold 16 MiB each, which the text, its output and the next message need. */
static void release_codings(struct http_response *r)
{
	for (size_t i = 0; i < r->n_levels; i++) {
		if (r->levels[i]->output > CODING_KEPT_OUTPUT)
			drop_codec(r->levels[i]);
	}
}

void http_response_reset(struct http_response *r, bool bare)
{
	release_codings(r);
	struct head_reader *h = &r->head;
	begin_lines(h);
	buf_shrink(&h->text, 16384);
	buf_clear(&h->content_encoding);
	buf_clear(&h->transfer_encoding);
	h->head = (struct http_head){ 0 };
	h->problems = 0;
	h->state = bare ? HEAD_OVER : HEAD_FIRST;
	h->interim = h->tunnel = h->has_status = false;
	h->lead = h->n_held = 0;
	chunked_reset(&r->chunked);
	r->state = RESPONSE_HEAD;
	r->first = &r->deliver;
	r->problems = 0;
	r->is_chunked = false;
	r->looked = NULL;
	r->n_magic = 0;
	r->bare_type = slice_of(NULL, 0);
	r->n_levels = 0;
	r->raw_bytes = r->body_bytes = 0;
}

void http_response_bare_type(struct http_response *r, struct slice content_type)
{
	r->bare_type = content_type;
}

void http_response_on_head(struct http_response *r, int (*head)(void *arg, const struct http_head *head), void *arg)
{
	r->on_head = head;
	r->on_head_arg = arg;
}

int http_response_write(struct http_response *r, struct slice bytes)
{
	int status = 0;
	if (r->state == RESPONSE_HEAD) {
		struct head_reader *h = &r->head;
		while (bytes.len && h->state != HEAD_OVER) {
			status = h->state == HEAD_FIRST ? feed_first(h, &bytes) : feed_lines(h, &bytes);
			if (status)
				return status;
		}
		if (h->state != HEAD_OVER)
			return 0;
		status = begin_body(r);
	}
	if (status == 0 && r->state == RESPONSE_OVER)
		return RECORD_UNWANTED;
	return settle(r, status ? status : write_body(r, bytes));
}

int http_response_finish(struct http_response *r)
{
	int status = 0;
	if (r->state == RESPONSE_HEAD) {
		/* the part of the head that was read counts */
		struct head_reader *h = &r->head;
		const enum head_state state = h->state;
		h->state = HEAD_OVER;
		if (state == HEAD_LINES || (state == HEAD_FIRST && !h->tunnel && (!h->interim || h->n_held)))
			h->problems |= PROBLEM_BAD_HTTP;
		if (state == HEAD_LINES)
			status = parse_head(h);
		if (status == 0)
			status = begin_body(r);
	}
	if (r->state != RESPONSE_OVER && status == 0) {
		if (r->is_chunked)
			status = chunked_finish(&r->chunked, r->first);
		if (status == 0)
			status = byte_sink_finish(r->first);
		/* Content-Length counts the body before content decoding. Two bytes more are the extra line end of
		 * Common Crawl's archive 2018-34; 204 and 304 have no body whatever the head has (RFC 9110,
		 * section 8.6). */
		const struct http_head *head = &r->head.head;
		const bool counts = head->has_length && !r->is_chunked && head->status != 204 && head->status != 304;
		const bool extra = r->raw_bytes >= 2 && r->begin[0] == '\r' && r->begin[1] == '\n';
		if (status == 0 && counts && r->raw_bytes != head->length &&
		    (!extra || r->raw_bytes - 2 != head->length))
			r->problems |= PROBLEM_BODY_LENGTH;
	}
	status = settle(r, status);
	release_codings(r);
	return status < 0 ? status : 0;
}

const struct http_head *http_response_head(const struct http_response *r)
{
	return &r->head.head;
}

unsigned http_response_problems(const struct http_response *r)
{
	unsigned problems = r->problems | r->head.problems | (r->chunked.bad ? PROBLEM_BAD_CHUNKED : 0);
	for (size_t i = 0; i < r->n_levels; i++)
		problems |= r->levels[i]->problems;
	return problems;
}

uint64_t http_response_body_bytes(const struct http_response *r)
{
	return r->body_bytes;
}
