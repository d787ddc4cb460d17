/* SPDX-License-Identifier: MIT */
/* The filter of --status: called when the HTTP head is known. A record without HTTP status passes. */
#include "archive/plugin/filter/word_filter.h"
#include "base/ascii.h"

/* Suggestions for mistyped statuses; other statuses are accepted, too. */
#define COMMON_STATUSES "200|206|301|302|304|403|404|410|500|503"

enum { STATUS_LEAST = 100, STATUS_MOST = 999, STATUS_DIGITS = 3 };

static const struct dana_host *_Atomic host; /* always the same; archives in several threads set it */

static bool is_status(struct slice item)
{
	return item.len == STATUS_DIGITS && item.data[0] != '0' && ascii_is_digit(item.data[0]) &&
	       ascii_is_digit(item.data[1]) && ascii_is_digit(item.data[2]);
}

static struct near_name near_status(struct slice item)
{
	struct near_name near = near_name_of(item);
	if (item.len == STATUS_DIGITS)
		near_name_offer_words(&near, COMMON_STATUSES "|" WORD_ANY);
	return near;
}

static int load(void **shared, const struct dana_host *h, struct dana_context *c)
{
	static const struct word_filter filter = { is_status, near_status, "--status", "100 to 999, or any" };
	host = h;
	return word_filter_load(&filter, shared, h, c);
}

static int http(void *list, struct dana_page *p)
{
	const int64_t status = host->number_item(p, DANA_HTTP_STATUS);
	if (!list || status == 0)
		return DANA_KEEP;
	if (status < STATUS_LEAST || status > STATUS_MOST)
		return DANA_DROP;
	const uint8_t word[STATUS_DIGITS] = { (uint8_t)('0' + status / 100), (uint8_t)('0' + status / 10 % 10),
					      (uint8_t)('0' + status % 10) };
	return word_filter_answer(list, slice_of(word, STATUS_DIGITS));
}

static const struct dana_option options[] = {
	{ "take", DANA_LIST, NULL, "200", "HTTP statuses to take; any takes all", 0, 0 },
	{ .name = NULL },
};

DANA_PLUGIN(status) = {
	DANA_PLUGIN_HEAD,
	.flags = DANA_PLUGIN_PURE,
	.name = "status",
	.version = "1",
	.help = "takes records by their HTTP status",
	.options = options,
	.load = load,
	.http = http,
};
