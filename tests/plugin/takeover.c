/* SPDX-License-Identifier: MIT */
/* A plugin that tries what a page that has taken over the program would try, and puts into the text how it went. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "dana/dana_plugin.h"

static const struct dana_host *host;

static int load(void **shared, const struct dana_host *h, struct dana_context *c)
{
	(void)c;
	host = h;
	*shared = NULL;
	return 0;
}

static const char *how(int result)
{
	if (result >= 0)
		return "done";
	return errno == EPERM ? "EPERM" : errno == EACCES ? "EACCES" : "other";
}

static int page(void *instance, struct dana_page *p)
{
	char *const argv[] = { (char *)"true", NULL };
	char text[400];
	int len = 0;
	(void)instance;
	len += snprintf(text + len, sizeof(text) - (size_t)len, "execve %s\n", how(execve("/bin/true", argv, NULL)));
	len += snprintf(text + len, sizeof(text) - (size_t)len, "fork %s\n", how((int)fork()));
	len += snprintf(text + len, sizeof(text) - (size_t)len, "socket %s\n", how(socket(AF_INET, SOCK_STREAM, 0)));
	len += snprintf(text + len, sizeof(text) - (size_t)len, "read %s\n", how(open("/etc/passwd", O_RDONLY)));
	len += snprintf(text + len, sizeof(text) - (size_t)len, "write %s\n",
			how(open("planted", O_WRONLY | O_CREAT, 0600)));
	return host->set_text(p, (struct dana_view){ text, (size_t)len });
}

DANA_PLUGIN(takeover) = {
	DANA_PLUGIN_HEAD,
	.flags = DANA_PLUGIN_PURE,
	.name = "takeover",
	.version = "1",
	.help = "tries what should not be possible",
	.load = load,
	.page = page,
};
