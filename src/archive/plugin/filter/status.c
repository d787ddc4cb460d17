/* SPDX-License-Identifier: MIT */
/* The filter of --status: asked when the HTTP head is known. A record without HTTP status passes. */
#include <stdlib.h>

#include "archive/plugin/filter/word_list.h"
#include "base/decimal.h"
#include "base/near_name.h"
#include "dana/dana_plugin.h"

/* What is suggested for a mistyped status; others are taken all the same. */
#define COMMON_STATUSES "200|206|301|302|304|403|404|410|500|503"

enum { STATUS_LEAST = 100, STATUS_MOST = 999, STATUS_DIGITS = 3 };

static const struct dana_host *host;

struct statuses {
	bool any;
	uint64_t set[STATUS_MOST / 64 + 1]; /* a bit for each */
};

/* 100 to 999, as an index into the set; 0: the item is no HTTP status. */
static unsigned status_of(struct slice item)
{
	uint64_t n;

	if (item.len != STATUS_DIGITS || !decimal_number(item, UINT64_MAX, &n))
		return 0;
	return n >= STATUS_LEAST ? (unsigned)n : 0;
}

static int unknown(struct dana_context *c, struct slice item)
{
	struct near_name near = near_name_of(item);
	struct error err = { 0 };

	if (item.len == STATUS_DIGITS)
		near_name_offer_words(&near, COMMON_STATUSES "|" WORD_ANY);
	(void)near_name_refuse(&near, "--status", "100 to 999, or any", &err);
	return host->fail(c, "%s", err.text);
}

static int read_list(struct statuses *s, const char *list, struct dana_context *c)
{
	while (*list) {
		const struct slice item = word_list_next(&list);
		const unsigned n = status_of(item);
		if (!n)
			return unknown(c, item);
		s->set[n / 64] |= (uint64_t)1 << (n % 64);
	}
	return 0;
}

static int load(void **shared, const struct dana_host *h, struct dana_context *c)
{
	host = h;
	const char *list = word_list_unless_any(host->option_text(c, "take"));
	struct statuses *s = calloc(1, sizeof(*s));
	if (!s)
		return host->fail(c, "%s", status_text(DANA_ENOMEM));
	s->any = !list;
	const int result = list ? read_list(s, list, c) : 0;
	if (result < 0)
		free(s);
	else
		*shared = s;
	return result;
}

static int http(void *instance, struct dana_page *p)
{
	const struct statuses *s = instance;
	const int64_t status = host->number_item(p, DANA_HTTP_STATUS);
	if (s->any || status == 0)
		return DANA_KEEP;
	if (status < STATUS_LEAST || status > STATUS_MOST)
		return DANA_DROP;
	return s->set[status / 64] >> (status % 64) & 1 ? DANA_KEEP : DANA_DROP;
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
	.unload = free,
};
