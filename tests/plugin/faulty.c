/* SPDX-License-Identifier: MIT */
/* A plugin that fails in the way that its option `how` names, at the record of number `at`. */
#include <stdlib.h>
#include <string.h>

#include "dana/dana_plugin.h"

static const struct dana_host *host;

struct faulty {
	const char *how;
	int64_t at;
};

static int load(void **shared, const struct dana_host *h, struct dana_context *c)
{
	host = h;
	struct faulty *x = malloc(sizeof(*x));
	if (!x || strcmp(h->option_text(c, "how"), "load") == 0) {
		free(x);
		return h->fail(c, "its list is missing");
	}
	x->how = h->option_text(c, "how");
	x->at = h->option_integer(c, "at");
	if (strcmp(x->how, "quiet") == 0) {
		free(x);
		return -5;
	}
	*shared = x;
	return 0;
}

/* The rule is too long, and is cut inside of one of its letters of two bytes. */
static int drop_by_long_rule(struct dana_page *p)
{
	char rule[200] = "";
	while (strlen(rule) + 3 < sizeof(rule))
		strcat(rule, "\u00e9");
	return host->drop(p, rule);
}

static int fail_as(const char *how, struct dana_page *p)
{
	if (strcmp(how, "page") == 0)
		return host->page_fail(p, "it cannot read\nthis");
	if (strcmp(how, "number") == 0)
		return 7;
	if (strcmp(how, "negative") == 0)
		return -9;
	if (strcmp(how, "twice") == 0)
		return host->put_integer(p, "a", 1) || host->put_integer(p, "a", 2) ? -1 : 0;
	if (strcmp(how, "key") == 0)
		host->put_integer(p, "a\"b", 1); /* its answer is not looked at */
	if (strcmp(how, "json") == 0)
		return host->put_json(p, "a", (struct dana_view){ "{\"a\":1}}", 8 });
	if (strcmp(how, "utf8") == 0)
		return host->set_text(p, (struct dana_view){ "\xff\xfe", 2 });
	if (strcmp(how, "language") == 0)
		return host->set_language(p, (struct dana_view){ "en", 2 }, (struct dana_view){ "eng", 3 }, 1);
	if (strcmp(how, "rule") == 0)
		return drop_by_long_rule(p);
	return 0;
}

static int page(void *instance, struct dana_page *p)
{
	const struct faulty *x = instance;
	return host->number_item(p, DANA_RECORD_NUMBER) < x->at ? DANA_KEEP : fail_as(x->how, p);
}

static const struct dana_option options[] = {
	{ "how", DANA_CHOICE, "load|quiet|page|number|negative|twice|key|json|utf8|language|rule", "page", "the way", 0,
	  0 },
	{ "at", DANA_INTEGER, NULL, "0", "the first record", 0, 0 },
	{ .name = NULL },
};

DANA_PLUGIN(faulty) = {
	DANA_PLUGIN_HEAD, .flags = DANA_PLUGIN_PURE, .name = "faulty", .version = "1",
	.help = "fails",  .options = options,        .load = load,     .page = page,
	.unload = free,
};
