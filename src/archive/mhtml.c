/* SPDX-License-Identifier: MIT */
/*
 * Reads a message line by line. A line that begins with "--" is kept until its end shows whether it is a delimiter;
 * other lines of a body pass as they come. The line end before a delimiter belongs to it, so each line end waits for
 * the next line.
 *
 *     MIME-Version: 1.0
 *     Content-Type: multipart/related; type="text/html"; boundary="x"
 *     <empty line>
 *     --x
 *     Content-Type: text/html; charset=utf-8
 *     Content-Transfer-Encoding: quoted-printable
 *     Content-Location: https://example.org/
 *     <empty line>
 *     <p>caf=C3=A9</p>
 *     --x--
 *
 * The page is the part that the parameter `start` names, else the first part of HTML, at any depth. Where a part of
 * HTML comes before the one that `start` names, it is kept, decoded, and is the page if no such part comes; and so is a
 * part that does not say what it is. What programs leave out does not matter: the boundary, the empty line after a
 * head, the last delimiter.
 */
#include "config.h"

#include "archive/mhtml.h"

#include <stdlib.h>

#include "archive/http/media_type.h"
#include "archive/limits.h"
#include "base/ascii.h"
#include "base/buf.h"
#include "base/url_parts.h"

enum {
	LEVELS = 8,              /* of messages in messages; what is deeper is not read */
	HEAD_BYTES = 256 << 10,  /* of a head, and so of a boundary; what is longer is cut off */
	NAME_BYTES = 128,        /* of a field; a line with a longer first word is no field */
	DELIMITER_ROOM = 256,    /* for "--" and white space around a boundary */
	KEPT_BYTES = 16 << 20,   /* of a part that may be the page */
	KEPT_CAPACITY = 1 << 20, /* of memory, from message to message */
	OUT_BYTES = 4096,
	BEGIN_BYTES = 512,
};

/* What becomes of the body of the part under way. */
enum role {
	ROLE_NONE,
	ROLE_PAGE,
	ROLE_KEPT, /* it may be the page */
};

enum state {
	STATE_HEAD,
	STATE_BODY,
	STATE_OVER, /* the page has ended */
};

enum encoding { ENCODING_NONE, ENCODING_QUOTED, ENCODING_BASE64 };

struct open_message {
	struct buf boundary; /* empty: it is not known yet */
	struct buf start;    /* the Content-ID of the page; empty: none is named, or its part was found */
};

struct mhtml {
	struct mhtml_target target;
	enum state state;
	enum role role;
	enum encoding encoding;
	bool found;      /* the page */
	bool first_line; /* of the message */
	bool in_line;    /* of a body: it cannot be a delimiter */
	bool after_line; /* a head or a line has come before in this part */
	bool cr;         /* a CR waits for what follows it */
	uint8_t ends[2]; /* the line end that waits */
	size_t n_ends;   /* its bytes */
	size_t levels;   /* of messages that are open */
	struct open_message level[LEVELS];
	struct buf line;  /* what is kept of a line */
	struct buf spare; /* a line that is looked at again */
	struct buf head;  /* unfolded fields, each ended by LF */
	struct buf place; /* the address of the message, then of the part */
	size_t n_place;   /* bytes of the former */
	/* A part that may be the page. */
	bool kept, kept_named; /* there is one; it says that it is HTML */
	bool kept_encoded;
	struct buf kept_type, kept_place, kept_body;
	/* Decoders. */
	unsigned quoted;   /* QUOTED_... */
	uint8_t digit;     /* the first one */
	size_t blanks;     /* after "=" */
	uint32_t bits;     /* of base64 ... */
	unsigned n_digits; /* ... of so many digits */
	size_t n_out;
	uint8_t out[OUT_BYTES];
};

enum { QUOTED_TEXT, QUOTED_EQUALS, QUOTED_DIGIT, QUOTED_BLANKS, QUOTED_CR };

/* ---- fields ---- */

static struct slice until_line_end(struct slice s)
{
	const uint8_t *lf = s.len ? memchr(s.data, '\n', s.len) : NULL;
	return slice_first(s, lf ? (size_t)(lf - s.data) : s.len);
}

static struct slice without_cr(struct slice s)
{
	return slice_first(s, s.len - (s.len && s.data[s.len - 1] == '\r'));
}

static bool begins(struct slice s, const char *word)
{
	const size_t n = strlen(word);
	return s.len >= n && slice_equal_nocase(slice_first(s, n), slice_of(word, n));
}

/* Returns the length of the name of a field, up to its colon; 0 if the line is no field. */
static size_t field_name(struct slice line)
{
	size_t n = 0;
	while (n < line.len && n < NAME_BYTES && line.data[n] > ' ' && line.data[n] < 0x7f && line.data[n] != ':')
		n++;
	size_t colon = n;
	while (colon < line.len && (line.data[colon] == ' ' || line.data[colon] == '\t'))
		colon++;
	/* "https://" is no field */
	const bool is_name = n && ascii_is_alpha(line.data[0]) && colon < line.len && line.data[colon] == ':' &&
			     !begins(slice_skip(line, colon), "://");
	return is_name ? n : 0;
}

static bool is_fold(struct slice line)
{
	return line.len && (line.data[0] == ' ' || line.data[0] == '\t');
}

/* Returns the value of the first field of that name in unfolded lines. */
static struct slice find_field(struct slice head, const char *name)
{
	while (head.len) {
		const struct slice line = until_line_end(head);
		const size_t n = field_name(line);
		if (n && slice_is(slice_first(line, n), name)) {
			const uint8_t *colon = memchr(line.data, ':', line.len);
			return slice_trim(slice_skip(line, (size_t)(colon - line.data) + 1));
		}
		head = slice_skip(head, line.len + 1);
	}
	return slice_of(NULL, 0);
}

/* Appends the value of a parameter of Content-Type, without quotes. */
static int put_parameter(struct slice value, const char *name, struct buf *out)
{
	bool quoted = false;
	size_t i = 0;
	while (i < value.len) {
		/* to the next parameter */
		for (; i < value.len && (quoted || value.data[i] != ';'); i++) {
			quoted ^= value.data[i] == '"';
			i += quoted && value.data[i] == '\\';
		}
		const struct slice rest = slice_trim(slice_skip(value, i < value.len ? i + 1 : value.len));
		const size_t equals = slice_until(rest, "=;");
		i++;
		if (equals == rest.len || rest.data[equals] != '=' ||
		    !slice_is(slice_trim(slice_first(rest, equals)), name))
			continue;
		struct slice is = slice_trim(slice_skip(rest, equals + 1));
		if (is.len == 0 || is.data[0] != '"') {
			is = slice_trim(slice_first(is, slice_until(is, ";")));
			return buf_append(out, is.data, is.len);
		}
		for (size_t k = 1; k < is.len && is.data[k] != '"'; k++) {
			k += is.data[k] == '\\' && k + 1 < is.len;
			buf_append_byte(out, is.data[k]);
		}
		return buf_status(out);
	}
	return DANA_OK;
}

static bool is_multipart(struct slice content_type)
{
	return begins(media_type_of_header(content_type), "multipart/");
}

bool mhtml_is_type(struct slice content_type)
{
	static const char *const types[] = { "multipart/related", "application/x-mimearchive", "message/rfc822",
					     "multipart/mixed", "multipart/alternative" };
	const struct slice type = media_type_of_header(content_type);
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
		if (slice_is(type, types[i]))
			return true;
	}
	return false;
}

static struct slice without_mark(struct slice s)
{
	return s.len >= 3 && memcmp(s.data, "\xef\xbb\xbf", 3) == 0 ? slice_skip(s, 3) : s;
}

/* Every line is a field, and one of them is of MIME or of a program that saves pages. */
bool mhtml_begins(struct slice first)
{
	bool is = false;
	size_t fields = 0;
	struct slice s = without_mark(slice_first(first, BEGIN_BYTES));
	while (s.len && (s.data[0] == '\r' || s.data[0] == '\n'))
		s = slice_skip(s, 1);
	while (s.len) {
		const struct slice line = until_line_end(s), bare = without_cr(line);
		const bool whole = line.len < s.len;
		s = slice_skip(s, line.len + 1);
		if (bare.len == 0 && whole)
			break; /* the head ends */
		if (fields == 0 && begins(bare, "From ") && whole)
			continue; /* of a mailbox */
		const size_t n = field_name(bare);
		if (!n && !(is_fold(bare) && fields)) {
			if (!whole || begins(bare, "--"))
				break;
			return is && fields > 1;
		}
		fields += n > 0;
		const struct slice value = n ? slice_trim(slice_skip(bare, slice_until(bare, ":") + 1)) : bare;
		const struct slice name = slice_first(bare, n);
		is |= (slice_is(name, "MIME-Version") && value.len && ascii_is_digit(value.data[0])) ||
		      (slice_is(name, "Content-Type") && begins(value, "multipart/")) ||
		      slice_is(name, "Snapshot-Content-Location") ||
		      (slice_is(name, "From") && begins(value, "<Saved by "));
	}
	return is;
}

/* ---- the page ---- */

static int pass(struct mhtml *m, struct slice bytes)
{
	if (m->role == ROLE_PAGE)
		return bytes.len ? byte_sink_write(m->target.next, bytes) : DANA_OK;
	if (m->role != ROLE_KEPT || m->kept_body.len >= KEPT_BYTES)
		return DANA_OK;
	bytes = slice_first(bytes, KEPT_BYTES - m->kept_body.len);
	return buf_append(&m->kept_body, bytes.data, bytes.len);
}

static int flush(struct mhtml *m)
{
	const size_t n = m->n_out;
	m->n_out = 0;
	return n ? pass(m, slice_of(m->out, n)) : DANA_OK;
}

static int put(struct mhtml *m, uint8_t c)
{
	m->out[m->n_out++] = c;
	return m->n_out == OUT_BYTES ? flush(m) : DANA_OK;
}

/* RFC 2045, section 6.7. What is no such code stays as it is. */
static int quoted_byte(struct mhtml *m, uint8_t c)
{
	const int value = ascii_hex(c);
	int status = DANA_OK;
	switch (m->quoted) {
	case QUOTED_EQUALS:
		if (value >= 0) {
			m->digit = c;
			m->quoted = QUOTED_DIGIT;
			return DANA_OK;
		}
		m->blanks = 0;
		m->quoted = QUOTED_BLANKS;
		__attribute__((fallthrough));
	case QUOTED_BLANKS:
		if (c == ' ' || c == '\t')
			return m->blanks++, DANA_OK;
		m->quoted = c == '\r' ? QUOTED_CR : QUOTED_TEXT;
		if (c == '\r' || c == '\n')
			return DANA_OK; /* the line continues */
		status = put(m, '=');
		for (; m->blanks && status == DANA_OK; m->blanks--)
			status = put(m, ' ');
		break;
	case QUOTED_DIGIT:
		m->quoted = QUOTED_TEXT;
		if (value >= 0)
			return put(m, (uint8_t)(ascii_hex(m->digit) << 4 | value));
		status = put(m, '=');
		if (status == DANA_OK)
			status = put(m, m->digit);
		break;
	case QUOTED_CR:
		m->quoted = QUOTED_TEXT;
		if (c == '\n')
			return DANA_OK;
		break;
	default:
		break;
	}
	if (status == DANA_OK && c == '=')
		m->quoted = QUOTED_EQUALS;
	else if (status == DANA_OK)
		status = put(m, c);
	return status;
}

/* Passes the whole bytes of up to four digits. */
static int end_digits(struct mhtml *m)
{
	const unsigned n = m->n_digits;
	const uint32_t bits = m->bits << 6 * (4 - n);
	int status = DANA_OK;
	m->bits = m->n_digits = 0;
	for (unsigned i = 1; i < n && status == DANA_OK; i++)
		status = put(m, (uint8_t)(bits >> (24 - 8 * i)));
	return status;
}

static int base64_byte(struct mhtml *m, uint8_t c)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *digit = c ? strchr(digits, c) : NULL;
	if (c == '=')
		return end_digits(m);
	if (!digit)
		return DANA_OK;
	m->bits = m->bits << 6 | (uint32_t)(digit - digits);
	return ++m->n_digits == 4 ? end_digits(m) : DANA_OK;
}

static int decode(struct mhtml *m, struct slice bytes)
{
	int status = DANA_OK;
	if (m->role == ROLE_NONE || bytes.len == 0)
		return DANA_OK;
	if (m->encoding == ENCODING_NONE)
		return pass(m, bytes);
	for (size_t i = 0; i < bytes.len && status == DANA_OK; i++)
		status = m->encoding == ENCODING_QUOTED ? quoted_byte(m, bytes.data[i]) : base64_byte(m, bytes.data[i]);
	return status == DANA_OK ? flush(m) : status;
}

/* The body of a part ends. */
static int end_part(struct mhtml *m)
{
	int status = DANA_OK;
	if (m->role != ROLE_NONE && m->encoding == ENCODING_BASE64)
		status = end_digits(m);
	if (status == DANA_OK)
		status = flush(m);
	if (m->role == ROLE_PAGE)
		m->state = STATE_OVER;
	m->role = ROLE_NONE;
	return status;
}

static int found(struct mhtml *m, const struct mhtml_page *page)
{
	m->found = true;
	return m->target.page(m->target.arg, page);
}

/* ---- heads ---- */

static void begin_head(struct mhtml *m)
{
	m->state = STATE_HEAD;
	buf_clear(&m->head);
	buf_clear(&m->line);
	m->after_line = m->in_line = m->cr = false;
	m->n_ends = 0;
}

static void begin_body(struct mhtml *m)
{
	m->state = STATE_BODY;
	m->in_line = m->after_line = m->cr = false;
	m->n_ends = 0;
	m->quoted = QUOTED_TEXT;
	m->bits = m->n_digits = 0;
	buf_clear(&m->line);
}

static int open_level(struct mhtml *m, struct slice content_type)
{
	struct open_message *level = &m->level[m->levels];
	if (m->levels == LEVELS)
		return DANA_OK;
	m->levels++;
	buf_clear(&level->boundary);
	buf_clear(&level->start);
	int status = put_parameter(content_type, "boundary", &level->boundary);
	return status == DANA_OK ? put_parameter(content_type, "start", &level->start) : status;
}

static struct slice without_brackets(struct slice id)
{
	id = slice_trim(id);
	return id.len > 1 && id.data[0] == '<' && id.data[id.len - 1] == '>' ? slice_of(id.data + 1, id.len - 2) : id;
}

/* Does an open message wait for a part of another Content-ID than this? If it is the one, it waits no more. */
static bool waits_for_other(struct mhtml *m, struct slice id)
{
	bool waits = false;
	id = without_brackets(id);
	for (size_t i = 0; i < m->levels; i++) {
		const struct slice start = without_brackets(buf_slice(&m->level[i].start));
		if (start.len && slice_equal(start, id))
			buf_clear(&m->level[i].start);
		else
			waits |= start.len > 0;
	}
	return waits;
}

/* Appends the address that a head names, if it is absolute; a long one may be folded. */
static int put_location(struct slice head, struct buf *out)
{
	static const char *const names[] = { "Content-Location", "Snapshot-Content-Location" };
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const struct slice value = find_field(head, names[i]);
		const size_t before = out->len;
		for (size_t k = 0; k < value.len; k++) {
			if (!ascii_is_space(value.data[k]))
				buf_append_byte(out, value.data[k]);
		}
		if (buf_status(out) < 0)
			return DANA_ENOMEM;
		const struct slice address = slice_skip(buf_slice(out), before);
		if ((begins(address, "http://") || begins(address, "https://")) && url_is_whole(address))
			return DANA_OK;
		out->len = before;
	}
	return DANA_OK;
}

static enum encoding encoding_of(struct slice head)
{
	const struct slice value = find_field(head, "Content-Transfer-Encoding");
	const struct slice word = slice_first(value, slice_until(value, " ;\t("));
	return slice_is(word, "quoted-printable") ? ENCODING_QUOTED
	       : slice_is(word, "base64")         ? ENCODING_BASE64
						  : ENCODING_NONE;
}

/* Keeps what is known of a part that may be the page. */
static int keep_part(struct mhtml *m, const struct mhtml_page *page, bool named)
{
	m->kept = true;
	m->kept_named = named;
	m->kept_encoded = page->encoded;
	m->role = ROLE_KEPT;
	buf_clear(&m->kept_type);
	buf_clear(&m->kept_place);
	buf_clear(&m->kept_body);
	buf_append(&m->kept_type, page->content_type.data, page->content_type.len);
	buf_append(&m->kept_place, page->location.data, page->location.len);
	return buf_status(&m->kept_type) < 0 || buf_status(&m->kept_place) < 0 ? DANA_ENOMEM : DANA_OK;
}

/* The head of the message or of a part is complete: `type` is its Content-Type. */
static int end_head(struct mhtml *m, struct slice type)
{
	const struct slice head = buf_slice(&m->head), essence = media_type_of_header(type);
	const bool other = waits_for_other(m, find_field(head, "Content-ID"));
	int status = DANA_OK;
	m->role = ROLE_NONE;
	m->encoding = encoding_of(head);
	begin_body(m);
	if (m->levels == 0) {
		status = put_location(head, &m->place);
		m->n_place = m->place.len;
	}
	if (status == DANA_OK && is_multipart(type))
		return open_level(m, type);
	if (status == DANA_OK && slice_is(essence, "message/rfc822")) {
		begin_head(m);
		return DANA_OK;
	}
	const bool named = media_type_is_html(essence);
	if (status < 0 || (!named && type.len))
		return status;
	m->place.len = m->n_place;
	status = put_location(head, &m->place);
	const struct slice place = buf_slice(&m->place);
	const struct mhtml_page page = { .content_type = type,
					 .location = place.len > m->n_place ? slice_skip(place, m->n_place) : place,
					 .encoded = m->encoding != ENCODING_NONE };
	if (status < 0)
		return status;
	if (named && !other) {
		m->role = ROLE_PAGE;
		return found(m, &page);
	}
	return m->kept && (m->kept_named || !named) ? DANA_OK : keep_part(m, &page, named);
}

/* ---- lines ---- */

static size_t longest_delimiter(const struct mhtml *m)
{
	size_t most = 0;
	for (size_t i = 0; i < m->levels; i++) {
		const size_t len = m->level[i].boundary.len ? m->level[i].boundary.len : DELIMITER_ROOM;
		most = len > most ? len : most;
	}
	return most + DELIMITER_ROOM;
}

/* Is the line a delimiter of a message that is open? Then those in it have ended. *last: it has, too. */
static bool is_delimiter(struct mhtml *m, struct slice line, bool *last)
{
	if (line.len < 3 || line.data[0] != '-' || line.data[1] != '-' || line.len > longest_delimiter(m))
		return false;
	while (line.len && ascii_is_space(line.data[line.len - 1]))
		line.len--;
	line = slice_skip(line, 2);
	for (size_t i = m->levels; i-- > 0;) {
		struct buf *boundary = &m->level[i].boundary;
		if (boundary->len == 0 && line.len && i + 1 == m->levels)
			buf_append(boundary, line.data, line.len);
		const struct slice b = slice_trim(buf_slice(boundary));
		if (b.len == 0 || line.len < b.len || memcmp(line.data, b.data, b.len) != 0)
			continue;
		const struct slice rest = slice_skip(line, b.len);
		*last = slice_is(rest, "--");
		if (rest.len && !*last)
			continue;
		m->levels = i + !*last;
		return true;
	}
	return false;
}

/* A part has ended, and another begins, or the message has ended. */
static int at_delimiter(struct mhtml *m, bool last)
{
	int status = end_part(m);
	if (m->state == STATE_OVER || status < 0)
		return status;
	if (last) {
		begin_body(m); /* what follows it belongs to no part */
		return DANA_OK;
	}
	begin_head(m);
	return DANA_OK;
}

/* The line end that waits belongs to the body. */
static int pass_line_end(struct mhtml *m)
{
	const size_t n = m->n_ends;
	m->n_ends = 0;
	return n ? decode(m, slice_of(m->ends, n)) : DANA_OK;
}

/* Bytes in a line of a body, without its LF. */
static int line_bytes(struct mhtml *m, struct slice bytes)
{
	int status = DANA_OK;
	if (bytes.len == 0)
		return DANA_OK;
	if (m->cr)
		status = decode(m, slice_of("\r", 1));
	m->cr = bytes.data[bytes.len - 1] == '\r';
	return status == DANA_OK ? decode(m, slice_first(bytes, bytes.len - m->cr)) : status;
}

static void line_over(struct mhtml *m)
{
	m->n_ends = 0;
	if (m->cr)
		m->ends[m->n_ends++] = '\r';
	m->ends[m->n_ends++] = '\n';
	m->cr = m->in_line = false;
}

/* The line that was kept is not a delimiter. */
static int release_line(struct mhtml *m)
{
	int status = pass_line_end(m);
	m->in_line = true;
	if (status == DANA_OK)
		status = line_bytes(m, buf_slice(&m->line));
	buf_clear(&m->line);
	return status;
}

/* Takes bytes of a body, up to the end of the body or of the line. */
static int take_body(struct mhtml *m, struct slice *bytes)
{
	const struct slice part = until_line_end(*bytes);
	const bool ends = part.len < bytes->len;
	int status = DANA_OK;
	if (!m->in_line && m->line.len == 0 && part.len && part.data[0] != '-') {
		status = pass_line_end(m);
		m->in_line = true;
	}
	if (m->in_line) {
		status = status == DANA_OK ? line_bytes(m, part) : status;
	} else {
		status = buf_append(&m->line, part.data, part.len);
		const struct slice line = buf_slice(&m->line);
		bool last;
		if (status == DANA_OK && ends && is_delimiter(m, without_cr(line), &last)) {
			*bytes = slice_skip(*bytes, part.len + 1);
			return at_delimiter(m, last);
		}
		if (status == DANA_OK &&
		    (ends || (line.len > 1 && line.data[1] != '-') || line.len > longest_delimiter(m) + 1))
			status = release_line(m);
	}
	*bytes = slice_skip(*bytes, part.len + ends);
	if (ends && status == DANA_OK)
		line_over(m);
	return status;
}

/* A line of a head: a field, more of one, or what ends it. */
static int head_line(struct mhtml *m, bool ended)
{
	struct slice line = without_cr(buf_slice(&m->line));
	bool last;
	if (m->first_line)
		line = without_mark(line);
	const bool first = m->first_line;
	m->first_line = m->first_line && line.len == 0;
	if (first && (line.len == 0 || begins(line, "From "))) { /* before the head, in a mailbox */
		buf_clear(&m->line);
		return DANA_OK;
	}
	const bool folds = is_fold(line) && m->head.len;
	if (line.len && (folds || field_name(line))) {
		if (m->head.len < HEAD_BYTES) {
			if (folds)
				m->head.data[m->head.len - 1] = ' ';
			line = folds ? slice_trim(line) : line;
			buf_append(&m->head, line.data, line.len);
			buf_append_byte(&m->head, '\n');
		}
		buf_clear(&m->line);
		return buf_status(&m->head);
	}
	if (line.len && is_delimiter(m, line, &last)) /* a part without a body */
		return at_delimiter(m, last);
	/* the empty line, or the first one of a body that lacks it */
	struct buf kept = m->line;
	const bool empty = line.len == 0;
	m->line = m->spare;
	m->spare = kept;
	int status = end_head(m, find_field(buf_slice(&m->head), "Content-Type"));
	if (empty || status < 0)
		return status;
	if (ended)
		buf_append_byte(&m->spare, '\n');
	status = buf_status(&m->spare);
	for (struct slice rest = buf_slice(&m->spare); rest.len && status == DANA_OK && m->state == STATE_BODY;)
		status = take_body(m, &rest);
	return status;
}

static int take_head(struct mhtml *m, struct slice *bytes)
{
	const struct slice part = until_line_end(*bytes);
	const bool ends = part.len < bytes->len;
	/* of a longer line the rest is dropped; its end stays what it is */
	const size_t room = m->line.len < HEAD_BYTES ? HEAD_BYTES - m->line.len : 0;
	const struct slice kept = slice_first(part, room);
	*bytes = slice_skip(*bytes, part.len + ends);
	if (buf_append(&m->line, kept.data, kept.len) < 0)
		return DANA_ENOMEM;
	return ends ? head_line(m, true) : DANA_OK;
}

/* ---- the message ---- */

struct mhtml *mhtml_new(const struct mhtml_target *target)
{
	struct mhtml *m = calloc(1, sizeof(*m));
	if (m)
		m->target = *target;
	return m;
}

int mhtml_begin(struct mhtml *m, struct slice content_type, struct slice first)
{
	m->levels = 0;
	m->found = m->kept = m->kept_named = false;
	m->role = ROLE_NONE;
	m->n_out = m->n_place = 0;
	m->first_line = true;
	buf_clear(&m->place);
	buf_shrink(&m->kept_body, KEPT_CAPACITY);
	begin_head(m);
	if (!is_multipart(content_type) || mhtml_begins(first))
		return DANA_OK;
	return end_head(m, content_type); /* the HTTP head has it */
}

int mhtml_write(struct mhtml *m, struct slice bytes)
{
	int status = DANA_OK;
	while (bytes.len && status == DANA_OK && m->state != STATE_OVER)
		status = m->state == STATE_HEAD ? take_head(m, &bytes) : take_body(m, &bytes);
	return status;
}

int mhtml_finish(struct mhtml *m)
{
	int status = DANA_OK;
	bool last;
	if (m->state == STATE_HEAD) {
		status = m->line.len ? head_line(m, false) : DANA_OK;
		if (status == DANA_OK && m->state == STATE_HEAD)
			status = end_head(m, find_field(buf_slice(&m->head), "Content-Type"));
	}
	if (status == DANA_OK && m->state == STATE_BODY) {
		const bool delimiter = m->line.len && is_delimiter(m, without_cr(buf_slice(&m->line)), &last);
		if (!delimiter && m->line.len)
			status = release_line(m);
		else if (!delimiter)
			status = pass_line_end(m);
		if (status == DANA_OK && m->cr)
			status = decode(m, slice_of("\r", 1));
		if (status == DANA_OK)
			status = end_part(m);
	}
	if (status < 0 || m->found)
		return status;
	if (!m->kept || m->kept_body.len == 0)
		return MHTML_NO_PAGE;
	const struct mhtml_page page = { .content_type = buf_slice(&m->kept_type),
					 .location = buf_slice(&m->kept_place),
					 .encoded = m->kept_encoded };
	status = found(m, &page);
	return status == DANA_OK ? byte_sink_write(m->target.next, buf_slice(&m->kept_body)) : status;
}

void mhtml_free(struct mhtml *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < LEVELS; i++) {
		buf_free(&m->level[i].boundary);
		buf_free(&m->level[i].start);
	}
	buf_free(&m->line);
	buf_free(&m->spare);
	buf_free(&m->head);
	buf_free(&m->place);
	buf_free(&m->kept_type);
	buf_free(&m->kept_place);
	buf_free(&m->kept_body);
	free(m);
}
