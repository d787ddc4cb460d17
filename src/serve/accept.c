/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "serve/accept.h"

#include <arpa/inet.h>

#include "base/ascii.h"

enum { FULL = 1000, NAMED = 3, TYPE_ONLY = 2, ANY = 1, PORT_MOST = 65535 };

/* Up to `mark`, which is taken too. */
static struct slice take(struct slice *rest, uint8_t mark)
{
	const uint8_t *end = rest->len ? memchr(rest->data, mark, rest->len) : NULL;
	size_t len = end ? (size_t)(end - rest->data) : rest->len;
	struct slice part = slice_trim(slice_first(*rest, len));
	*rest = slice_skip(*rest, end ? len + 1 : len);
	return part;
}

/* "0.5" to 500; what is not a quality counts as 1. */
static unsigned quality(struct slice text)
{
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

/* How exactly a range means the type: 0, it does not. */
static unsigned match(struct slice range, const char *type, const char *subtype)
{
	struct slice main = take(&range, '/');
	if (slice_is(main, "*"))
		return ANY;
	if (!slice_is(main, type))
		return 0;
	return slice_is(range, "*") ? TYPE_ONLY : slice_is(range, subtype) ? NAMED : 0;
}

/* The most exact range decides. */
static unsigned wish(struct slice accept, const char *type, const char *subtype)
{
	unsigned best = 0, value = 0;
	while (accept.len) {
		struct slice item = take(&accept, ',');
		unsigned exact = match(take(&item, ';'), type, subtype), q = FULL;
		while (item.len) {
			struct slice parameter = take(&item, ';');
			if (parameter.len > 2 && slice_is(slice_first(parameter, 2), "q="))
				q = quality(slice_skip(parameter, 2));
		}
		if (exact > best) {
			best = exact;
			value = q;
		}
	}
	return value;
}

bool accept_json(struct slice accept)
{
	return wish(accept, "application", "json") > wish(accept, "text", "plain");
}

static bool is_port(struct slice text)
{
	unsigned n = 0;
	for (size_t i = 0; i < text.len && n <= PORT_MOST; i++) {
		if (!ascii_is_digit(text.data[i]))
			return false;
		n = n * 10 + (unsigned)(text.data[i] - '0');
	}
	return text.len > 0 && n <= PORT_MOST;
}

/* 127.0.0.1 and all others of 127.0.0.0/8, in four decimal parts: other forms mean another machine to some. */
static bool is_loopback_ip4(struct slice name)
{
	char text[INET_ADDRSTRLEN] = "";
	struct in_addr address;
	if (name.len >= sizeof(text))
		return false;
	memcpy(text, name.data, name.len);
	return inet_pton(AF_INET, text, &address) == 1 && ntohl(address.s_addr) >> 24 == 127;
}

bool accept_loopback_host(struct slice host)
{
	const uint8_t *colon = host.len ? memrchr(host.data, ':', host.len) : NULL;
	bool in_brackets = host.len && host.data[host.len - 1] == ']';
	if (colon && !in_brackets) {
		struct slice port = slice_skip(host, (size_t)(colon + 1 - host.data));
		if (!is_port(port))
			return false;
		host = slice_first(host, (size_t)(colon - host.data));
	}
	return slice_is(host, "localhost") || slice_is(host, "[::1]") || is_loopback_ip4(host);
}
