/* SPDX-License-Identifier: MIT */
/*
 * Loaded before libc, a resolver that lies, and a network on which the public address 93.184.216.34 is this machine:
 *
 *	public.test    the public address
 *	inside.test    127.0.0.1
 *	mapped.test    ::ffff:127.0.0.1
 *	both.test      a public address that nobody listens at, then 127.0.0.1
 *	changes.test   the public address, and 127.0.0.1 for each later question, of any process (file LYING_NAMES)
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define PUBLIC "93.184.216.34"
#define VISIBLE __attribute__((visibility("default")))

VISIBLE int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **result)
{
	int (*libc)(const char *, const char *, const struct addrinfo *, struct addrinfo **);
	const char *dot = node ? strrchr(node, '.') : NULL, *file = getenv("LYING_NAMES");
	*(void **)&libc = dlsym(RTLD_NEXT, "getaddrinfo");
	if (!dot || strcmp(dot, ".test") != 0)
		return libc(node, service, hints, result);
	if (strcmp(node, "inside.test") == 0)
		return libc("127.0.0.1", service, hints, result);
	if (strcmp(node, "mapped.test") == 0)
		return libc("::ffff:127.0.0.1", service, hints, result);
	if (strcmp(node, "changes.test") == 0 && file) {
		const int asked = access(file, F_OK) == 0;
		FILE *mark = fopen(file, "we");
		if (mark)
			(void)fclose(mark);
		return libc(asked ? "127.0.0.1" : PUBLIC, service, hints, result);
	}
	if (strcmp(node, "both.test") == 0) {
		struct addrinfo *last;
		const int fault = libc("93.184.216.35", service, hints, result);
		if (fault)
			return fault;
		for (last = *result; last->ai_next;)
			last = last->ai_next;
		return libc("127.0.0.1", service, hints, &last->ai_next);
	}
	return libc(PUBLIC, service, hints, result);
}

VISIBLE int connect(int fd, const struct sockaddr *address, socklen_t len)
{
	int (*libc)(int, const struct sockaddr *, socklen_t);
	struct sockaddr_in here;
	char text[INET_ADDRSTRLEN] = "";
	*(void **)&libc = dlsym(RTLD_NEXT, "connect");
	if (address->sa_family != AF_INET)
		return libc(fd, address, len);
	memcpy(&here, address, sizeof(here));
	(void)inet_ntop(AF_INET, &here.sin_addr, text, sizeof(text));
	if (strcmp(text, "93.184.216.35") == 0)
		here.sin_port = htons(1); /* refused */
	if (strncmp(text, "93.184.216.3", 12) == 0)
		here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	return libc(fd, (const struct sockaddr *)&here, len);
}
