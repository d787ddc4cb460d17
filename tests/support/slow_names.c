/* SPDX-License-Identifier: MIT */
/*
 * Loaded before libc, it finds every host of the domain "test" at 127.0.0.1, after as many seconds as SLOW_NAMES in the
 * environment says (none: at once), as a name server does that is slow.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <netdb.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

__attribute__((visibility("default"))) int getaddrinfo(const char *node, const char *service,
						       const struct addrinfo *hints, struct addrinfo **result)
{
	int (*libc)(const char *, const char *, const struct addrinfo *, struct addrinfo **);
	const char *seconds = getenv("SLOW_NAMES"), *dot = node ? strrchr(node, '.') : NULL;
	*(void **)&libc = dlsym(RTLD_NEXT, "getaddrinfo");
	if (!dot || strcmp(dot, ".test") != 0)
		return libc(node, service, hints, result);
	(void)poll(NULL, 0, seconds ? 1000 * atoi(seconds) : 0);
	return libc("127.0.0.1", service, hints, result);
}
