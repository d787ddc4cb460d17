/* SPDX-License-Identifier: MIT */
/*
 * An ORDERED plugin: numbers the pages, appends the number to the text, drops every third page, and compares what
 * `prepare` has attached with the text that it sees. Its state is the number, which save and restore keep.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dana/dana_plugin.h"

static const struct dana_host *host;

struct order {
	int64_t pages, empty;
	int fails;
	struct dana_context *context;
};

static const char *const counters[] = { "seen", NULL };

static int load(void **shared, const struct dana_host *h, struct dana_context *c)
{
	(void)c;
	host = h;
	*shared = NULL;
	return 0;
}

static int open_instance(void **instance, void *shared, const struct dana_host *h, struct dana_context *c)
{
	struct order *x = calloc(1, sizeof(*x));
	(void)shared;
	if (!x)
		return h->fail(c, "no memory");
	x->context = c;
	x->empty = h->option_integer(c, "empty");
	x->fails = h->option_boolean(c, "fails");
	*instance = x;
	return 0;
}

static int prepare(void *shared, struct dana_page *p)
{
	const size_t len = host->text(p).len;
	(void)shared;
	return host->attach(p, &len, sizeof(len));
}

static int page(void *instance, struct dana_page *p)
{
	struct order *x = instance;
	const struct dana_view text = host->text(p), attached = host->attached(p);
	size_t len;
	x->pages++;
	host->count(p, 0, 1);
	if (attached.len != sizeof(len) || (memcpy(&len, attached.data, sizeof(len)), len != text.len))
		return host->page_fail(p, "what was attached is not of this text");
	if (x->pages == x->empty)
		return host->set_text(p, (struct dana_view){ "", 0 });
	if (x->pages % 3 == 0) {
		if (host->put_integer(p, "number", x->pages))
			return -1;
		return host->drop(p, "third");
	}
	char *longer = host->memory(p, text.len + 32);
	if (!longer)
		return host->page_fail(p, "no memory");
	memcpy(longer, text.data, text.len);
	int more = snprintf(longer + text.len, 32, "\npage %lld", (long long)x->pages);
	if (host->put_integer(p, "number", x->pages))
		return -1;
	return host->set_text(p, (struct dana_view){ longer, text.len + (size_t)more });
}

static int save(void *instance, struct dana_store *store)
{
	const struct order *x = instance;
	return host->store(store, &x->pages, sizeof(x->pages));
}

static int restore(void *instance, struct dana_view state)
{
	struct order *x = instance;
	if (state.len != sizeof(x->pages))
		return host->fail(x->context, "a state of %d bytes", (int)state.len);
	memcpy(&x->pages, state.data, sizeof(x->pages));
	return 0;
}

static int finish(void *instance)
{
	struct order *x = instance;
	if (x->fails && !getenv("ORDER_FINISHES"))
		return host->fail(x->context, "it does not want to finish");
	host->report(x->context, "half", (double)x->pages / 2);
	return 0;
}

static const struct dana_option options[] = {
	{ "empty", DANA_INTEGER, NULL, "0", "the page of this number gets an empty text", 0, 0 },
	{ "fails", DANA_BOOLEAN, NULL, "0", "finish fails, unless ORDER_FINISHES is set", 0, 0 },
	{ .name = NULL },
};

DANA_PLUGIN(order) = {
	DANA_PLUGIN_HEAD,
	.flags = DANA_PLUGIN_ORDERED,
	.name = "order",
	.version = "1",
	.help = "numbers pages",
	.options = options,
	.counters = counters,
	.load = load,
	.open = open_instance,
	.prepare = prepare,
	.page = page,
	.save = save,
	.restore = restore,
	.finish = finish,
	.close = free,
};
