/* SPDX-License-Identifier: MIT */
/*
 * The tokens are those of FineWeb (datatrove's PIIFormatter): addresses that belong to nobody, used in rotation, so
 * that a text does not seem to name one person everywhere. Telephone numbers, which FineWeb leaves, become numbers that
 * are reserved for films. The rotation starts again with each page, because a page must not depend on those before it.
 */
#include <stdlib.h>

#include "base/buf.h"
#include "base/status.h"
#include "dana/dana_plugin.h"
#include "plugins/pii/finder.h"

enum { EMAILS, IPS, PHONES, KINDS, KEPT = 1 << 20 };

static const char *const names[KINDS + 1] = { "emails", "ips", "phones", NULL };
static const char *const email_tokens[] = { "email@example.com", "firstname.lastname@example.org", NULL };
static const char *const ip_tokens[] = { "22.214.171.124", "126.96.36.199", "184.108.40.206",
					 "220.127.116.11", "18.104.22.168", NULL };
static const char *const phone_tokens[] = { "+1 202-555-0100", "+1 202-555-0101", NULL };
static const char *const *const tokens[KINDS] = { email_tokens, ip_tokens, phone_tokens };

static const struct dana_host *_Atomic host; /* always the same; archives in several threads set it */

struct pii {
	bool wanted[KINDS];
	bool public_only;
	struct buf out;
};

static bool find(const struct pii *x, int kind, struct slice text, size_t from, struct found *place)
{
	switch (x->wanted[kind] ? kind : KINDS) {
	case EMAILS:
		return email_find(text, from, place);
	case IPS:
		return ip_find(text, from, x->public_only, place);
	case PHONES:
		return phone_find(text, from, place);
	default:
		return false;
	}
}

static const char *token(int kind, uint64_t turn)
{
	size_t n = 0;
	while (tokens[kind][n])
		n++;
	return tokens[kind][turn % n];
}

/*
 * Writes the text with tokens for this kind and the later ones. Later kinds are searched only between the places of
 * this one, so that digits in an address are not taken for a telephone number.
 */
static void replace(struct pii *x, int kind, struct slice text, uint64_t count[KINDS])
{
	struct found place;
	size_t done = 0;
	if (kind == KINDS) {
		buf_append(&x->out, text.data, text.len);
		return;
	}
	while (find(x, kind, text, done, &place)) {
		replace(x, kind + 1, slice_of(text.data + done, place.start - done), count);
		buf_append_text(&x->out, token(kind, count[kind]++));
		done = place.end;
	}
	replace(x, kind + 1, slice_skip(text, done), count);
}

static int page(void *instance, struct dana_page *p)
{
	struct pii *x = instance;
	const struct dana_view text = host->text(p);
	uint64_t count[KINDS] = { 0 };
	int status = 0;
	buf_shrink(&x->out, KEPT);
	replace(x, EMAILS, slice_of(text.data, text.len), count);
	if (buf_status(&x->out) < 0)
		return host->page_fail(p, "%s", status_text(DANA_ENOMEM));
	if (count[EMAILS] + count[IPS] + count[PHONES] == 0)
		return DANA_KEEP;
	for (int kind = 0; kind < KINDS && status == 0; kind++) {
		host->count(p, (size_t)kind, count[kind]);
		status = host->put_integer(p, names[kind], (int64_t)count[kind]);
	}
	const struct dana_view out = { (const char *)x->out.data, x->out.len };
	return status < 0 ? status : host->set_text(p, out);
}

static int load(void **shared, const struct dana_host *h, struct dana_context *c)
{
	(void)shared;
	(void)c;
	host = h;
	return 0;
}

static int open_instance(void **instance, void *shared, const struct dana_host *h, struct dana_context *c)
{
	(void)shared;
	(void)h;
	struct pii *x = calloc(1, sizeof(*x));
	if (!x)
		return host->fail(c, "%s", status_text(DANA_ENOMEM));
	x->wanted[EMAILS] = host->option_boolean(c, "email");
	x->wanted[IPS] = host->option_boolean(c, "ip");
	x->wanted[PHONES] = host->option_boolean(c, "phone");
	x->public_only = host->option_boolean(c, "public");
	*instance = x;
	return 0;
}

static void close_instance(void *instance)
{
	struct pii *x = instance;
	buf_free(&x->out);
	free(x);
}

static const struct dana_option options[] = {
	{ "email", DANA_BOOLEAN, NULL, "1", "replace e-mail addresses", 0, 0 },
	{ "ip", DANA_BOOLEAN, NULL, "1", "replace IP addresses (version 4)", 0, 0 },
	{ "phone", DANA_BOOLEAN, NULL, "1", "replace numbers that are written like telephone numbers", 0, 0 },
	{ "public", DANA_BOOLEAN, NULL, "1", "leave IP addresses outside of the public network", 0, 0 },
	{ .name = NULL },
};

DANA_PLUGIN(pii) = {
	DANA_PLUGIN_HEAD,
	.flags = DANA_PLUGIN_PURE,
	.name = "pii",
	.version = "1",
	.help = "replaces e-mail addresses, IP addresses and telephone numbers by tokens",
	.options = options,
	.counters = names,
	.load = load,
	.open = open_instance,
	.page = page,
	.close = close_instance,
};
