/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "serve/listen.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/hash.h"
#include "base/printable.h"
#include "serve/connection.h"
#include "serve/serve.h"

enum { FIRST_INHERITED = 3 };

/* ---- addresses ---- */

static enum address_reach reach_of(const struct sockaddr *socket)
{
	uint32_t ip4;
	if (socket->sa_family == AF_INET) {
		ip4 = ((const struct sockaddr_in *)(const void *)socket)->sin_addr.s_addr;
	} else if (socket->sa_family == AF_INET6) {
		const struct in6_addr *ip6 = &((const struct sockaddr_in6 *)(const void *)socket)->sin6_addr;
		if (!IN6_IS_ADDR_V4MAPPED(ip6))
			return IN6_IS_ADDR_LOOPBACK(ip6) ? ADDRESS_LOOPBACK : ADDRESS_NETWORK;
		memcpy(&ip4, ip6->s6_addr + 12, sizeof(ip4));
	} else {
		return socket->sa_family == AF_UNIX ? ADDRESS_UNIX : ADDRESS_NETWORK;
	}
	return ntohl(ip4) >> 24 == 127 ? ADDRESS_LOOPBACK : ADDRESS_NETWORK;
}

static int refuse(struct slice text, struct error *err)
{
	char shown[120];
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
		if (!ascii_is_digit(text.data[i]))
			return false;
		n = n * 10 + (unsigned)(text.data[i] - '0');
		if (n > UINT16_MAX)
			return false;
	}
	*port = htons((uint16_t)n);
	return text.len > 0;
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

/* ---- sockets ---- */

static int fault(const struct address *a, int error, struct error *err)
{
	char shown[ADDRESS_SHOWN];
	address_show(a, shown, sizeof(shown));
	return error_set(err, DANA_EIO, "--listen: %s: %s", shown, system_text(error));
}

static const char *path_of(const struct address *a)
{
	return ((const struct sockaddr_un *)(const void *)&a->socket)->sun_path;
}

/* A socket of a service that was killed: nobody listens at it. */
static bool is_left_over(const struct address *a)
{
	struct stat st;
	if (lstat(path_of(a), &st) < 0 || !S_ISSOCK(st.st_mode))
		return false;
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	bool dead = fd >= 0 && connect(fd, (const struct sockaddr *)&a->socket, a->length) < 0 && errno == ECONNREFUSED;
	if (fd >= 0)
		(void)close(fd);
	return dead;
}

/* Only its owner may use a unix socket. */
static int bind_unix(int fd, const struct address *a)
{
	mode_t before = umask(0177);
	int result = bind(fd, (const struct sockaddr *)&a->socket, a->length);
	if (result < 0 && errno == EADDRINUSE && is_left_over(a) && unlink(path_of(a)) == 0)
		result = bind(fd, (const struct sockaddr *)&a->socket, a->length);
	int error = errno;
	(void)umask(before);
	errno = result < 0 && error == ECONNREFUSED ? EADDRINUSE : error;
	return result;
}

static int open_socket(const struct address *a, struct error *err)
{
	const int on = 1;
	int family = a->socket.ss_family;
	int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return fault(a, errno, err);
	if (family != AF_UNIX)
		(void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	int result = family == AF_UNIX ? bind_unix(fd, a) : bind(fd, (const struct sockaddr *)&a->socket, a->length);
	if (result == 0)
		return fd;
	(void)fault(a, errno, err);
	(void)close(fd);
	return DANA_EIO;
}

static int begin(const struct serve_config *config, struct gate *gate, int fd, struct error *err)
{
	struct address a = { .length = sizeof(a.socket) };
	char shown[ADDRESS_SHOWN], line[ADDRESS_SHOWN + 20];
	int status = DANA_OK;
	if (getsockname(fd, (struct sockaddr *)&a.socket, &a.length) < 0) {
		status = error_set(err, DANA_EIO, "socket %d: %s", fd, system_text(errno));
	} else {
		a.reach = reach_of((const struct sockaddr *)&a.socket);
		address_show(&a, shown, sizeof(shown));
		if (a.reach == ADDRESS_NETWORK && config->token.len == 0)
			status = error_set(err, DANA_ECONFIG,
					   "--listen: %s can be reached from the network; give --token-file FILE",
					   shown);
	}
	if (status < 0) {
		(void)close(fd);
		return status;
	}
	status = gate_listen(gate, fd, &a, err);
	(void)snprintf(line, sizeof(line), "listening on %s", shown);
	if (status == DANA_OK)
		config->line(line);
	return status;
}

/* Takes the next address of the list. */
static bool take_address(struct slice *rest, struct slice *text)
{
	*text = slice_first(*rest, slice_until(*rest, ","));
	*rest = slice_skip(*rest, text->len + 1);
	return text->len > 0;
}

int listen_check_inherited(const struct serve_config *config, struct error *err)
{
	for (unsigned i = 0; i < config->inherited; i++) {
		int fd = FIRST_INHERITED + (int)i, listens = 0;
		socklen_t size = sizeof(listens);
		if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) < 0 || !listens)
			return error_set(err, DANA_ECONFIG, "LISTEN_FDS: descriptor %d is not a socket that listens",
					 fd);
	}
	return DANA_OK;
}

int listen_open(const struct serve_config *config, struct gate *gate, struct error *err)
{
	struct slice rest = slice_from_text(config->listen ? config->listen : ""), text;
	int status = DANA_OK;
	for (unsigned i = 0; i < config->inherited && status == DANA_OK; i++) {
		int fd = FIRST_INHERITED + (int)i;
		(void)fcntl(fd, F_SETFD, FD_CLOEXEC);
		status = begin(config, gate, fd, err);
	}
	while (status == DANA_OK && take_address(&rest, &text)) {
		struct address a;
		status = address_read(text, &a, err);
		int fd = status == DANA_OK ? open_socket(&a, err) : -1;
		if (status == DANA_OK)
			status = fd < 0 ? fd : begin(config, gate, fd, err);
	}
	return status;
}

void listen_close(const struct serve_config *config)
{
	struct slice rest = slice_from_text(config->listen ? config->listen : ""), text;
	struct address a;
	while (take_address(&rest, &text)) {
		if (address_read(text, &a, NULL) == DANA_OK && a.reach == ADDRESS_UNIX)
			(void)unlink(path_of(&a));
	}
}
