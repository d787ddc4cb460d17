/* SPDX-License-Identifier: MIT */
/* The example of a plugin in doc/HACKING.md: drops long pages. */
#include <stdlib.h>

#include "dana/dana_plugin.h"

static const struct dana_host *host;

static int load(void **shared, const struct dana_host *h, struct dana_context *c)
{
	host = h;
	int64_t *most = malloc(sizeof(*most));
	if (!most)
		return host->fail(c, "no memory");
	*most = host->option_integer(c, "most");
	*shared = most;
	return 0;
}

static int page(void *instance, struct dana_page *p)
{
	const int64_t *most = instance;
	return host->number_item(p, DANA_TEXT_CHARS) > *most ? host->drop(p, "most") : DANA_KEEP;
}

static const struct dana_option options[] = {
	{ "most", DANA_SIZE, NULL, "1M", "drop longer texts", 1, 1e9 },
	{ .name = NULL },
};

DANA_PLUGIN(long) = {
	DANA_PLUGIN_HEAD,
	.flags = DANA_PLUGIN_PURE,
	.name = "long",
	.version = "1",
	.help = "drops long pages",
	.options = options,
	.load = load,
	.page = page,
	.unload = free,
};
