/* SPDX-License-Identifier: MIT */
/*
 * Reads the text of HTTP requests: heads, chunked bodies, queries and forms.
 *
 * A line ends with CR LF and nothing else; no line begins with white space but the first could be empty. Names are
 * tokens, values visible characters, blanks and bytes above 127. What decides where the body ends (Content-Length,
 * Transfer-Encoding) or whom the request is for (Host) may be there once, in one way.
 */
#include "config.h"

#include "serve/request_text.h"

#include <arpa/inet.h>

#include "base/ascii.h"
#include "base/digest.h"
#include "base/system.h"

/* Returns what is before `mark`, or all, and drops both. */
static struct slice take(struct slice *rest, char mark)
{
	const uint8_t *end = rest->len ? memchr(rest->data, mark, rest->len) : NULL;
	size_t len = end ? (size_t)(end - rest->data) : rest->len;
	struct slice part = slice_first(*rest, len);
	*rest = slice_skip(*rest, end ? len + 1 : len);
	return part;
}

/* Returns whether all are letters, digits or one of `others`. */
static bool all_of(struct slice s, const char *others)
{
	for (size_t i = 0; i < s.len; i++) {
		uint8_t c = s.data[i];
		if (!ascii_is_alpha(c) && !ascii_is_digit(c) && !(c && strchr(others, c)))
			return false;
	}
	return true;
}

static bool is_token(struct slice s)
{
	return s.len && all_of(s, "!#$%&'*+-.^_`|~");
}

/* ---- heads, as the bytes come ---- */

int request_head_scan(struct request_scan *scan, struct slice bytes)
{
	for (; scan->seen < bytes.len; scan->seen++) {
		size_t at = scan->seen;
		uint8_t c = bytes.data[at], before = at ? bytes.data[at - 1] : 0;
		if (at == REQUEST_HEAD_MOST)
			return scan->lines == 0 ? -REQUEST_TARGET_LONG : -REQUEST_HEAD_LARGE;
		/* A line ends with both of its characters, and no other control character is in a head. */
		if (c == '\n' || before == '\r' ? c != '\n' || before != '\r'
						: c != '\r' && c != '\t' && (c < ' ' || c == 0x7f))
			return -REQUEST_BAD;
		if (c != '\n')
			continue;
		if (at >= 3 && bytes.data[at - 2] == '\n')
			return (int)++scan->seen;
		if (++scan->lines > REQUEST_LINES_MOST + 1)
			return -REQUEST_HEAD_LARGE;
	}
	return 0;
}

static struct slice take_line(struct slice *rest)
{
	struct slice line = take(rest, '\n');
	return slice_first(line, line.len ? line.len - 1 : 0);
}

/* ---- the request line ---- */

/* In brackets; without a zone, which means something on one machine only. */
static bool is_ip6(struct slice s)
{
	char text[INET6_ADDRSTRLEN] = "";
	struct in6_addr address;
	if (s.len < 2 || s.len - 2 >= sizeof(text) || s.data[0] != '[')
		return false;
	memcpy(text, s.data + 1, s.len - 2);
	return inet_pton(AF_INET6, text, &address) == 1;
}

/* A name of RFC 3986, section 3.2.2; an IPv4 address is one, too. */
static bool is_name(struct slice s)
{
	for (size_t i = 0; i < s.len; i++) {
		if (s.data[i] == '%' &&
		    (i + 2 >= s.len || !ascii_is_hex(s.data[i + 1]) || !ascii_is_hex(s.data[i + 2])))
			return false;
	}
	return s.len && all_of(s, "%-._~!$&'()*+,;=");
}

/* A host and perhaps a port. A URL of http has a host, and no user (RFC 9110, sections 4.2.1 and 4.2.4). */
static bool is_authority(struct slice s)
{
	size_t len = slice_until(s, "]");
	len = len < s.len ? len + 1 : slice_until(s, ":");
	struct slice host = slice_first(s, len), port = slice_skip(s, len);
	uint64_t number;
	bool good = port.len < 2 || decimal_prefix(slice_skip(port, 1), &number) == port.len - 1;
	return good && (port.len == 0 || port.data[0] == ':') && (is_ip6(host) || is_name(host));
}

static enum request_refusal read_target(struct request_head *head)
{
	static const char scheme[] = "http://";
	struct slice rest = head->target;
	bool connect = slice_equal(head->method, slice_from_text("CONNECT"));
	bool options = slice_equal(head->method, slice_from_text("OPTIONS"));
	if (rest.len > REQUEST_TARGET_MOST)
		return REQUEST_TARGET_LONG;
	if (slice_is(slice_first(rest, sizeof(scheme) - 1), scheme)) { /* RFC 9112, section 3.2.2 */
		rest = slice_skip(rest, sizeof(scheme) - 1);
		head->authority = slice_first(rest, slice_until(rest, "/?"));
		rest = slice_skip(rest, head->authority.len);
		if (!is_authority(head->authority))
			return REQUEST_BAD;
	}
	for (size_t i = 0; i < head->target.len; i++) {
		uint8_t c = head->target.data[i];
		if (c <= ' ' || c >= 0x7f || strchr("#\"<>\\", c))
			return REQUEST_BAD;
	}
	if (head->target.len == 0)
		return REQUEST_BAD;
	if (!connect && !(options && slice_equal(rest, slice_from_text("*"))) && rest.len && rest.data[0] != '/' &&
	    rest.data[0] != '?')
		return REQUEST_BAD;
	head->path = take(&rest, '?');
	head->query = rest;
	return REQUEST_GOOD;
}

/* ---- fields ---- */

static bool split_field(struct slice line, struct slice *name, struct slice *value)
{
	*name = take(&line, ':');
	*value = slice_trim(line);
	/* A folded line and one with a blank before the colon have no name; a line without a colon has no value. */
	return is_token(*name) && line.data > name->data + name->len;
}

static struct slice find_field(struct slice lines, const char *wanted)
{
	struct slice name, value;
	while (lines.len) {
		if (split_field(take_line(&lines), &name, &value) && slice_is(name, wanted))
			return value;
	}
	return slice_of(NULL, 0);
}

struct slice request_field(const struct request_head *head, const char *name)
{
	return find_field(head->fields, name);
}

static enum request_refusal read_fields(struct request_head *head)
{
	enum { HOST, LENGTH, CODING, EXPECTATION, SINGLE };
	static const char *const names[SINGLE] = { "Host", "Content-Length", "Transfer-Encoding", "Expect" };
	struct slice values[SINGLE], rest = head->fields, name, value;
	unsigned n[SINGLE] = { 0 };
	bool keep_alive = false;
	while (rest.len) {
		if (!split_field(take_line(&rest), &name, &value))
			return REQUEST_BAD;
		for (size_t i = 0; i < SINGLE; i++) {
			if (slice_is(name, names[i])) {
				n[i]++;
				values[i] = value;
			}
		}
		while (slice_is(name, "Connection") && value.len) {
			struct slice word = slice_trim(take(&value, ','));
			head->closes |= slice_is(word, "close");
			keep_alive |= slice_is(word, "keep-alive");
		}
	}
	if (n[HOST] > 1 || (n[HOST] == 0 && !head->old) || (n[HOST] && values[HOST].len && !is_authority(values[HOST])))
		return REQUEST_BAD;
	head->has_host = n[HOST];
	if (n[HOST])
		head->host = values[HOST];
	if (n[EXPECTATION] > 1 || (n[EXPECTATION] && !slice_is(values[EXPECTATION], "100-continue")))
		return REQUEST_EXPECTS;
	head->expects = n[EXPECTATION] && !head->old;
	head->closes |= head->old && !keep_alive;
	/* Where the body ends. */
	if (n[LENGTH] + n[CODING] > 1 || (n[CODING] && head->old))
		return REQUEST_BAD;
	head->chunked = n[CODING] && slice_is(values[CODING], "chunked");
	if (n[CODING] && !head->chunked)
		return REQUEST_NOT_IMPLEMENTED;
	head->has_length = n[LENGTH];
	return !n[LENGTH] || decimal_number(values[LENGTH], UINT64_MAX, &head->length) ? REQUEST_GOOD : REQUEST_BAD;
}

enum request_refusal request_head_read(struct slice bytes, struct request_head *head)
{
	*head = (struct request_head){ .length = 0 };
	struct slice line = take_line(&bytes);
	head->fields = slice_first(bytes, bytes.len - 2);
	/* Methods of RFC 9110 and PATCH; case counts. */
	static const char *const known[] = { "GET",     "HEAD",    "POST",  "PUT",  "DELETE",
					     "CONNECT", "OPTIONS", "TRACE", "PATCH" };
	head->method = take(&line, ' ');
	head->target = take(&line, ' ');
	if (line.len != 8 || memcmp(line.data, "HTTP/", 5) != 0 || !ascii_is_digit(line.data[5]) ||
	    line.data[6] != '.' || !ascii_is_digit(line.data[7]))
		return REQUEST_BAD;
	if (line.data[5] != '1')
		return REQUEST_VERSION;
	head->old = line.data[7] == '0';
	if (!is_token(head->method))
		return REQUEST_BAD;
	enum request_refusal refusal = read_target(head);
	if (refusal != REQUEST_GOOD)
		return refusal;
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		if (slice_equal(head->method, slice_from_text(known[i])))
			return read_fields(head);
	}
	return REQUEST_NOT_IMPLEMENTED;
}

/* clang-format off */
const struct request_status request_statuses[] = {
	{ 200, "OK", "" },
	{ 204, "No Content", "" },
	{ 400, "Bad Request",
	  "The request is malformed or ambiguous, or a parameter is wrong; the text names it, and what "
	  "would be right." },
	{ 401, "Unauthorized", "The token is missing or wrong." },
	{ 403, "Forbidden",
	  "A web page of another site sends the request (--allow-origin), or the URL to fetch has an "
	  "address that is not public." },
	{ 404, "Not Found", "Nothing is at this path." },
	{ 405, "Method Not Allowed", "The path takes other methods, which Allow lists; GET /extract needs --fetch." },
	{ 408, "Request Timeout", "The request comes too slowly (--head-time; 1 KiB a second of a body)." },
	{ 413, "Content Too Large", "The page is larger than --max-body." },
	{ 414, "URI Too Long", "The request line is longer than 8 KiB." },
	{ 415, "Unsupported Media Type", "The body is no HTML page, or has a Content-Encoding." },
	{ 417, "Expectation Failed", "Expect is not 100-continue." },
	{ 421, "Misdirected Request", "The Host is not a name of this machine (--host)." },
	{ 422, "Unprocessable Content",
	  "No text can be made of the page: it takes longer than --page-time (work_limit), or a plugin "
	  "drops it." },
	{ 429, "Too Many Requests", "The client has too many connections (--max-peer)." },
	{ 431, "Request Header Fields Too Large", "The header is longer than 16 KiB, or has more than 100 fields." },
	{ 500, "Internal Server Error", "The process that read the page has ended, or a file of a method is wrong." },
	{ 501, "Not Implemented", "The method or the Transfer-Encoding is not known." },
	{ 502, "Bad Gateway", "The page of the URL cannot be fetched; the text has the reason." },
	{ 503, "Service Unavailable",
	  "Too much at once (--max-memory, --max-requests, --max-connections, --max-children), or the "
	  "service is about to end; try again after Retry-After." },
	{ 504, "Gateway Timeout", "The page of the URL does not come within --page-time." },
	{ 505, "HTTP Version Not Supported", "The version of HTTP is not 1.0 or 1.1." },
	{ .status = 0 },
};
/* clang-format on */

const char *request_reason(int status)
{
	const struct request_status *row = request_statuses;
	while (row->status && row->status != status)
		row++;
	return row->status ? row->reason : "Error";
}

/* ---- queries ---- */

bool request_query_next(struct slice *rest, struct slice *name, struct slice *value)
{
	if (rest->len == 0)
		return false;
	struct slice pair = take(rest, '&');
	*name = take(&pair, '=');
	*value = pair.data > name->data + name->len ? pair : slice_of(NULL, 0);
	return true;
}

bool request_decode(struct slice text, bool lenient, struct buf *out)
{
	for (size_t i = 0; i < text.len; i++) {
		int byte = text.data[i] == '+' ? ' ' : text.data[i];
		if (byte == '%') {
			bool good =
				i + 2 < text.len && ascii_is_hex(text.data[i + 1]) && ascii_is_hex(text.data[i + 2]);
			int escaped = good ? ascii_hex(text.data[i + 1]) * 16 + ascii_hex(text.data[i + 2]) : 0;
			if (!lenient && escaped == 0)
				return false;
			byte = good ? escaped : byte;
			i += good ? 2 : 0;
		}
		buf_append_byte(out, (uint8_t)byte);
	}
	return true;
}

/* ---- values of fields ---- */

/* "0.5" to 500; what is not a quality counts as 1. */
static unsigned quality(struct slice text)
{
	enum { FULL = 1000 };
	unsigned value = 0, scale = FULL;
	for (size_t i = 0; i < text.len; i++) {
		uint8_t c = text.data[i];
		if (c == '.' && i == 1)
			continue;
		if (!ascii_is_digit(c))
			return FULL;
		value += (unsigned)(c - '0') * scale;
		scale /= 10;
	}
	return text.len && value <= FULL ? value : FULL;
}

#define REPLY_FORMAT(id, name, main, sub, more) { name, main, sub, main "/" sub more },
const struct reply_format_row reply_formats[FORMATS] = { REPLY_FORMATS(REPLY_FORMAT) };
#undef REPLY_FORMAT

/* The most exact range decides: the type itself (3), all subtypes (2), all types (1); 0: none. */
static unsigned wish(struct slice accept, const struct reply_format_row *format, unsigned *value)
{
	unsigned best = 0;
	*value = 0;
	while (accept.len) {
		struct slice item = take(&accept, ','), range = take(&item, ';');
		struct slice main = slice_trim(take(&range, '/'));
		range = slice_trim(range);
		unsigned exact = slice_is(main, "*")             ? 1
				 : !slice_is(main, format->main) ? 0
				 : slice_is(range, "*")          ? 2
				 : slice_is(range, format->sub)  ? 3
								 : 0;
		struct slice q = slice_of(NULL, 0);
		while (item.len) {
			struct slice parameter = slice_trim(take(&item, ';'));
			if (parameter.len > 2 && slice_is(slice_first(parameter, 2), "q="))
				q = slice_skip(parameter, 2);
		}
		if (exact > best) {
			best = exact;
			*value = quality(q);
		}
	}
	return best;
}

int request_accepts(struct slice accept)
{
	unsigned most = 0, exact_most = 0;
	int found = -1;
	for (int i = 0; i < FORMATS; i++) {
		unsigned value;
		const unsigned exact = wish(accept, &reply_formats[i], &value);
		/* quality, then exactness, then an exact name of a format that is more than text */
		const unsigned rank = value * 8 + exact * 2 + (exact == 3 && i >= FORMAT_MARKDOWN);
		if (value && rank > most) {
			most = rank;
			exact_most = exact;
			found = i;
		}
	}
	/* browsers, and clients of Java, name HTML first without being asked, and take anything else */
	if (found == FORMAT_HTML && wish(accept, &(struct reply_format_row){ .main = "", .sub = "" }, &most))
		return -1;
	return exact_most > 1 ? found : -1;
}

struct slice request_host_name(struct slice host)
{
	const uint8_t *colon = host.len ? memrchr(host.data, ':', host.len) : NULL;
	uint64_t port;
	const size_t len = colon ? (size_t)(colon - host.data) : 0;
	return colon && decimal_number(slice_skip(host, len + 1), UINT16_MAX, &port) ? slice_first(host, len) : host;
}

bool request_is_loopback_host(struct slice host)
{
	char text[INET_ADDRSTRLEN] = "";
	struct in_addr address;
	host = request_host_name(host); /* no name of this machine has what a wrong port leaves */
	if (slice_is(host, "localhost") || slice_is(host, "[::1]"))
		return true;
	/* 127.0.0.0/8, in four decimal parts: other forms mean another machine to some. */
	if (host.len >= sizeof(text))
		return false;
	memcpy(text, host.data, host.len);
	return inet_pton(AF_INET, text, &address) == 1 && ntohl(address.s_addr) >> 24 == 127;
}

bool request_password(struct slice authorization, struct buf *out)
{
	static const char basic[] = "Basic ";
	struct buf pair = { 0 };
	bool found = slice_is(slice_first(authorization, sizeof(basic) - 1), basic) &&
		     base64_decode(slice_skip(authorization, sizeof(basic) - 1), &pair) == 0;
	const uint8_t *colon = found && pair.len ? memchr(pair.data, ':', pair.len) : NULL;
	if (colon)
		buf_append(out, colon + 1, pair.len - (size_t)(colon + 1 - pair.data));
	buf_free(&pair);
	return colon && buf_status(out) == 0;
}

/* ---- chunked bodies ---- */

/* A byte that is not data. */
static bool take_frame_byte(struct chunk_frames *f, uint8_t c)
{
	enum { DIGITS_MOST = 15 };
	enum chunk_state state = f->state;
	switch (state) {
	case CHUNK_SIZE:
		if (ascii_is_hex(c)) {
			f->size = f->size * 16 + (uint64_t)ascii_hex(c);
			return ++f->digits <= DIGITS_MOST;
		}
		f->state = c == '\r' ? CHUNK_SIZE_LF : CHUNK_EXTENSION;
		return f->digits && (c == '\r' || c == ';');
	case CHUNK_SIZE_LF:
		f->state = f->size ? CHUNK_DATA : CHUNK_TRAILER;
		f->digits = 0;
		return c == '\n';
	case CHUNK_DATA_CR:
		f->state = CHUNK_DATA_LF;
		return c == '\r';
	case CHUNK_DATA_LF:
		f->state = CHUNK_SIZE;
		return c == '\n';
	case CHUNK_TRAILER_LF:
		f->state = CHUNK_TRAILER;
		return c == '\n';
	case CHUNK_LAST_LF:
		f->state = CHUNK_END;
		return c == '\n';
	case CHUNK_TRAILER:
	case CHUNK_TRAILER_IN:
	case CHUNK_EXTENSION:
		if (c == '\r') {
			f->state = state == CHUNK_EXTENSION ? CHUNK_SIZE_LF
				   : state == CHUNK_TRAILER ? CHUNK_LAST_LF
							    : CHUNK_TRAILER_LF;
			return true;
		}
		if (state == CHUNK_TRAILER && (c == ' ' || c == '\t'))
			return false; /* a folded line */
		f->state = state == CHUNK_TRAILER ? CHUNK_TRAILER_IN : state;
		return (c == '\t' || (c >= ' ' && c != 0x7f)) && ++f->overhead <= CHUNK_OVERHEAD_MOST;
	default:
		return false;
	}
}

bool chunk_frames_take(struct chunk_frames *f, uint8_t *bytes, size_t len, size_t *taken, size_t *kept)
{
	size_t at = 0;
	*kept = 0;
	while (at < len && f->state != CHUNK_END) {
		if (f->state != CHUNK_DATA) {
			if (!take_frame_byte(f, bytes[at++]))
				return false;
			continue;
		}
		size_t n = len - at < f->size ? len - at : (size_t)f->size;
		memmove(bytes + *kept, bytes + at, n);
		at += n;
		*kept += n;
		f->size -= n;
		if (f->size == 0)
			f->state = CHUNK_DATA_CR;
	}
	*taken = at;
	return true;
}

/* ---- forms ---- */

static const char form_of_words[] = "application/x-www-form-urlencoded", form_of_parts[] = "multipart/form-data";

/*
 * The value of a parameter, as of `; name="value"`, in quotes or not; its data is NULL if there is none. A browser
 * writes a quote of a value as %22, so that a quote always ends it.
 */
static struct slice parameter(struct slice field, const char *wanted)
{
	(void)take(&field, ';');
	while (field.len) {
		struct slice name = slice_trim(take(&field, '=')), value;
		while (field.len && (*field.data == ' ' || *field.data == '\t'))
			field = slice_skip(field, 1);
		if (field.len && *field.data == '"') {
			field = slice_skip(field, 1);
			value = take(&field, '"');
			(void)take(&field, ';');
		} else {
			value = slice_trim(take(&field, ';'));
		}
		if (slice_is(name, wanted))
			return value;
	}
	return slice_of(NULL, 0);
}

bool request_has_type(struct slice content_type, const char *type)
{
	return slice_is(slice_trim(take(&content_type, ';')), type);
}

bool form_is(struct slice content_type, bool *readable)
{
	bool parts = request_has_type(content_type, form_of_parts);
	*readable = !parts || parameter(content_type, "boundary").len;
	return parts || request_has_type(content_type, form_of_words);
}

/* Takes what is before `mark`, and the mark. Returns false if there is none. */
static bool take_before(struct slice *rest, struct slice mark, struct slice *before)
{
	const uint8_t *at = rest->len ? memmem(rest->data, rest->len, mark.data, mark.len) : NULL;
	if (!at)
		return false;
	*before = slice_first(*rest, (size_t)(at - rest->data));
	*rest = slice_skip(*rest, before->len + mark.len);
	return true;
}

/*
 * After each boundary a line ends, or "--" ends the form:
 *
 *	--boundary CRLF fields CRLF CRLF value CRLF --boundary CRLF ... CRLF --boundary-- CRLF
 */
static bool read_parts(struct slice rest, struct slice mark, struct form_field *fields, size_t n)
{
	struct slice head, value, line;
	if (rest.len >= mark.len - 2 && memcmp(rest.data, mark.data + 2, mark.len - 2) == 0)
		rest = slice_skip(rest, mark.len - 2);
	else if (!take_before(&rest, mark, &value))
		return slice_trim(rest).len == 0; /* an empty form */
	while (rest.len < 2 || memcmp(rest.data, "--", 2) != 0) {
		if (!take_before(&rest, slice_from_text("\r\n"), &line) || slice_trim(line).len)
			return false;
		if (!take_before(&rest, slice_from_text("\r\n\r\n"), &head))
			return false;
		head.len += 2; /* the end of its last line */
		if (!take_before(&rest, mark, &value))
			return false;
		const struct slice about = find_field(head, "Content-Disposition"), name = parameter(about, "name");
		const bool is_file = parameter(about, "filename").data != NULL;
		size_t i = 0;
		while (i < n && !(is_file && fields[i].any_file) && !slice_equal(name, slice_from_text(fields[i].name)))
			i++;
		if (i < n) {
			fields[i].found++;
			buf_append(&fields[i].value, value.data, value.len);
		}
	}
	return slice_trim(slice_skip(rest, 2)).len == 0;
}

bool form_read(struct slice content_type, struct slice body, struct form_field *fields, size_t n)
{
	struct slice boundary = parameter(content_type, "boundary"), name, value;
	if (request_has_type(content_type, form_of_parts)) {
		struct buf mark = { 0 };
		buf_append_text(&mark, "\r\n--");
		buf_append(&mark, boundary.data, boundary.len);
		bool good = boundary.len && buf_status(&mark) == 0 && read_parts(body, buf_slice(&mark), fields, n);
		buf_free(&mark);
		return good;
	}
	while (request_query_next(&body, &name, &value)) {
		for (size_t i = 0; i < n; i++) {
			if (!slice_equal(name, slice_from_text(fields[i].name)))
				continue;
			fields[i].found++;
			(void)request_decode(value, true, &fields[i].value);
		}
	}
	return true;
}
