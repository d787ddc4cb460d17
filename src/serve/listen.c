/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "serve/listen.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_INHERITED = 3, SHOWN = 400 };

static int fault(const struct address *a, int error, struct error *err)
{
	char shown[SHOWN];
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

static int begin(struct server *s, int fd, struct error *err)
{
	struct address a;
	char shown[SHOWN], line[SHOWN + 20];
	int status = address_of_socket(fd, &a, err);
	if (status == DANA_OK)
		address_show(&a, shown, sizeof(shown));
	if (status == DANA_OK && a.reach == ADDRESS_NETWORK && s->config->token.len == 0)
		status = error_set(err, DANA_ECONFIG,
				   "--listen: %s can be reached from the network; give --token-file FILE", shown);
	if (status < 0) {
		(void)close(fd);
		return status;
	}
	status = gate_listen(s->gate, fd, &a, err);
	(void)snprintf(line, sizeof(line), "listening on %s", shown);
	if (status == DANA_OK)
		s->config->line(line);
	return status;
}

/* The next address of the list. */
static bool take_address(struct slice *rest, struct slice *text)
{
	const uint8_t *end = rest->len ? memchr(rest->data, ',', rest->len) : NULL;
	size_t len = end ? (size_t)(end - rest->data) : rest->len;
	*text = slice_first(*rest, len);
	*rest = slice_skip(*rest, end ? len + 1 : len);
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

int listen_open(struct server *s, struct error *err)
{
	struct slice rest = slice_from_text(s->config->listen ? s->config->listen : ""), text;
	int status = DANA_OK;
	for (unsigned i = 0; i < s->config->inherited && status == DANA_OK; i++) {
		int fd = FIRST_INHERITED + (int)i;
		(void)fcntl(fd, F_SETFD, FD_CLOEXEC);
		status = begin(s, fd, err);
	}
	while (status == DANA_OK && take_address(&rest, &text)) {
		struct address a;
		status = address_read(text, &a, err);
		int fd = status == DANA_OK ? open_socket(&a, err) : -1;
		if (status == DANA_OK)
			status = fd < 0 ? fd : begin(s, fd, err);
	}
	return status;
}

void listen_close(const struct server *s)
{
	struct slice rest = slice_from_text(s->config->listen ? s->config->listen : ""), text;
	struct address a;
	while (take_address(&rest, &text)) {
		if (address_read(text, &a, NULL) == DANA_OK && a.reach == ADDRESS_UNIX)
			(void)unlink(path_of(&a));
	}
}
