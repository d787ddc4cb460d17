/* SPDX-License-Identifier: MIT */
/*
 * Block lists, sites, keys of indexes and addresses ask here, so that a page has one host. Two rules go beyond the
 * standard: a host is the same with and without dots at its end, as in the DNS, and tabs and line ends inside of a URL,
 * which browsers drop, stay: heads of archives and lines of lists have none.
 */
#include "config.h"

#include "base/url_parts.h"

#include "base/ascii.h"

/* The length of "scheme://" at the start (RFC 3986, section 3.1). */
static size_t scheme_length(struct slice url)
{
	size_t n = 0;
	while (n < url.len &&
	       (ascii_is_alpha(url.data[n]) || (n && (ascii_is_digit(url.data[n]) || memchr("+-.", url.data[n], 3)))))
		n++;
	return n && url.len - n >= 3 && memcmp(url.data + n, "://", 3) == 0 ? n + 3 : 0;
}

static struct slice without_user(struct slice authority)
{
	const uint8_t *at = authority.len ? memrchr(authority.data, '@', authority.len) : NULL;
	return at ? slice_skip(authority, (size_t)(at - authority.data) + 1) : authority;
}

/* Up to a ':' that is not in brackets. */
static struct slice host_in(struct slice place)
{
	bool bracket = false;
	size_t n = 0;
	for (; n < place.len && (bracket || place.data[n] != ':'); n++)
		bracket = place.data[n] == '[' || (bracket && place.data[n] != ']');
	return slice_first(place, n);
}

struct url_parts url_parts(struct slice url)
{
	struct slice text = slice_trim(url);
	struct url_parts p = { .scheme = slice_first(text, scheme_length(text)) };
	text = slice_skip(text, p.scheme.len);
	struct slice authority = slice_first(text, slice_until(text, "/\\?#"));
	p.place = without_user(authority);
	p.host = host_in(p.place);
	p.port = slice_skip(p.place, p.host.len + 1);
	p.rest = slice_skip(text, authority.len);
	p.path = slice_first(p.rest, slice_until(p.rest, "?#"));
	while (p.host.len && p.host.data[p.host.len - 1] == '.')
		p.host.len--;
	return p;
}

struct slice url_host(struct slice url)
{
	struct url_parts p = url_parts(url);
	return p.scheme.len ? p.host : slice_of(NULL, 0);
}
