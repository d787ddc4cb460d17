/* SPDX-License-Identifier: MIT */
/* A host is parted at its dots and written from its end; "www." and "www1." in front of it do not count. */
#include "io/index/surt.h"

#include <string.h>

#include "base/ascii.h"
#include "base/url_parts.h"

static void append_lower(struct buf *out, struct slice s)
{
	for (size_t i = 0; i < s.len; i++)
		buf_append_byte(out, ascii_lower(s.data[i]));
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

/* The host, and its port where it is not the usual one. */
static void append_place(struct buf *out, struct slice host, struct slice port)
{
	append_host(out, without_www(host));
	if (port.len && !slice_is(port, "80") && !slice_is(port, "443")) {
		buf_append_byte(out, ':');
		buf_append(out, port.data, port.len);
	}
}

/* What follows the host begins with '/': "?b" is the query of its "/". */
static void append_rest(struct buf *out, struct slice rest)
{
	buf_append_byte(out, ')');
	if (rest.len && rest.data[0] != '/')
		buf_append_byte(out, '/');
	if (rest.len && rest.data[0] == '\\')
		rest = slice_skip(rest, 1);
	append_lower(out, slice_first(rest, slice_until(rest, "#")));
}

int surt_key(struct slice url, struct buf *out)
{
	struct url_parts p = url_parts(url);

	append_place(out, p.host, p.port);
	append_rest(out, p.rest.len ? p.rest : slice_from_text("/"));
	return buf_status(out);
}

int surt_prefix(struct slice pattern, struct buf *out, bool *hosts)
{
	pattern = slice_trim(pattern);
	if (pattern.len && pattern.data[pattern.len - 1] == '*')
		pattern.len--;
	struct url_parts p = url_parts(pattern);

	*hosts = p.place.len >= 2 && memcmp(p.place.data, "*.", 2) == 0;
	append_place(out, *hosts ? slice_skip(p.host, 2) : p.host, p.port);
	if (!*hosts)
		append_rest(out, p.rest);
	return buf_status(out);
}
