/* SPDX-License-Identifier: MIT */
/* The filter of --mime: asked when the first bytes of the body are known. */
#include <stdlib.h>

#include "archive/plugin/filter/media_type.h"
#include "archive/plugin/filter/word_list.h"
#include "base/near_name.h"
#include "dana/dana_plugin.h"

/* What is suggested for a mistyped type; others are taken all the same. */
static const char *const common_types[] = { "text/html", "application/xhtml+xml", "text/plain", "application/pdf",
					    NULL };

static const struct dana_host *host;

struct mimes {
	const char *list; /* NULL takes all */
};

/* "html" is meant to be "text/html": the subtype stands for the whole. */
static int unknown(struct dana_context *c, struct slice item)
{
	struct near_name near = near_name_of(item);
	struct error err = { 0 };

	for (const char *const *type = common_types; *type; type++) {
		struct near_name subtype = near_name_of(item);
		near_name_offer(&near, *type);
		near_name_offer(&subtype, strchr(*type, '/') + 1);
		if (subtype.best.len && (!near.best.len || subtype.distance < near.distance)) {
			near.best = slice_from_text(*type);
			near.distance = subtype.distance;
		}
	}
	(void)near_name_refuse(&near, "--mime", "type/subtype, or any", &err);
	return host->fail(c, "%s", err.text);
}

static int load(void **shared, const struct dana_host *h, struct dana_context *c)
{
	host = h;
	const char *list = word_list_unless_any(host->option_text(c, "take"));
	for (const char *rest = list; rest && *rest;) {
		const struct slice item = word_list_next(&rest);
		if (item.len == 0 || media_type_of_header(item).len != item.len || memchr(item.data, '*', item.len))
			return unknown(c, item);
	}
	struct mimes *mimes = malloc(sizeof(*mimes));
	if (!mimes)
		return host->fail(c, "%s", status_text(DANA_ENOMEM));
	mimes->list = list;
	*shared = mimes;
	return 0;
}

static struct slice item(const struct dana_page *p, enum dana_text_item which)
{
	const struct dana_view v = host->text_item(p, which);
	return slice_of(v.data, v.len);
}

static int media(void *instance, struct dana_page *p)
{
	const struct mimes *mimes = instance;
	if (!mimes->list)
		return DANA_KEEP;
	const struct slice type =
		media_type(item(p, DANA_CONTENT_TYPE), item(p, DANA_PAYLOAD_TYPE), item(p, DANA_BODY_START));
	return word_list_has(mimes->list, type) ? DANA_KEEP : DANA_DROP;
}

static const struct dana_option options[] = {
	{ "take", DANA_LIST, NULL, "text/html,application/xhtml+xml", "media types to take; any takes all", 0, 0 },
	{ .name = NULL },
};

DANA_PLUGIN(mime) = {
	DANA_PLUGIN_HEAD,
	.flags = DANA_PLUGIN_PURE,
	.name = "mime",
	.version = "1",
	.help = "takes records by their media type",
	.options = options,
	.load = load,
	.media = media,
	.unload = free,
};
