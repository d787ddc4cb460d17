/* SPDX-License-Identifier: MIT */
/* A plugin as one may have been written for ABI 1, kept as it is: later headers must build it, later programs run it.
 */
#include <stdlib.h>
#include <string.h>

#include "dana/dana_plugin.h"

struct shared {
	const struct dana_host *host;
	struct dana_context *context;
	int64_t words;
	double share;
	struct dana_view kinds[2];
};

struct instance {
	const struct shared *shared;
	size_t stretches;
};

static int load(void **shared, const struct dana_host *host, struct dana_context *c)
{
	struct shared *s = calloc(1, sizeof(*s));
	if (host->abi != DANA_PLUGIN_ABI)
		return host->fail(c, "ABI %u", (unsigned)host->abi);
	if (!s)
		return host->fail(c, "no memory");
	s->host = host;
	s->context = c;
	s->words = host->option_integer(c, "words");
	s->share = host->option_number(c, "share");
	s->kinds[0] = host->option_item(c, "kinds", 0);
	s->kinds[1] = host->option_item(c, "kinds", 1);
	*shared = s;
	host->log(c, DANA_LOG_INFO, "strict %d, file %s", host->option_boolean(c, "strict"),
		  host->option_is_set(c, "file") ? host->option_text(c, "file") : "-");
	return 0;
}

static int open_instance(void **instance, void *shared, const struct dana_host *host, struct dana_context *c)
{
	struct instance *x = calloc(1, sizeof(*x));
	if (!x)
		return host->fail(c, "no memory");
	x->shared = shared;
	*instance = x;
	return 0;
}

static int head(void *instance, struct dana_page *p)
{
	const struct dana_host *host = ((struct instance *)instance)->shared->host;
	if (!host->text_item(p, DANA_RECORD_TYPE).data || !host->text_item(p, DANA_FILE_NAME).data)
		return host->page_fail(p, "the head is not known");
	if (host->number_item(p, DANA_RECORD_NUMBER) < 0 || host->number_item(p, DANA_OFFSET) < 0)
		return host->page_fail(p, "the place is not known");
	return host->warc_field(p, "WARC-Type").len ? DANA_KEEP : host->drop(p, "no type");
}

static int http(void *instance, struct dana_page *p)
{
	const struct dana_host *host = ((struct instance *)instance)->shared->host;
	if (host->number_item(p, DANA_HTTP_STATUS) != 200)
		return DANA_KEEP;
	if (!host->http_field(p, "content-type").len || !host->text_item(p, DANA_CONTENT_TYPE).len)
		return host->page_fail(p, "no media type");
	host->count(p, 0, 1);
	return DANA_KEEP;
}

static int media(void *instance, struct dana_page *p)
{
	const struct dana_host *host = ((struct instance *)instance)->shared->host;
	return host->text_item(p, DANA_BODY_START).data ? DANA_KEEP : host->page_fail(p, "no body");
}

static int html(void *instance, struct dana_page *p, struct dana_view stretch)
{
	struct instance *x = instance;
	(void)p;
	x->stretches = stretch.len ? x->stretches + 1 : 0;
	return 0;
}

/* One page of the sample is dropped by a rule. */
static int is_dropped(struct dana_view url)
{
	static const char end[] = "/ru.html";
	const size_t len = sizeof(end) - 1;
	return url.len >= len && memcmp(url.data + url.len - len, end, len) == 0;
}

static int page(void *instance, struct dana_page *p)
{
	const struct instance *x = instance;
	const struct shared *s = x->shared;
	const struct dana_host *host = s->host;
	const struct dana_view language = { "en", 2 }, code = { "eng", 3 }, json = { "[1]", 3 }, note = { "kept", 4 };
	const struct dana_view url = host->text_item(p, DANA_URL), text = host->text(p);
	char *copy = host->memory(p, text.len);
	int failed = 0;
	if (is_dropped(url))
		return host->drop(p, "ru");
	if (!copy || !x->stretches || host->number_item(p, DANA_TEXT_CHARS) <= 0 || !host->html(p).len)
		return host->page_fail(p, "the page is not known");
	memcpy(copy, text.data, text.len);
	failed |= host->put_boolean(p, "url", url.len > 0);
	failed |= host->put_boolean(p, "blocks", host->block_count(p) > 1 && host->block(p, 0).text.len > 0);
	failed |= host->put_number(p, "share", s->share);
	failed |= host->put_integer(p, "words", s->words);
	failed |= host->put_list(p, "kinds", s->kinds, 2);
	failed |= host->put_json(p, "json", json);
	failed |= host->put_text(p, "note", note);
	failed |= host->set_language(p, language, code, .5);
	failed |= host->set_text(p, (struct dana_view){ copy, text.len });
	return failed;
}

static void close_instance(void *instance)
{
	free(instance);
}

static void unload(void *shared)
{
	struct shared *s = shared;
	(void)s->host->run_is_over(s->context);
	free(s);
}

static const struct dana_option options[] = {
	{ "words", DANA_INTEGER, "N", "1", "a number", -9, 9 },
	{ "size", DANA_SIZE, NULL, "1K", "a size", 0, 0 },
	{ "share", DANA_NUMBER, NULL, "1", "a share", 0, 1 },
	{ "strict", DANA_BOOLEAN, NULL, "no", "a choice of two", 0, 0 },
	{ "kinds", DANA_LIST, "LIST", NULL, "kinds", 0, 0 },
	{ "how", DANA_CHOICE, "well|badly", "well", "a choice", 0, 0 },
	{ "file", DANA_STRING, "TEXT", NULL, "a text", 0, 0 },
	{ NULL, DANA_STRING, NULL, NULL, NULL, 0, 0 },
};
static const char *const counters[] = { "seen", NULL };

DANA_PLUGIN(first) = {
	DANA_PLUGIN_HEAD,
	DANA_PLUGIN_PURE | DANA_PLUGIN_HTML | DANA_PLUGIN_BLOCKS | DANA_PLUGIN_LANGUAGE,
	"first",
	"1.0",
	"uses all that ABI 1 gives a plugin that looks at each page by itself",
	options,
	counters,
	NULL,
	load,
	open_instance,
	head,
	http,
	media,
	html,
	NULL,
	page,
	NULL,
	NULL,
	NULL,
	close_instance,
	unload,
};
