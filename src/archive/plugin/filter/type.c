/* SPDX-License-Identifier: MIT */
/* The filter of --type: called when the record's head is known. */
#include "archive/plugin/filter/word_filter.h"
#include "archive/stream/record.h"
#include "base/ascii.h"

static const struct dana_host *_Atomic host; /* always the same; archives in several threads set it */

/* Returns whether it is a type of the standard, or of an extension, such as "x-crawl-log". */
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

static struct near_name near_type(struct slice item)
{
	struct near_name near = near_name_of(item);
	for (int type = 0; type < RECORD_OTHER; type++)
		near_name_offer(&near, record_type_name((enum record_type)type));
	near_name_offer(&near, WORD_ANY);
	return near;
}

static int load(void **shared, const struct dana_host *h, struct dana_context *c)
{
	static const struct word_filter filter = { is_type, near_type, "--type",
						   "a record type of WARC, one that begins with x-, or any" };
	host = h;
	return word_filter_load(&filter, shared, h, c);
}

static int head(void *list, struct dana_page *p)
{
	const struct dana_view type = host->text_item(p, DANA_RECORD_TYPE);
	return word_filter_answer(list, slice_of(type.data, type.len));
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
};
