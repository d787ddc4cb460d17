/* SPDX-License-Identifier: MIT */
/*
 * Reads an HTTP message as archives hold it, and passes on its body with all codings undone.
 *
 * Three parts: the head (RFC 9112, sections 2 to 5) as the web sends it, the chunked transfer coding (section 7.1), and
 * the message, which passes its body through chunked and one stage for each coding (coding.c) to `deliver`. Example: a
 * body that is "chunked" and "gzip" comes by chunked_write, coding_write, deliver_write. All read from any split. Where
 * the first bytes are no head, or no chunk size, they are the body as it is.
 */
#include "archive/http/response.h"

#include <stdlib.h>

#include "archive/byte_sink.h"
#include "archive/codec/codec.h"
#include "archive/document.h"
#include "archive/http/coding.h"
#include "archive/http/media_type.h"
#include "archive/limits.h"
#include "archive/record.h"
#include "base/ascii.h"
#include "base/buf.h"
#include "base/status.h"

enum {
	HEAD_NAME_MAX = 128, /* a longer first word is not the name of a field, so the block is not an HTTP message */
	HEAD_LEAD_MAX = 16,  /* line ends and blanks that may go before the status line */
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
	bool bare;       /* no head so far, and there may be none: only a status line begins one */
	bool interim;    /* a 1xx head was read: only a status line begins another */
	bool tunnel;     /* the head may be a proxy's reply to CONNECT: a whole status line begins the server's */
	bool blank;      /* blanks go before the first line: only a status line begins a head */
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
	struct buf content_type, content_encoding, transfer_encoding;
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

/*
 * Judges whether a status line begins: "HTTP/1.1 200", "HTTPS/1.1 200", "ICY 200", and in a message also "HTTP 200" and
 * "HTTP1". Where there may be no head at all, "HTTP is old" and "ICY roads" are texts.
 */
static enum verdict status_verdict(struct slice s, bool bare)
{
	static const char *const names[] = { "HTTP", "HTTPS", "ICY" };
	enum { HTTP, HTTPS, ICY, NAMES };
	bool more = false;
	for (size_t i = 0; i < NAMES; i++) {
		const size_t n = strlen(names[i]);
		if (!begins_nocase(s, names[i]))
			continue;
		const uint8_t c = s.len > n ? s.data[n] : 0, next = s.len > n + 1 ? s.data[n + 1] : 0;
		const bool blank = c == ' ' || c == '\t';
		if ((i != ICY && c == '/') || (i == HTTP && !bare && (blank || ascii_is_digit(c))) ||
		    (i == ICY && blank && (!bare || ascii_is_digit(next))))
			return VERDICT_STATUS;
		more |= s.len <= n || (i == ICY && blank && s.len == n + 1);
	}
	return more ? VERDICT_MORE : VERDICT_BODY;
}

/* Judges what the held bytes, the last of which is new, begin. */
static enum verdict first_verdict(struct head_reader *h)
{
	struct slice s = slice_skip(slice_of(h->held, h->n_held), h->lead);
	uint8_t c = s.data[s.len - 1];
	if (h->tunnel)
		return tunnel_verdict(s);
	const enum verdict status = status_verdict(s, h->bare);
	if (status != VERDICT_BODY || h->interim || h->bare || h->blank)
		return status;
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

static void clear_lists(struct head_reader *h)
{
	buf_clear(&h->content_type);
	buf_clear(&h->content_encoding);
	buf_clear(&h->transfer_encoding);
}

static int parse_head(struct head_reader *h)
{
	size_t at = 0;
	struct slice reason = slice_of(NULL, 0);
	h->head = (struct http_head){ 0 };
	clear_lists(h);
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
		if (slice_is(name, "Content-Type"))
			status = join(&h->content_type, value);
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
	h->head.content_type = buf_slice(&h->content_type);
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
		const bool blank = (c == ' ' || c == '\t') && !h->tunnel;
		if ((c == '\r' || c == '\n' || blank) && h->lead + 1 == h->n_held && h->lead < HEAD_LEAD_MAX) {
			h->lead++;
			h->blank |= blank;
			continue;
		}
		enum verdict verdict = first_verdict(h);
		if (verdict == VERDICT_MORE)
			continue;
		if (verdict == VERDICT_BODY) {
			h->problems |= h->tunnel || h->bare ? 0 : PROBLEM_BAD_HTTP;
			h->state = HEAD_OVER;
			return 0;
		}
		begin_lines(h);
		h->problems |= h->blank ? PROBLEM_BAD_HTTP : 0;
		h->bare = h->blank = false;
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

/* Where nothing but the bytes said that they are chunked, the rest is the body as it is. */
static void give_up(struct chunked *c)
{
	c->bad = true;
	c->state = c->unnamed ? CHUNKED_PLAIN : CHUNKED_OVER;
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

/* The body, or the rest of it, is not chunked; held bytes are its beginning. */
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

/*
 * The same of a body that is out of its chunks: is it chunked once more? A whole size line must stand there, and after
 * it a tag, or bytes that are coded: "1f" alone may be the first line of a page.
 */
static enum chunked_verdict chunked_again_verdict(struct chunked *c)
{
	enum { GZIP_FIRST = 0x1f };
	const struct slice held = slice_of(c->held, c->n_held);
	size_t digits = 0, n;
	for (c->size = 0; digits < held.len && ascii_hex(held.data[digits]) >= 0; digits++)
		c->size = c->size << 4 | (uint64_t)ascii_hex(held.data[digits]);
	for (n = digits; n < held.len && held.data[n] == ' '; n++) {
	}
	if (n == held.len)
		return digits && digits <= CHUNKED_AGAIN_DIGITS && n < CHUNKED_HELD_MAX ? FIRST_MORE : FIRST_PLAIN;
	const struct slice line_end = slice_first(slice_skip(held, n), 2);
	const struct slice data = slice_trim(slice_skip(held, n + 2));
	if (c->size == 0 || memcmp(line_end.data, "\r\n", line_end.len) != 0)
		return FIRST_PLAIN;
	c->n_line = n + 2;
	if (held.len > c->n_line && c->coded)
		return FIRST_CHUNKED;
	if (data.len == 0)
		return c->n_held < CHUNKED_HELD_MAX ? FIRST_MORE : FIRST_PLAIN;
	return data.data[0] == '<' || data.data[0] == GZIP_FIRST ? FIRST_CHUNKED : FIRST_PLAIN;
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
			const enum chunked_verdict verdict =
				c->unnamed ? chunked_again_verdict(c) : chunked_first_verdict(c);
			if (verdict == FIRST_PLAIN)
				status = turn_plain(c, next);
			if (verdict != FIRST_CHUNKED)
				break;
			c->cr = false;
			c->digits = true;
			if (c->unnamed) {
				c->bad = true;
				end_size_line(c);
				status = chunked_write(c, slice_skip(slice_of(c->held, c->n_held), c->n_line), next);
				break;
			}
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
			if (c->unnamed) {
				give_up(c);
				n = 0;
				break;
			}
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
		c->bad = c->n_held > 0 && !c->unnamed;
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
	struct byte_sink *body;   /* the caller's */
	struct byte_sink *first;  /* the stage that takes the body without transfer coding */
	struct limits limits;
	enum response_state state;
	unsigned problems;
	int (*on_head)(void *arg, const struct http_head *head);
	void *on_head_arg;
	struct head_reader head;
	bool is_chunked;
	struct chunked chunked, again; /* the body may be chunked twice */
	struct byte_sink unchunked;    /* what `chunked` writes to */
	struct coding **levels; /* limits.codings of them and one for a body without a label, made on first use */
	size_t n_levels;        /* in use for this message */
	struct coding *look;    /* the last level, where the body may be a text: is it coded without a label? */
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

static int unchunked_write(struct byte_sink *self, struct slice bytes)
{
	struct http_response *r = (struct http_response *)((char *)self - offsetof(struct http_response, unchunked));
	return chunked_write(&r->again, bytes, r->first);
}

static const struct byte_sink_ops unchunked_ops = { "http unchunked", unchunked_write, NULL };

static int put_look(void *arg);

/* Takes one decoder more into use. */
static int put_level(struct http_response *r, const struct codec_ops *label, struct byte_sink *next,
		     uint64_t max_output, struct coding **made)
{
	struct coding **level = &r->levels[r->n_levels];
	if (!*level)
		*level = coding_new(&r->limits);
	if (!*level)
		return DANA_ENOMEM;
	coding_begin(*level, &(struct coding_body){ label, next, max_output, put_look, r });
	r->n_levels++;
	*made = *level;
	return 0;
}

/*
 * A text whose head names no coding may be coded all the same: servers send files as they are stored, and writers of
 * archives leave labels out. If it is, what comes out may be coded once more, so each such level puts one after itself.
 */
static int put_look(void *arg)
{
	struct http_response *r = arg;
	struct coding *before = r->look;
	if (before) { /* what goes into it is coded, and may be as large as a block */
		for (size_t i = 0; i < r->n_levels; i++) {
			if (r->levels[i] != before)
				coding_limit(r->levels[i], r->limits.block);
		}
	}
	if (r->n_levels > r->limits.codings)
		return 0;
	int status = put_level(r, NULL, &r->deliver, UINT64_MAX, &r->look);
	if (status == 0 && before)
		coding_redirect(before, coding_sink(r->look));
	return status;
}

struct http_response *http_response_new(const struct limits *limits, struct byte_sink *body)
{
	struct http_response *r = malloc(sizeof(*r));
	if (!r)
		return NULL;
	*r = (struct http_response){ .deliver = { &deliver_ops },
				     .unchunked = { &unchunked_ops },
				     .body = body,
				     .limits = *limits };
	r->levels = calloc(limits->codings + 1U, sizeof(struct coding *));
	if (!r->levels) {
		free(r);
		return NULL;
	}
	r->head = (struct head_reader){ .max_bytes = limits->http_head, .max_lines = limits->http_lines };
	http_response_reset(r, BLOCK_MESSAGE, slice_of(NULL, 0));
	return r;
}

void http_response_free(struct http_response *r)
{
	if (!r)
		return;
	for (unsigned i = 0; i <= r->limits.codings; i++)
		coding_free(r->levels[i]);
	free(r->levels);
	buf_free(&r->head.text);
	buf_free(&r->head.content_type);
	buf_free(&r->head.content_encoding);
	buf_free(&r->head.transfer_encoding);
	free(r);
}

static bool is_quote(uint8_t c)
{
	return c == '"' || c == '\'';
}

/* Takes the last name off a list such as "gzip, br;q=1", in quotes or not. Returns an empty slice if it is empty. */
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
	name = slice_trim(name);
	while (name.len && is_quote(name.data[0]))
		name = slice_skip(name, 1);
	while (name.len && is_quote(name.data[name.len - 1]))
		name.len--;
	return name;
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
		const bool quoted = memchr(list.data, '"', n) || memchr(list.data, '\'', n);
		struct slice name = last_name(&head);
		list = slice_skip(list, n + 1);
		if (is_nothing(name))
			continue;
		const struct codec_ops *ops = codec_for_coding(name);
		if (!ops || quoted)
			r->problems |= PROBLEM_BAD_CODING;
		if (!ops)
			continue;
		/* The output of an inner coding is coded itself: it may be as large as a block. */
		const bool inner = r->n_levels > (r->look != NULL);
		struct coding *level;
		int status = put_level(r, ops, r->first, inner ? r->limits.block : UINT64_MAX, &level);
		if (status)
			return status;
		r->first = coding_sink(level);
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
	return r->is_chunked ? chunked_write(&r->chunked, bytes, &r->unchunked) : byte_sink_write(r->first, bytes);
}

static int begin_body(struct http_response *r)
{
	r->state = RESPONSE_BODY;
	struct http_head *head = &r->head.head;
	if (r->head.bare)
		head->content_type = r->bare_type;
	int status = media_type_may_be_text(head->content_type) ? put_look(r) : 0;
	r->first = r->look ? coding_sink(r->look) : &r->deliver;
	r->is_chunked = false;
	for (struct slice list = head->transfer_encoding; list.len && !r->is_chunked;)
		r->is_chunked = slice_is(last_name(&list), "chunked");
	if (count_names(head->content_encoding) + count_names(head->transfer_encoding) > r->limits.codings) {
		r->problems |= PROBLEM_BAD_CODING;
	} else {
		if (status == 0)
			status = stack_codings(r, head->content_encoding);
		if (status == 0)
			status = stack_codings(r, head->transfer_encoding);
	}
	r->again.coded = r->n_levels > (r->look != NULL);

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
		coding_release(r->levels[i]);
	}
}

void http_response_reset(struct http_response *r, enum http_block block, struct slice bare_type)
{
	release_codings(r);
	struct head_reader *h = &r->head;
	begin_lines(h);
	buf_shrink(&h->text, 16384);
	clear_lists(h);
	h->head = (struct http_head){ 0 };
	h->problems = 0;
	h->state = block == BLOCK_BODY ? HEAD_OVER : HEAD_FIRST;
	h->bare = block != BLOCK_MESSAGE;
	h->blank = h->interim = h->tunnel = h->has_status = false;
	h->lead = h->n_held = 0;
	chunked_reset(&r->chunked);
	chunked_reset(&r->again);
	r->again.unnamed = true;
	r->state = RESPONSE_HEAD;
	r->first = &r->deliver;
	r->problems = 0;
	r->is_chunked = false;
	r->look = NULL;
	r->bare_type = bare_type;
	r->n_levels = 0;
	r->raw_bytes = r->body_bytes = 0;
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
		if (state == HEAD_LINES ||
		    (state == HEAD_FIRST && !h->tunnel && !h->bare && (!h->interim || h->n_held)))
			h->problems |= PROBLEM_BAD_HTTP;
		if (state == HEAD_LINES)
			status = parse_head(h);
		if (status == 0)
			status = begin_body(r);
	}
	if (r->state != RESPONSE_OVER && status == 0) {
		if (r->is_chunked)
			status = chunked_finish(&r->chunked, &r->unchunked);
		if (status == 0 && r->is_chunked)
			status = chunked_finish(&r->again, r->first);
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
	if (r->again.bad)
		problems |= PROBLEM_BAD_CHUNKED | PROBLEM_BAD_CODING;
	for (size_t i = 0; i < r->n_levels; i++)
		problems |= coding_problems(r->levels[i]);
	return problems;
}

uint64_t http_response_body_bytes(const struct http_response *r)
{
	return r->body_bytes;
}
