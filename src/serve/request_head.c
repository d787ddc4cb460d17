/* SPDX-License-Identifier: MIT */
/*
 * A line ends with CR LF and nothing else; no line begins with white space but the first could be empty. Names are
 * tokens, values visible characters, blanks and bytes above 127. What decides where the body ends (Content-Length,
 * Transfer-Encoding) or whom the request is for (Host) may stand there once, in one way.
 */
#include "serve/request_head.h"

#include <arpa/inet.h>

#include "base/ascii.h"

/* What the fields say that may stand there once. */
struct fields {
	unsigned hosts, lengths, codings, expectations;
	struct slice host, length, coding, expectation;
	bool close, keep_alive;
};

static bool is_token_char(uint8_t c)
{
	static const char others[] = "!#$%&'*+-.^_`|~";
	return ascii_is_alpha(c) || ascii_is_digit(c) || (c && memchr(others, c, sizeof(others) - 1));
}

static bool is_token(struct slice s)
{
	for (size_t i = 0; i < s.len; i++) {
		if (!is_token_char(s.data[i]))
			return false;
	}
	return s.len > 0;
}

/* ---- as the bytes come ---- */

/* Control characters are in no head; a line ends with both of its characters. */
static bool may_follow(uint8_t before, uint8_t c)
{
	if (c == '\n' || before == '\r')
		return c == '\n' && before == '\r';
	return c == '\r' || c == '\t' || (c >= ' ' && c != 0x7f);
}

int request_head_scan(struct request_scan *scan, struct slice bytes)
{
	while (scan->seen < bytes.len) {
		size_t at = scan->seen;
		uint8_t c = bytes.data[at];
		if (at == REQUEST_HEAD_MOST)
			return scan->lines == 0 ? -REQUEST_TARGET_LONG : -REQUEST_HEAD_LARGE;
		if (!may_follow(at ? bytes.data[at - 1] : 0, c))
			return -REQUEST_BAD;
		scan->seen++;
		if (c != '\n')
			continue;
		if (at >= 3 && bytes.data[at - 2] == '\n')
			return (int)scan->seen;
		if (++scan->lines > REQUEST_LINES_MOST + 1)
			return -REQUEST_HEAD_LARGE;
	}
	return 0;
}

/* ---- the request line ---- */

static struct slice take_line(struct slice *rest)
{
	const uint8_t *end = memchr(rest->data, '\r', rest->len);
	size_t len = end ? (size_t)(end - rest->data) : rest->len;
	struct slice line = slice_first(*rest, len);
	*rest = slice_skip(*rest, len + 2 < rest->len ? len + 2 : rest->len);
	return line;
}

/* Up to the blank, which is taken too. */
static struct slice take_word(struct slice *rest)
{
	const uint8_t *end = rest->len ? memchr(rest->data, ' ', rest->len) : NULL;
	size_t len = end ? (size_t)(end - rest->data) : rest->len;
	struct slice word = slice_first(*rest, len);
	*rest = slice_skip(*rest, end ? len + 1 : len);
	return word;
}

static enum request_refusal check_version(struct slice version, bool *old)
{
	if (version.len != 8 || memcmp(version.data, "HTTP/", 5) != 0 || !ascii_is_digit(version.data[5]) ||
	    version.data[6] != '.' || !ascii_is_digit(version.data[7]))
		return REQUEST_BAD;
	*old = version.data[7] == '0';
	return version.data[5] == '1' ? REQUEST_GOOD : REQUEST_VERSION;
}

/* Methods of RFC 9110 and PATCH; case counts. */
static bool is_known_method(struct slice method)
{
	static const char *const known[] = { "GET",     "HEAD",    "POST",  "PUT",  "DELETE",
					     "CONNECT", "OPTIONS", "TRACE", "PATCH" };
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		if (slice_equal(method, slice_from_text(known[i])))
			return true;
	}
	return false;
}

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
	static const char others[] = "-._~!$&'()*+,;=";
	for (size_t i = 0; i < s.len; i++) {
		uint8_t c = s.data[i];
		bool escape =
			c == '%' && i + 2 < s.len && ascii_hex(s.data[i + 1]) >= 0 && ascii_hex(s.data[i + 2]) >= 0;
		if (!escape && !ascii_is_alpha(c) && !ascii_is_digit(c) && !(c && strchr(others, c)))
			return false;
	}
	return s.len > 0;
}

/* A host and perhaps a port. One of http has a host, and no user (RFC 9110, sections 4.2.1 and 4.2.4). */
static bool is_authority(struct slice s)
{
	size_t len = slice_until(s, "]");
	len = len < s.len ? len + 1 : slice_until(s, ":");
	struct slice host = slice_first(s, len), port = slice_skip(s, len);
	for (size_t i = 1; i < port.len; i++) {
		if (!ascii_is_digit(port.data[i]))
			return false;
	}
	return (port.len == 0 || port.data[0] == ':') && (is_ip6(host) || is_name(host));
}

/* "http://host/path": `target` is then what begins after the host; RFC 9112, section 3.2.2. */
static bool take_authority(struct slice *target, struct slice *authority)
{
	static const char scheme[] = "http://";
	size_t len = sizeof(scheme) - 1;
	if (!slice_is(slice_first(*target, len), scheme))
		return true;
	*target = slice_skip(*target, len);
	*authority = slice_first(*target, slice_until(*target, "/?"));
	*target = slice_skip(*target, authority->len);
	return is_authority(*authority);
}

static enum request_refusal read_target(struct request_head *head)
{
	struct slice rest = head->target;
	if (head->target.len > REQUEST_TARGET_MOST)
		return REQUEST_TARGET_LONG;
	if (!take_authority(&rest, &head->authority))
		return REQUEST_BAD;
	for (size_t i = 0; i < head->target.len; i++) {
		uint8_t c = head->target.data[i];
		if (c <= ' ' || c >= 0x7f || c == '#' || c == '"' || c == '<' || c == '>' || c == '\\')
			return REQUEST_BAD;
	}
	bool by_method =
		slice_equal(head->method, slice_from_text("CONNECT")) ||
		(slice_equal(rest, slice_from_text("*")) && slice_equal(head->method, slice_from_text("OPTIONS")));
	if (!by_method && rest.len && rest.data[0] != '/' && rest.data[0] != '?')
		return REQUEST_BAD;
	if (!head->target.len)
		return REQUEST_BAD;
	const uint8_t *query = rest.len ? memchr(rest.data, '?', rest.len) : NULL;
	head->path = query ? slice_first(rest, (size_t)(query - rest.data)) : rest;
	return REQUEST_GOOD;
}

static enum request_refusal read_request_line(struct slice line, struct request_head *head)
{
	head->method = take_word(&line);
	head->target = take_word(&line);
	enum request_refusal refusal = check_version(line, &head->old);
	if (refusal == REQUEST_GOOD && !is_token(head->method))
		refusal = REQUEST_BAD;
	if (refusal == REQUEST_GOOD)
		refusal = read_target(head);
	if (refusal == REQUEST_GOOD && !is_known_method(head->method))
		refusal = REQUEST_NOT_IMPLEMENTED;
	return refusal;
}

/* ---- fields ---- */

static void read_connection(struct fields *f, struct slice value)
{
	while (value.len) {
		const uint8_t *end = memchr(value.data, ',', value.len);
		size_t len = end ? (size_t)(end - value.data) : value.len;
		struct slice word = slice_trim(slice_first(value, len));
		f->close |= slice_is(word, "close");
		f->keep_alive |= slice_is(word, "keep-alive");
		value = slice_skip(value, end ? len + 1 : len);
	}
}

static enum request_refusal read_field(struct slice line, struct fields *f)
{
	const uint8_t *colon = memchr(line.data, ':', line.len);
	if (!colon)
		return REQUEST_BAD;
	struct slice name = slice_first(line, (size_t)(colon - line.data));
	struct slice value = slice_trim(slice_skip(line, name.len + 1));
	if (!is_token(name)) /* also: a folded line, and a blank before the colon */
		return REQUEST_BAD;
	if (slice_is(name, "Host")) {
		f->hosts++;
		f->host = value;
	} else if (slice_is(name, "Content-Length")) {
		f->lengths++;
		f->length = value;
	} else if (slice_is(name, "Transfer-Encoding")) {
		f->codings++;
		f->coding = value;
	} else if (slice_is(name, "Expect")) {
		f->expectations++;
		f->expectation = value;
	} else if (slice_is(name, "Connection")) {
		read_connection(f, value);
	}
	return REQUEST_GOOD;
}

static bool read_length(struct slice text, uint64_t *length)
{
	*length = 0;
	for (size_t i = 0; i < text.len; i++) {
		uint8_t digit = (uint8_t)(text.data[i] - '0');
		if (digit > 9 || __builtin_mul_overflow(*length, 10, length) ||
		    __builtin_add_overflow(*length, digit, length))
			return false;
	}
	return text.len > 0;
}

/* What comes after the head. */
static enum request_refusal read_framing(const struct fields *f, struct request_head *head)
{
	if (f->lengths + f->codings > 1)
		return REQUEST_BAD;
	if (f->codings) {
		if (head->old)
			return REQUEST_BAD;
		head->chunked = slice_is(f->coding, "chunked");
		return head->chunked ? REQUEST_GOOD : REQUEST_NOT_IMPLEMENTED;
	}
	head->has_length = f->lengths > 0;
	return !head->has_length || read_length(f->length, &head->length) ? REQUEST_GOOD : REQUEST_BAD;
}

static enum request_refusal read_fields(const struct fields *f, struct request_head *head)
{
	if (f->hosts > 1 || (f->hosts == 0 && !head->old) || (f->host.len && !is_authority(f->host)))
		return REQUEST_BAD;
	head->has_host = f->hosts > 0;
	head->host = f->host;
	if (f->expectations > 1 || (f->expectations && !slice_is(f->expectation, "100-continue")))
		return REQUEST_EXPECTS;
	head->expects = f->expectations && !head->old;
	head->closes = f->close || (head->old && !f->keep_alive);
	return read_framing(f, head);
}

enum request_refusal request_head_read(struct slice bytes, struct request_head *head)
{
	struct fields f = { .hosts = 0 };
	*head = (struct request_head){ .length = 0 };
	enum request_refusal refusal = read_request_line(take_line(&bytes), head);
	while (refusal == REQUEST_GOOD) {
		struct slice line = take_line(&bytes);
		if (line.len == 0)
			return read_fields(&f, head);
		refusal = read_field(line, &f);
	}
	return refusal;
}

const char *request_reason(int status)
{
	static const struct {
		int status;
		const char *reason;
	} reasons[] = {
		{ 200, "OK" },
		{ 400, "Bad Request" },
		{ 408, "Request Timeout" },
		{ 413, "Content Too Large" },
		{ 414, "URI Too Long" },
		{ 417, "Expectation Failed" },
		{ 429, "Too Many Requests" },
		{ 431, "Request Header Fields Too Large" },
		{ 501, "Not Implemented" },
		{ 503, "Service Unavailable" },
		{ 505, "HTTP Version Not Supported" },
	};
	for (size_t i = 0; i < sizeof(reasons) / sizeof(*reasons); i++) {
		if (reasons[i].status == status)
			return reasons[i].reason;
	}
	return "Error";
}
