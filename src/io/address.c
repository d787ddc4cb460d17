/* SPDX-License-Identifier: MIT */
/*
 * What is shown must be what was given, which a full parser would rewrite.
 *
 * Amazon's stores are addressed as https://BUCKET.s3.REGION.amazonaws.com/KEY, other stores as ENDPOINT/BUCKET/KEY; so
 * are buckets whose name is not a plain label of a host: with a dot the certificate of the first form does not hold,
 * and with other characters the host would be another one.
 */
#include "io/address.h"

#include <stdlib.h>

#include "base/ascii.h"
#include "base/url_parts.h"

static const char *const schemes[] = { "http://", "https://", "s3://" };

bool address_is_network(const char *name)
{
	for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++) {
		size_t n = strlen(schemes[i]);
		if (slice_equal_nocase(slice_first(slice_from_text(name), n), slice_of(schemes[i], n)))
			return true;
	}
	return false;
}

/* Any value may be a secret. What has no name is all value. */
static bool is_any(struct slice name)
{
	(void)name;
	return true;
}

static bool is_none(struct slice name)
{
	(void)name;
	return false;
}

/* Names of what is signed anew when an address is given out again, and of tokens that pass. */
static bool is_renewed(struct slice name)
{
	static const char *const renewed[] = {
		"X-Amz-Signature",
		"X-Amz-Credential",
		"X-Amz-Security-Token",
		"X-Amz-Date",
		"X-Amz-Expires",
		"X-Goog-Signature",
		"X-Goog-Date",
		"X-Goog-Expires",
		"X-Goog-Credential",
		"AWSAccessKeyId",
		"Signature",
		"Key-Pair-Id",
		"Policy",
		"Expires",
		"sig",
		"se",
		"st",
		"skt",
		"ske",
		"token",
		"access_token",
		"jsessionid",
	};
	for (size_t i = 0; i < sizeof(renewed) / sizeof(renewed[0]); i++) {
		if (slice_is(name, renewed[i]))
			return true;
	}
	return false;
}

bool address_is_ambiguous(const char *address)
{
	struct slice rest = url_parts(slice_from_text(address)).rest;
	return rest.len && rest.data[0] == '\\';
}

static int append_public(const char *address, struct buf *out, bool (*is_masked)(struct slice name))
{
	if (!address_is_network(address))
		return buf_append_text(out, address);
	struct url_parts p = url_parts(slice_from_text(address));
	buf_append(out, p.scheme.data, p.scheme.len);
	buf_append(out, p.place.data, p.place.len);
	if (address_is_ambiguous(address))
		return buf_append_text(out, "\\***");
	/* What follows the host: "/a;id=1/b?c=2&d" as "/a;id=***" "/b" "?c=***" "&***". */
	struct slice rest = p.rest;
	const char *ends = "/;?#";
	bool in_path = true;
	while (rest.len) {
		if (rest.data[0] == '?' || rest.data[0] == '#') {
			in_path = false;
			ends = "&;#";
		}
		size_t len = 1, name = 1;
		while (len < rest.len && !strchr(ends, rest.data[len]))
			len++;
		while (name < len && rest.data[name] != '=')
			name++;
		bool named = name < len;
		bool value = in_path ? named && rest.data[0] == ';' : len > 1;
		if (value && is_masked(slice_of(rest.data + 1, named ? name - 1 : 0))) {
			buf_append(out, rest.data, named ? name + 1 : 1);
			buf_append_text(out, "***");
		} else {
			buf_append(out, rest.data, len);
		}
		rest = slice_skip(rest, len);
	}
	return buf_status(out);
}

int address_without_secrets(const char *address, struct buf *out)
{
	return append_public(address, out, is_any);
}

int address_of_page(const char *address, struct buf *out)
{
	return append_public(address, out, is_none);
}

int address_identity(const char *address, struct buf *out)
{
	return append_public(address, out, is_renewed);
}

/* The next character; of an address what a server may make of it. */
static uint8_t take_character(struct slice *rest, bool network)
{
	static const struct {
		const char *written;
		uint8_t read;
	} others[] = { { "%2e", '.' }, { "%2f", '/' }, { "%5c", '/' }, { "\\", '/' } };
	uint8_t c = rest->data[0];
	size_t len = 1;
	for (size_t i = 0; network && i < sizeof(others) / sizeof(others[0]); i++) {
		size_t n = strlen(others[i].written);
		if (slice_equal_nocase(slice_first(*rest, n), slice_of(others[i].written, n))) {
			c = others[i].read;
			len = n;
		}
	}
	*rest = slice_skip(*rest, len);
	return c;
}

bool address_climbs(const char *name, size_t from)
{
	const char *at = name + from;
	const bool network = address_is_network(name);
	const bool has_query = network && ascii_lower((uint8_t)name[0]) == 'h';
	struct slice rest = slice_of(at, has_query ? strcspn(at, "?#") : strlen(at));
	size_t dots = 0, others = 0;
	while (rest.len) {
		uint8_t c = take_character(&rest, network);
		if (c == '/' && dots == 2 && others == 0)
			return true;
		dots = c == '/' ? 0 : dots + (c == '.');
		others = c == '/' ? 0 : others + (c != '.');
	}
	return dots == 2 && others == 0;
}

static void append_lower(struct buf *out, struct slice s)
{
	for (size_t i = 0; i < s.len; i++)
		buf_append_byte(out, ascii_lower(s.data[i]));
}

int address_host(const char *address, struct buf *out)
{
	struct url_parts p = url_parts(slice_from_text(address));
	append_lower(out, p.scheme);
	append_lower(out, p.host);
	if (p.port.len)
		buf_append_byte(out, ':');
	append_lower(out, p.port);
	return buf_status(out);
}

struct slice address_path(const char *name)
{
	struct slice text = slice_from_text(name);
	return address_is_network(name) ? url_parts(text).path : text;
}

static const char scheme[] = "s3://";

bool s3_is_address(const char *address)
{
	return slice_equal_nocase(slice_first(slice_from_text(address), sizeof(scheme) - 1), slice_from_text(scheme));
}

/* The first of the variables that is set and not empty. */
static const char *environment(const char *name, const char *other)
{
	const char *value = getenv(name);
	if ((!value || !*value) && other)
		value = getenv(other);
	return value && *value ? value : NULL;
}

struct s3_access s3_access(void)
{
	const char *region = environment("AWS_REGION", "AWS_DEFAULT_REGION");
	struct s3_access a = { .region = region ? region : "us-east-1",
			       .key = environment("AWS_ACCESS_KEY_ID", NULL),
			       .secret = environment("AWS_SECRET_ACCESS_KEY", NULL),
			       .token = environment("AWS_SESSION_TOKEN", NULL) };
	if (!a.key || !a.secret)
		a.key = a.secret = a.token = NULL;
	return a;
}

/* RFC 3986 unreserved characters and '/' stand for themselves, as S3 wants them for its signature. */
static void append_key(struct buf *out, struct slice key)
{
	for (size_t i = 0; i < key.len; i++) {
		uint8_t c = key.data[i];
		if (ascii_is_alpha(c) || ascii_is_digit(c) || (c && strchr("-._~/", c)))
			buf_append_byte(out, c);
		else
			buf_printf(out, "%%%02X", c);
	}
}

int s3_url(const char *address, const struct s3_access *access, struct buf *out, struct error *err)
{
	const char *endpoint = environment("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL");
	struct slice rest = slice_skip(slice_from_text(address), sizeof(scheme) - 1);
	struct slice bucket = slice_first(rest, strcspn((const char *)rest.data, "/"));
	struct slice key = slice_skip(rest, bucket.len + 1);
	if (bucket.len == 0 || key.len == 0 || slice_is(bucket, ".") || slice_is(bucket, ".."))
		return error_set(err, DANA_ECONFIG, "a URL of S3 is s3://BUCKET/KEY");
	if (endpoint && (s3_is_address(endpoint) || !address_is_network(endpoint)))
		return error_set(err, DANA_ECONFIG, "AWS_ENDPOINT_URL is not an http or https URL");
	size_t label = 0;
	while (label < bucket.len &&
	       (ascii_is_alpha(bucket.data[label]) || ascii_is_digit(bucket.data[label]) || bucket.data[label] == '-'))
		label++;

	if (endpoint) {
		size_t n = strlen(endpoint);
		while (n > 0 && endpoint[n - 1] == '/')
			n--;
		buf_printf(out, "%.*s/", (int)n, endpoint);
	} else if (label == bucket.len) {
		buf_printf(out, "https://%.*s.s3.%s.amazonaws.com/", (int)bucket.len, (const char *)bucket.data,
			   access->region);
	} else {
		buf_printf(out, "https://s3.%s.amazonaws.com/", access->region);
	}
	if (endpoint || label < bucket.len) {
		append_key(out, bucket);
		buf_append_byte(out, '/');
	}
	append_key(out, key);
	if (buf_append_byte(out, 0) < 0)
		return error_no_memory(err);
	return DANA_OK;
}
