/* SPDX-License-Identifier: MIT */
/* A host is parted at its dots and written from its end; "www." and "www1." in front of it do not count. */
#include "io/index/surt.h"

#include <string.h>

#include "base/ascii.h"

static void append_lower(struct buf *out, struct slice s)
{
	for (size_t i = 0; i < s.len; i++)
		buf_append_byte(out, ascii_lower(s.data[i]));
}

static size_t find_any(struct slice s, const char *bytes)
{
	size_t i = 0;

	while (i < s.len && !(s.data[i] && strchr(bytes, s.data[i])))
		i++;
	return i;
}

static struct slice without_scheme(struct slice url)
{
	size_t i = find_any(url, ":/?#");

	return url.len >= i + 3 && memcmp(url.data + i, "://", 3) == 0 ? slice_skip(url, i + 3) : url;
}

static struct slice without_www(struct slice host)
{
	size_t i = 3;

	if (!slice_equal_nocase(slice_first(host, 3), slice_from_text("www")))
		return host;
	while (i < host.len && ascii_is_digit(host.data[i]))
		i++;
	return i + 1 < host.len && host.data[i] == '.' ? slice_skip(host, i + 1) : host;
}

/* Numbers of an address of version 4 keep their order. */
static bool is_numeric(struct slice host)
{
	for (size_t i = 0; i < host.len; i++) {
		if (!ascii_is_digit(host.data[i]) && host.data[i] != '.')
			return false;
	}
	return host.len > 0;
}

static void append_host(struct buf *out, struct slice host)
{
	if (is_numeric(host)) {
		buf_append(out, host.data, host.len);
		return;
	}
	while (host.len) {
		size_t dot = host.len;
		while (dot > 0 && host.data[dot - 1] != '.')
			dot--;
		append_lower(out, slice_skip(host, dot));
		host.len = dot ? dot - 1 : 0;
		if (dot)
			buf_append_byte(out, ',');
	}
}

struct parts {
	struct slice host, port, rest; /* port: without ':' */
};

/* Of what follows a scheme. */
static struct parts part(struct slice rest)
{
	struct slice authority = slice_first(rest, find_any(rest, "/?#"));
	size_t at = authority.len;

	while (at > 0 && authority.data[at - 1] != '@')
		at--;
	struct slice place = slice_skip(authority, at);
	struct slice host = slice_first(place, find_any(place, ":"));
	struct parts p = { host, slice_skip(place, host.len + 1), slice_skip(rest, authority.len) };
	while (p.host.len && p.host.data[p.host.len - 1] == '.')
		p.host.len--;
	p.host = without_www(p.host);
	p.rest.len = find_any(p.rest, "#");
	if (slice_is(p.port, "80") || slice_is(p.port, "443"))
		p.port.len = 0;
	return p;
}

static void append_place(struct buf *out, const struct parts *p)
{
	append_host(out, p->host);
	if (p->port.len) {
		buf_append_byte(out, ':');
		buf_append(out, p->port.data, p->port.len);
	}
}

/* "?b" directly after a host is the query of its "/". */
static void append_rest(struct buf *out, const struct parts *p)
{
	buf_append_byte(out, ')');
	if (p->rest.len && p->rest.data[0] != '/')
		buf_append_byte(out, '/');
	append_lower(out, p->rest);
}

int surt_key(struct slice url, struct buf *out)
{
	struct parts p = part(without_scheme(slice_trim(url)));

	append_place(out, &p);
	append_rest(out, &p);
	if (p.rest.len == 0)
		buf_append_byte(out, '/');
	return buf_status(out);
}

int surt_prefix(struct slice pattern, struct buf *out, bool *hosts)
{
	struct slice rest = without_scheme(slice_trim(pattern));

	*hosts = rest.len > 2 && memcmp(rest.data, "*.", 2) == 0;
	if (*hosts)
		rest = slice_skip(rest, 2);
	if (rest.len && rest.data[rest.len - 1] == '*')
		rest.len--;
	struct parts p = part(rest);

	append_place(out, &p);
	if (*hosts)
		return buf_status(out);
	append_rest(out, &p);
	return buf_status(out);
}
