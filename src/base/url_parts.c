/* SPDX-License-Identifier: MIT */
/*
 * Finds the parts of a URL. Example: "http://me@Example.org.:80/a" has the host "Example.org" and the port "80".
 * Nothing is copied: parts are slices of the URL.
 *
 * Block lists, sites, keys of indexes and addresses ask here, so that a page has one host. Two rules go beyond the
 * standard: a host is the same with and without dots at its end, as in the DNS, and tabs and line ends inside of a URL,
 * which browsers drop, stay: heads of archives and lines of lists have none.
 */
#include "config.h"

#include "base/url_parts.h"

#include "base/ascii.h"
#include "base/system.h"

struct slice url_scheme(struct slice url)
{
	size_t n = 0;
	while (n < url.len &&
	       (ascii_is_alpha(url.data[n]) || (n && (ascii_is_digit(url.data[n]) || memchr("+-.", url.data[n], 3)))))
		n++;
	return slice_first(url, n && n < url.len && url.data[n] == ':' ? n + 1 : 0);
}

/* The length of "scheme://" at the start (RFC 3986, section 3.1). */
static size_t scheme_length(struct slice url)
{
	const size_t n = url_scheme(url).len;
	return n && url.len - n >= 2 && memcmp(url.data + n, "//", 2) == 0 ? n + 2 : 0;
}

struct url_parts url_parts(struct slice url)
{
	struct slice text = slice_trim(url);
	struct url_parts p = { .scheme = slice_first(text, scheme_length(text)) };
	text = slice_skip(text, p.scheme.len);
	struct slice authority = slice_first(text, slice_until(text, "/\\?#"));
	const uint8_t *at = authority.len ? memrchr(authority.data, '@', authority.len) : NULL;
	p.place = at ? slice_skip(authority, (size_t)(at - authority.data) + 1) : authority;
	/* up to a ':' that is not in brackets */
	const struct slice place = p.place;
	bool bracket = false;
	size_t n = 0;
	for (; n < place.len && (bracket || place.data[n] != ':'); n++)
		bracket = place.data[n] == '[' || (bracket && place.data[n] != ']');
	p.host = slice_first(place, n);
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

bool url_scheme_is(struct slice scheme, const char *const *list)
{
	while (*list && !slice_is(scheme, *list))
		list++;
	return *list != NULL;
}

struct slice url_clean(struct buf *reference)
{
	struct slice s = buf_slice(reference);
	size_t kept = 0;
	while (s.len && s.data[s.len - 1] <= ' ')
		s.len--;
	while (s.len && s.data[0] <= ' ')
		s = slice_skip(s, 1);
	for (size_t i = 0; i < s.len; i++) {
		if (s.data[i] != '\t' && s.data[i] != '\n' && s.data[i] != '\r')
			reference->data[kept++] = s.data[i];
	}
	reference->len = kept;
	return buf_slice(reference);
}

bool url_is_whole(struct slice address)
{
	static const char *const schemes[] = { "http:", "https:", "ftp:", NULL };
	static const char refused[] = "<>[]^|\x7F";
	enum { PORT_MOST = 65535 };
	const struct slice scheme = url_scheme(address);
	unsigned port = 0;
	if (!(scheme.len ? url_scheme_is(scheme, schemes) : slice_is(slice_first(address, 2), "//")))
		return true;
	struct slice rest = slice_skip(address, scheme.len);
	if (!slice_is(slice_first(rest, 2), "//"))
		return false;
	while (rest.len && (rest.data[0] == '/' || rest.data[0] == '\\'))
		rest = slice_skip(rest, 1);
	if (rest.len == 0 || rest.data[0] <= ' ')
		return false;
	const struct url_parts p = url_parts(rest);
	/* an address of IPv6 has brackets around it */
	const bool ip6 = p.host.len > 2 && p.host.data[0] == '[' && p.host.data[p.host.len - 1] == ']';
	const struct slice name = ip6 ? slice_of(p.host.data + 1, p.host.len - 2) : p.host;
	for (size_t i = 0; i < name.len; i++) {
		const uint8_t c = name.data[i];
		if (c <= ' ' || memchr(refused, c, sizeof(refused) - 1))
			return false;
	}
	for (size_t i = 0; i < p.port.len; i++) {
		port = port * 10 + (unsigned)(p.port.data[i] - '0');
		if (!ascii_is_digit(p.port.data[i]) || port > PORT_MOST)
			return false;
	}
	return name.len != 0;
}

bool url_may_be_base(struct slice address)
{
	static const char *const schemes[] = { "javascript:", "data:", NULL };
	return url_is_whole(address) && !url_scheme_is(url_scheme(address), schemes);
}
