/* SPDX-License-Identifier: MIT */
/*
 * GET /: the form for people (front.html). Without its script it sends the page to /explain; with it, it shows the text
 * and the Markdown that /extract returns. In the page %methods%, %fetch% and %nonce% are replaced.
 */
#include "config.h"

#include "serve/front.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/system.h"
#include "extract/method.h"
#include "serve/request.h"

/* What the methods are for that users choose between; the others are for comparison. */
static const struct {
	const char *name, *purpose;
} purposes[] = {
	{ "learned", "the main text of pages of all kinds" },
	{ "danag", "articles, fast" },
	{ "auto", "articles in all scripts, fast" },
	{ "plain", "everything that the page shows" },
};

enum { PURPOSES = sizeof(purposes) / sizeof(*purposes) };

static void put_option(struct buf *out, const char *name, const char *purpose, struct slice chosen)
{
	buf_printf(out, "<option value=\"%s\"%s>%s: %s</option>\n", name,
		   slice_equal(chosen, slice_from_text(name)) ? " selected" : "", name, purpose);
}

static void put_methods(const struct request *r, struct buf *out)
{
	const struct slice all = slice_from_text(r->server->config->method),
			   chosen = slice_first(all, slice_until(all, ":"));
	const struct method *m;
	for (size_t i = 0; i < PURPOSES; i++)
		put_option(out, purposes[i].name, purposes[i].purpose, chosen);
	buf_append_text(out, "<optgroup label=\"Methods of papers, for comparison\">\n");
	for (size_t i = 0; (m = method_at(i)); i++) {
		size_t k = 0;
		while (k < PURPOSES && strcmp(purposes[k].name, m->name) != 0)
			k++;
		if (k == PURPOSES)
			put_option(out, m->name, m->summary, chosen);
	}
	buf_append_text(out, "</optgroup>\n");
}

static bool take_mark(struct slice *rest, const char *mark)
{
	const size_t len = strlen(mark);
	const bool found = rest->len >= len && memcmp(rest->data, mark, len) == 0;
	if (found)
		*rest = slice_skip(*rest, len);
	return found;
}

static void show_form(struct request *r)
{
	struct slice rest = slice_of(front_html, front_html_len);
	uint64_t random[2];
	char nonce[40], policy[300];
	struct buf page = { 0 };
	if (!system_random(random, sizeof(random))) {
		request_reply_reason(r, 503, "the system gives no random numbers");
		return;
	}
	/* only the script of this response runs */
	(void)snprintf(nonce, sizeof(nonce), "%016" PRIx64 "%016" PRIx64, random[0], random[1]);
	(void)snprintf(policy, sizeof(policy),
		       "default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-%s'; connect-src 'self'; "
		       "img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
		       nonce);
	while (rest.len) {
		const size_t len = slice_until(rest, "%");
		buf_append(&page, rest.data, len);
		rest = slice_skip(rest, len);
		if (take_mark(&rest, "%methods%"))
			put_methods(r, &page);
		else if (take_mark(&rest, "%nonce%"))
			buf_append_text(&page, nonce);
		else if (take_mark(&rest, "%fetch%"))
			buf_append_text(&page, r->server->config->fetch ? "true" : "false");
		else if (rest.len) {
			buf_append_byte(&page, *rest.data);
			rest = slice_skip(rest, 1);
		}
	}
	request_add_policy(r, policy);
	request_reply(r, 200, "text/html; charset=utf-8", &page);
}

const struct route front_route = { .path = "/", .get = true, .end = show_form };
