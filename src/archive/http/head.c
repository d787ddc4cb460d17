/* SPDX-License-Identifier: MIT */
#include "archive/http/head.h"

#include "archive/stream/document.h"
#include "base/ascii.h"
#include "base/decimal.h"
#include "base/status.h"

void head_reader_init(struct head_reader *h, size_t max_bytes, unsigned max_lines)
{
	*h = (struct head_reader){ .max_bytes = max_bytes, .max_lines = max_lines };
}

/* Prepares for a head; keeps the results of an interim head. */
static void begin_lines(struct head_reader *h)
{
	buf_clear(&h->text);
	h->cr_ends = h->cr = h->full = h->colon = false;
	h->line_len = 0;
	h->lines = 0;
}

void head_reader_reset(struct head_reader *h)
{
	begin_lines(h);
	buf_shrink(&h->text, 16384);
	buf_clear(&h->content_encoding);
	buf_clear(&h->transfer_encoding);
	h->head = (struct http_head){ 0 };
	h->problems = 0;
	h->state = HEAD_FIRST;
	h->interim = h->has_status = false;
	h->lead = h->n_held = 0;
}

void head_reader_free(struct head_reader *h)
{
	buf_free(&h->text);
	buf_free(&h->content_encoding);
	buf_free(&h->transfer_encoding);
}

struct slice head_reader_rest(const struct head_reader *h)
{
	return slice_of(h->held, h->state == HEAD_OVER ? h->n_held : 0);
}

/* RFC 9110, section 5.6.2. */
static bool is_token(uint8_t c)
{
	return ascii_is_alpha(c) || ascii_is_digit(c) || (c != 0 && strchr("!#$%&'*+-.^_`|~", c));
}

static bool begins_nocase(struct slice s, const char *word)
{
	size_t n = strlen(word);
	return slice_equal_nocase(slice_of(s.data, s.len < n ? s.len : n), slice_of(word, s.len < n ? s.len : n));
}

enum verdict { VERDICT_MORE, VERDICT_STATUS, VERDICT_FIELD, VERDICT_BODY };

/* Judges what the held bytes, the last of which is new, begin. */
static enum verdict first_verdict(struct head_reader *h)
{
	struct slice s = slice_skip(slice_of(h->held, h->n_held), h->lead);
	uint8_t c = s.data[s.len - 1];
	if (s.len <= 4 && (begins_nocase(s, "HTTP") || begins_nocase(s, "ICY ")))
		return s.len == 4 && c == ' ' ? VERDICT_STATUS : VERDICT_MORE;
	if (s.len == 5 && begins_nocase(s, "HTTP") && (c == '/' || c == ' ' || ascii_is_digit(c)))
		return VERDICT_STATUS;
	if (h->interim)
		return VERDICT_BODY;
	if (h->colon) /* "http://" at the start of a text is not a field */
		return c == '/' ? VERDICT_BODY : VERDICT_FIELD;
	h->colon = c == ':' && s.len > 1;
	return h->colon || (is_token(c) && s.len < HEAD_NAME_MAX) ? VERDICT_MORE : VERDICT_BODY;
}

/* "HTTP/1.1 200 OK", "HTTP/2 200", "ICY 200 OK", "HTTP/1.0 200OK": three digits after the first word. */
static int parse_status(struct slice line)
{
	while (line.len && !ascii_is_space(line.data[0]))
		line = slice_skip(line, 1);
	uint64_t status;
	return decimal_prefix(slice_trim(line), &status) == 3 && status >= 100 ? (int)status : 0;
}

static void take_length(struct head_reader *h, struct slice value)
{
	if (h->head.has_length)
		return;
	h->head.has_length = decimal_number(value, UINT64_MAX, &h->head.length);
	if (!h->head.has_length)
		h->problems |= PROBLEM_BAD_HTTP;
}

static int join(struct buf *list, struct slice value)
{
	int status = list->len ? buf_append_text(list, ", ") : 0;
	return status ? status : buf_append(list, value.data, value.len);
}

static int parse_field(struct head_reader *h, struct slice line)
{
	const uint8_t *colon = line.len ? memchr(line.data, ':', line.len) : NULL;
	if (!colon) {
		h->problems |= PROBLEM_BAD_HTTP;
		return 0;
	}
	size_t n = (size_t)(colon - line.data);
	struct slice name = slice_trim(slice_of(line.data, n));
	struct slice value = slice_trim(slice_skip(line, n + 1));
	if (name.len != n || name.len == 0 || memchr(line.data, 0, line.len))
		h->problems |= PROBLEM_BAD_HTTP;
	if (value.len == 0)
		return 0;
	if (slice_is(name, "Content-Type") && h->head.content_type.len == 0)
		h->head.content_type = value;
	else if (slice_is(name, "Content-Length"))
		take_length(h, value);
	else if (slice_is(name, "Content-Encoding"))
		return join(&h->content_encoding, value);
	else if (slice_is(name, "Transfer-Encoding"))
		return join(&h->transfer_encoding, value);
	return 0;
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

static int parse_head(struct head_reader *h)
{
	size_t at = 0;
	h->head = (struct http_head){ 0 };
	buf_clear(&h->content_encoding);
	buf_clear(&h->transfer_encoding);
	if (h->has_status && h->text.len)
		h->head.status = parse_status(next_line(&h->text, &at, false));
	if (h->head.status == 0)
		h->problems |= PROBLEM_BAD_HTTP;
	h->head.lines = slice_skip(buf_slice(&h->text), at);
	while (at < h->text.len) {
		int status = parse_field(h, next_line(&h->text, &at, true));
		if (status)
			return status;
	}
	h->head.content_encoding = buf_slice(&h->content_encoding);
	h->head.transfer_encoding = buf_slice(&h->transfer_encoding);
	return 0;
}

/* The empty line was read. An interim head (RFC 9110, section 15.2) is followed by another; 101 is final. */
static int end_head(struct head_reader *h)
{
	int status = parse_head(h);
	if (status)
		return status;
	h->interim = h->head.status >= 100 && h->head.status < 200 && h->head.status != 101;
	h->state = h->interim ? HEAD_FIRST : HEAD_OVER;
	h->lead = h->n_held = 0;
	h->colon = false;
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

static int end_line(struct head_reader *h)
{
	if (h->line_len == 0 && h->lines > 0)
		return end_head(h);
	h->line_len = 0;
	h->lines += h->lines < h->max_lines;
	return h->full ? 0 : buf_append_byte(&h->text, '\n');
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
			h->problems |= PROBLEM_BAD_HTTP;
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

int head_reader_feed(struct head_reader *h, struct slice *bytes)
{
	while (bytes->len && h->state != HEAD_OVER) {
		int status = h->state == HEAD_FIRST ? feed_first(h, bytes) : feed_lines(h, bytes);
		if (status)
			return status;
	}
	return h->state == HEAD_OVER ? HEAD_DONE : HEAD_MORE;
}

int head_reader_finish(struct head_reader *h)
{
	enum head_state state = h->state;
	h->state = HEAD_OVER;
	if (state == HEAD_LINES) {
		h->problems |= PROBLEM_BAD_HTTP;
		return parse_head(h);
	}
	if (state == HEAD_FIRST && (!h->interim || h->n_held))
		h->problems |= PROBLEM_BAD_HTTP;
	return 0;
}
