/* SPDX-License-Identifier: MIT */
/* The filter of --type: asked when the record's head is known. */
#include <stdlib.h>

#include "archive/plugin/filter/word_list.h"
#include "archive/stream/record.h"
#include "base/ascii.h"
#include "base/near_name.h"
#include "dana/dana_plugin.h"

static const struct dana_host *host;

struct types {
	const char *list; /* NULL takes all */
};

/* A type of the standard, or one of an extension, as "x-crawl-log". */
static bool is_type(struct slice item)
{
	if (item.len > 2 && slice_is(slice_first(item, 2), "x-"))
		return true;
	for (int type = 0; type < RECORD_OTHER; type++) {
		if (slice_is(item, record_type_name((enum record_type)type)))
			return true;
	}
	return false;
}

static int unknown(struct dana_context *c, struct slice item)
{
	struct near_name near = near_name_of(item);
	struct error err = { 0 };
	for (int type = 0; type < RECORD_OTHER; type++)
		near_name_offer(&near, record_type_name((enum record_type)type));
	near_name_offer(&near, WORD_ANY);
	(void)near_name_refuse(&near, "--type", "a record type of WARC, one that begins with x-, or any", &err);
	return host->fail(c, "%s", err.text);
}

static int load(void **shared, const struct dana_host *h, struct dana_context *c)
{
	host = h;
	const char *list = word_list_unless_any(host->option_text(c, "take"));
	for (const char *rest = list; rest && *rest;) {
		const struct slice item = word_list_next(&rest);
		if (!is_type(item))
			return unknown(c, item);
	}
	struct types *types = malloc(sizeof(*types));
	if (!types)
		return host->fail(c, "%s", status_text(DANA_ENOMEM));
	types->list = list;
	*shared = types;
	return 0;
}

static int head(void *instance, struct dana_page *p)
{
	const struct types *types = instance;
	if (!types->list)
		return DANA_KEEP;
	const struct dana_view type = host->text_item(p, DANA_RECORD_TYPE);
	return word_list_has(types->list, slice_of(type.data, type.len)) ? DANA_KEEP : DANA_DROP;
}

static const struct dana_option options[] = {
	{ "take", DANA_LIST, NULL, "response,resource", "record types to take; any takes all", 0, 0 },
	{ .name = NULL },
};

DANA_PLUGIN(type) = {
	DANA_PLUGIN_HEAD,
	.flags = DANA_PLUGIN_PURE,
	.name = "type",
	.version = "1",
	.help = "takes records by their type",
	.options = options,
	.load = load,
	.head = head,
	.unload = free,
};
