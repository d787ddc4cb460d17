/* SPDX-License-Identifier: MIT */
/* Cut by hand where a full parser would rewrite the address: what is shown must be what was given. */
#include "io/net/address.h"

#include "base/ascii.h"

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

struct parts {
	struct slice scheme;    /* with "://" */
	struct slice user;      /* with '@'; empty: none */
	struct slice authority; /* host and port */
	struct slice path;
	struct slice query; /* with '?' or '#', and all that follows; empty: none */
};

static struct parts part(const char *address)
{
	struct slice rest = slice_from_text(address);
	const char *colon = strstr(address, "://");
	struct parts p = { .scheme = slice_first(rest, colon ? (size_t)(colon - address) + 3 : 0) };

	rest = slice_skip(rest, p.scheme.len);
	struct slice authority = slice_first(rest, strcspn((const char *)rest.data, "/?#"));
	size_t at = authority.len;
	while (at > 0 && authority.data[at - 1] != '@')
		at--;
	p.user = slice_first(authority, at);
	p.authority = slice_skip(authority, at);
	rest = slice_skip(rest, authority.len);
	p.path = slice_first(rest, strcspn((const char *)rest.data, "?#"));
	p.query = slice_skip(rest, p.path.len);
	return p;
}

/* Names of query parameters that give access: signed addresses of S3, Google, Azure and CloudFront, and tokens. */
static bool is_secret(struct slice name)
{
	static const char *const secrets[] = {
		"X-Amz-Signature",
		"X-Amz-Credential",
		"X-Amz-Security-Token",
		"X-Goog-Signature",
		"X-Goog-Credential",
		"AWSAccessKeyId",
		"Signature",
		"Key-Pair-Id",
		"Policy",
		"sig",
		"token",
		"access_token",
		"api_key",
		"apikey",
		"key",
		"password",
	};

	for (size_t i = 0; i < sizeof(secrets) / sizeof(secrets[0]); i++) {
		if (slice_is(name, secrets[i]))
			return true;
	}
	return false;
}

static bool has_secret(struct slice query)
{
	while (query.len) {
		query = slice_skip(query, 1); /* '?', '&' or '#' */
		size_t len = 0, name = 0;
		while (len < query.len && query.data[len] != '&' && query.data[len] != '#')
			len++;
		while (name < len && query.data[name] != '=')
			name++;
		if (is_secret(slice_first(query, name)))
			return true;
		query = slice_skip(query, len);
	}
	return false;
}

int address_without_secrets(const char *address, struct buf *out)
{
	if (!address_is_network(address))
		return buf_append_text(out, address);
	struct parts p = part(address);

	buf_append(out, p.scheme.data, p.scheme.len);
	buf_append(out, p.authority.data, p.authority.len);
	buf_append(out, p.path.data, p.path.len);
	if (!has_secret(p.query))
		buf_append(out, p.query.data, p.query.len);
	return buf_status(out);
}

int address_host(const char *address, struct buf *out)
{
	struct parts p = part(address);

	for (size_t i = 0; i < p.scheme.len; i++)
		buf_append_byte(out, ascii_lower(p.scheme.data[i]));
	for (size_t i = 0; i < p.authority.len; i++)
		buf_append_byte(out, ascii_lower(p.authority.data[i]));
	return buf_status(out);
}

struct slice address_path(const char *name)
{
	return address_is_network(name) ? part(name).path : slice_from_text(name);
}
