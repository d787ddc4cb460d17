/* SPDX-License-Identifier: MIT */
/*
 * A plugin that writes all that it can learn of a page into the document, so that tests compare it with what is known
 * of the archive. PURE, with an instance for each thread; asked in all places.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dana/dana_plugin.h"

static const struct dana_host *host;

struct probe {
	const char *drop; /* word of the URL that is dropped at `at` */
	const char *at;
	int heads, pages; /* of this thread */
	size_t gone_by;   /* bytes of the page's HTML */
	uint32_t sum;     /* of them */
};

enum { HEADS, HTTPS, MEDIAS, PAGES };
static const char *const counters[] = { "heads", "https", "medias", "pages", NULL };

static int load(void **shared, const struct dana_host *h, struct dana_context *c)
{
	host = h;
	*shared = NULL;
	if (h->abi != DANA_PLUGIN_ABI || h->size != sizeof(*h))
		return h->fail(c, "host of another interface");
	h->log(c, DANA_LOG_INFO, "loaded, level %lld, share %g, on %d, \033[2J",
	       (long long)h->option_integer(c, "size"), h->option_number(c, "share"), h->option_boolean(c, "on"));
	return 0;
}

static int open_instance(void **instance, void *shared, const struct dana_host *h, struct dana_context *c)
{
	struct probe *x = calloc(1, sizeof(*x));
	(void)shared;
	if (!x)
		return h->fail(c, "no memory");
	x->drop = h->option_text(c, "drop");
	x->at = h->option_text(c, "at");
	*instance = x;
	return 0;
}

static int contains(struct dana_view v, const char *word)
{
	size_t len = strlen(word);
	for (size_t i = 0; i + len <= v.len; i++) {
		if (memcmp(v.data + i, word, len) == 0)
			return 1;
	}
	return 0;
}

static int verdict(const struct probe *x, struct dana_page *p, const char *place)
{
	if (x->drop && strcmp(x->at, place) == 0 && contains(host->text_item(p, DANA_URL), x->drop))
		return host->drop(p, place);
	return DANA_KEEP;
}

static int head(void *instance, struct dana_page *p)
{
	struct probe *x = instance;
	x->heads++;
	host->count(p, HEADS, 1);
	if (host->text(p).data || host->number_item(p, DANA_HTTP_STATUS) >= 0 || host->field(p, "url").is ||
	    host->text_item(p, DANA_METHOD).data)
		return host->page_fail(p, "more is known than the head");
	return verdict(x, p, "head");
}

static int http(void *instance, struct dana_page *p)
{
	host->count(p, HTTPS, 1);
	if (host->number_item(p, DANA_HTTP_STATUS) < 0)
		return host->page_fail(p, "no status");
	return verdict(instance, p, "http");
}

static int media(void *instance, struct dana_page *p)
{
	host->count(p, MEDIAS, 1);
	if (host->text_item(p, DANA_BODY_START).len > 512)
		return host->page_fail(p, "too much of the body");
	return verdict(instance, p, "media");
}

static uint32_t add_bytes(uint32_t sum, struct dana_view v)
{
	for (size_t i = 0; i < v.len; i++)
		sum = (sum ^ (uint8_t)v.data[i]) * UINT32_C(16777619);
	return sum;
}

static int html(void *instance, struct dana_page *p, struct dana_view stretch)
{
	struct probe *x = instance;
	(void)p;
	x->gone_by = stretch.len ? x->gone_by + stretch.len : 0;
	x->sum = stretch.len ? add_bytes(x->sum, stretch) : 0;
	return 0;
}

static int put_blocks(struct dana_page *p)
{
	const struct dana_view text = host->text(p);
	size_t n = host->block_count(p), bytes = 0, known = 0;
	const char *at = text.data;
	for (size_t i = 0; i < n; i++) {
		struct dana_block b = host->block(p, i);
		if (b.text.data < at || b.text.data + b.text.len > text.data + text.len)
			return host->page_fail(p, "block %d is not in the text", (int)i);
		at = b.text.data + b.text.len;
		bytes += b.text.len;
		known += b.probability >= 0 && b.probability <= 1 && b.tag;
	}
	if (host->block(p, n).text.data)
		return host->page_fail(p, "a block beyond the last");
	if (n && bytes + n - 1 != text.len)
		return host->page_fail(p, "%d blocks of %d bytes are not the text", (int)n, (int)bytes);
	int status = host->put_integer(p, "blocks", (int64_t)n);
	return status ? status : host->put_integer(p, "known", (int64_t)known);
}

static int page(void *instance, struct dana_page *p)
{
	static const struct dana_view list[] = { { "a\"b", 3 }, { NULL, 0 } };
	struct probe *x = instance;
	struct dana_view whole = host->html(p);
	char *memory = host->memory(p, 1000);
	x->pages++;
	if (x->gone_by != whole.len || x->sum != add_bytes(0, whole))
		return host->page_fail(p, "what has gone by is not the page");
	host->count(p, PAGES, 1);
	if (!memory || verdict(x, p, "page") == DANA_DROP) {
		host->put_text(p, "url", host->text_item(p, DANA_URL)); /* a name that rejects have */
		host->put_text(p, "near", host->text_item(p, DANA_RECORD_ID));
		host->put_integer(p, "reason", 1);
		return verdict(x, p, "page");
	}
	memset(memory, 1, 1000);
	if (host->field(p, "text_chars").count != (uint64_t)host->number_item(p, DANA_TEXT_CHARS) ||
	    host->field(p, "url").text.len != host->text_item(p, DANA_URL).len || host->field(p, "nowhere").is)
		return host->page_fail(p, "the fields are not known by name");
	int status = host->put_text(p, "url", host->text_item(p, DANA_URL)) ||
		     host->put_text(p, "date", host->text_item(p, DANA_DATE)) ||
		     host->put_text(p, "id", host->text_item(p, DANA_RECORD_ID)) ||
		     host->put_text(p, "type", host->text_item(p, DANA_RECORD_TYPE)) ||
		     host->put_text(p, "file", host->text_item(p, DANA_FILE_NAME)) ||
		     host->put_text(p, "content_type", host->text_item(p, DANA_CONTENT_TYPE)) ||
		     host->put_text(p, "charset", host->text_item(p, DANA_CHARSET)) ||
		     host->put_text(p, "method", host->text_item(p, DANA_METHOD)) ||
		     host->put_text(p, "title", host->text_item(p, DANA_TITLE)) ||
		     host->put_text(p, "nowhere", host->warc_field(p, "X-Nowhere")) ||
		     host->put_text(p, "warc_date", host->warc_field(p, "warc-DATE")) ||
		     host->put_text(p, "http_type", host->http_field(p, "content-TYPE")) ||
		     host->put_integer(p, "status", host->number_item(p, DANA_HTTP_STATUS)) ||
		     host->put_integer(p, "offset", host->number_item(p, DANA_OFFSET)) ||
		     host->put_integer(p, "length", host->number_item(p, DANA_LENGTH)) ||
		     host->put_integer(p, "html_bytes", host->number_item(p, DANA_HTML_BYTES)) ||
		     host->put_integer(p, "text_chars", host->number_item(p, DANA_TEXT_CHARS)) ||
		     host->put_integer(p, "html", (int64_t)whole.len) ||
		     host->put_boolean(p, "is_html", contains(whole, "<")) || host->put_number(p, "number", -0.25) ||
		     host->put_number(p, "tiny", -1e-9) || host->put_number(p, "whole", 300) ||
		     host->put_number(p, "six", 0.1234567) || host->put_number(p, "many", 1e300) ||
		     host->put_number(p, "none", 0.0 / (double)(x->pages - x->pages)) ||
		     host->put_list(p, "list", list, 2) || host->put_list(p, "empty", list, 0) ||
		     host->put_json(p, "json", (struct dana_view){ "{\"a\":[1,2,{}]}", 14 });
	return status ? -1 : put_blocks(p);
}

static const struct dana_option options[] = {
	{ "drop", DANA_STRING, "WORD", NULL, "drop pages with this word in the URL", 0, 0 },
	{ "at", DANA_CHOICE, "head|http|media|page", "page", "where to drop them", 0, 0 },
	{ "size", DANA_SIZE, NULL, "64K", "nothing but a number", 1, 1 << 20 },
	{ "share", DANA_NUMBER, NULL, "0.5", "nothing but a number", 0, 1 },
	{ "level", DANA_INTEGER, NULL, "-1", "nothing but a number", -3, 3 },
	{ "on", DANA_BOOLEAN, NULL, "no", "nothing but a switch", 0, 0 },
	{ "list", DANA_LIST, NULL, NULL, "nothing but words", 0, 0 },
	{ "file", DANA_FILE, NULL, NULL, "nothing but a name", 0, 0 },
	{ .name = NULL },
};

DANA_PLUGIN(probe) = {
	DANA_PLUGIN_HEAD,
	.flags = DANA_PLUGIN_PURE | DANA_PLUGIN_HTML | DANA_PLUGIN_BLOCKS,
	.name = "probe",
	.version = "1",
	.help = "writes what it learns",
	.options = options,
	.counters = counters,
	.load = load,
	.open = open_instance,
	.head = head,
	.http = http,
	.media = media,
	.html = html,
	.page = page,
	.close = free,
};
