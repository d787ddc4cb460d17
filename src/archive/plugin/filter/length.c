/* SPDX-License-Identifier: MIT */
/* The filter of --min-chars: called when the text is complete, and again after a plugin has changed it. */
#include <stdlib.h>

#include "base/status.h"
#include "dana/dana_plugin.h"

static const struct dana_host *_Atomic host; /* always the same; archives in several threads set it */

struct length {
	int64_t least;
};

static int load(void **shared, const struct dana_host *h, struct dana_context *c)
{
	host = h;
	struct length *length = malloc(sizeof(*length));
	if (!length)
		return host->fail(c, "%s", status_text(DANA_ENOMEM));
	length->least = host->option_integer(c, "take");
	*shared = length;
	return 0;
}

static int page(void *instance, struct dana_page *p)
{
	const struct length *length = instance;
	return host->number_item(p, DANA_TEXT_CHARS) < length->least ? DANA_DROP : DANA_KEEP;
}

static const struct dana_option options[] = {
	{ "take", DANA_SIZE, NULL, "1", "fewest characters of text", 0, 0 },
	{ .name = NULL },
};

DANA_PLUGIN(length) = {
	DANA_PLUGIN_HEAD,
	.flags = DANA_PLUGIN_PURE,
	.name = "length",
	.version = "1",
	.help = "takes pages by the length of their text",
	.options = options,
	.load = load,
	.page = page,
	.unload = free,
};
