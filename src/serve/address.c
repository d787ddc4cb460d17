/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "serve/address.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>

#include "base/ascii.h"
#include "base/hash.h"
#include "base/printable.h"

enum { SHOWN = 120, PORT_MOST = 65535 };

static enum address_reach reach_of_ip4(uint32_t address)
{
	return ntohl(address) >> 24 == 127 ? ADDRESS_LOOPBACK : ADDRESS_NETWORK;
}

static enum address_reach reach_of(const struct sockaddr *socket)
{
	if (socket->sa_family == AF_INET)
		return reach_of_ip4(((const struct sockaddr_in *)(const void *)socket)->sin_addr.s_addr);
	if (socket->sa_family != AF_INET6)
		return socket->sa_family == AF_UNIX ? ADDRESS_UNIX : ADDRESS_NETWORK;
	const struct in6_addr *ip6 = &((const struct sockaddr_in6 *)(const void *)socket)->sin6_addr;
	if (IN6_IS_ADDR_LOOPBACK(ip6))
		return ADDRESS_LOOPBACK;
	uint32_t mapped;
	memcpy(&mapped, ip6->s6_addr + 12, sizeof(mapped));
	return IN6_IS_ADDR_V4MAPPED(ip6) ? reach_of_ip4(mapped) : ADDRESS_NETWORK;
}

static int refuse(struct slice text, struct error *err)
{
	char shown[SHOWN];
	return error_set(err, DANA_ECONFIG,
			 "--listen: '%s' is not an address; expected 127.0.0.1:PORT, [::1]:PORT or unix:PATH",
			 printable(text, shown, sizeof(shown)));
}

static int read_unix(struct slice path, struct address *a, struct error *err)
{
	struct sockaddr_un *un = (struct sockaddr_un *)(void *)&a->socket;
	if (path.len == 0 || path.len >= sizeof(un->sun_path) || memchr(path.data, 0, path.len))
		return error_set(err, DANA_ECONFIG, "--listen: a path of a unix socket has 1 to %zu bytes",
				 sizeof(un->sun_path) - 1);
	un->sun_family = AF_UNIX;
	memcpy(un->sun_path, path.data, path.len);
	a->length = sizeof(*un);
	return DANA_OK;
}

static bool read_port(struct slice text, uint16_t *port)
{
	unsigned n = 0;
	for (size_t i = 0; i < text.len; i++) {
		if (!ascii_is_digit(text.data[i]) || n > PORT_MOST)
			return false;
		n = n * 10 + (unsigned)(text.data[i] - '0');
	}
	*port = htons((uint16_t)n);
	return text.len > 0 && n <= PORT_MOST;
}

static bool read_host(struct slice host, uint16_t port, struct address *a)
{
	char text[INET6_ADDRSTRLEN + 1] = "";
	struct sockaddr_in *ip4 = (struct sockaddr_in *)(void *)&a->socket;
	struct sockaddr_in6 *ip6 = (struct sockaddr_in6 *)(void *)&a->socket;
	bool bracketed = host.len > 2 && host.data[0] == '[' && host.data[host.len - 1] == ']';
	if (bracketed)
		host = slice_of(host.data + 1, host.len - 2);
	if (host.len >= sizeof(text))
		return false;
	memcpy(text, host.data, host.len);
	if (slice_is(host, "localhost"))
		memcpy(text, "127.0.0.1", sizeof("127.0.0.1"));
	if (bracketed) {
		*ip6 = (struct sockaddr_in6){ .sin6_family = AF_INET6, .sin6_port = port };
		a->length = sizeof(*ip6);
		return inet_pton(AF_INET6, text, &ip6->sin6_addr) == 1;
	}
	*ip4 = (struct sockaddr_in){ .sin_family = AF_INET, .sin_port = port };
	a->length = sizeof(*ip4);
	return inet_pton(AF_INET, text, &ip4->sin_addr) == 1;
}

int address_read(struct slice text, struct address *a, struct error *err)
{
	static const char scheme[] = "unix:";
	size_t len = sizeof(scheme) - 1;
	uint16_t port;
	*a = (struct address){ .length = 0 };
	if (text.len >= len && memcmp(text.data, scheme, len) == 0)
		return read_unix(slice_skip(text, len), a, err);
	const uint8_t *colon = text.len ? memrchr(text.data, ':', text.len) : NULL;
	if (!colon)
		return refuse(text, err);
	struct slice host = slice_first(text, (size_t)(colon - text.data));
	if (!read_port(slice_skip(text, host.len + 1), &port) || !read_host(host, port, a))
		return refuse(text, err);
	a->reach = reach_of((const struct sockaddr *)&a->socket);
	return DANA_OK;
}

int address_of_socket(int fd, struct address *a, struct error *err)
{
	*a = (struct address){ .length = sizeof(a->socket) };
	if (getsockname(fd, (struct sockaddr *)&a->socket, &a->length) < 0)
		return error_set(err, DANA_EIO, "socket %d: %s", fd, system_text(errno));
	a->reach = reach_of((const struct sockaddr *)&a->socket);
	return DANA_OK;
}

void address_show(const struct address *a, char *out, size_t size)
{
	char text[INET6_ADDRSTRLEN] = "";
	if (a->socket.ss_family == AF_UNIX) {
		const struct sockaddr_un *un = (const struct sockaddr_un *)(const void *)&a->socket;
		char shown[sizeof(un->sun_path) * 4 + 8];
		(void)snprintf(out, size, "unix:%s",
			       printable(slice_of(un->sun_path, strnlen(un->sun_path, sizeof(un->sun_path))), shown,
					 sizeof(shown)));
		return;
	}
	const struct sockaddr_in *ip4 = (const struct sockaddr_in *)(const void *)&a->socket;
	const struct sockaddr_in6 *ip6 = (const struct sockaddr_in6 *)(const void *)&a->socket;
	bool six = a->socket.ss_family == AF_INET6;
	(void)inet_ntop(six ? AF_INET6 : AF_INET, six ? (const void *)&ip6->sin6_addr : (const void *)&ip4->sin_addr,
			text, sizeof(text));
	(void)snprintf(out, size, six ? "http://[%s]:%u/" : "http://%s:%u/", text,
		       (unsigned)ntohs(six ? ip6->sin6_port : ip4->sin_port));
}

uint32_t address_peer(const struct sockaddr *peer, uint32_t seed)
{
	if (peer->sa_family == AF_INET) {
		const struct sockaddr_in *ip4 = (const struct sockaddr_in *)(const void *)peer;
		return hash_fnv32(slice_of(&ip4->sin_addr, sizeof(ip4->sin_addr)), seed);
	}
	if (peer->sa_family == AF_INET6) {
		/* A machine has at least a network of 64 bits. */
		const struct sockaddr_in6 *ip6 = (const struct sockaddr_in6 *)(const void *)peer;
		return hash_fnv32(slice_of(&ip6->sin6_addr, 8), seed);
	}
	return 0;
}
