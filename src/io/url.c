/* SPDX-License-Identifier: MIT */
/*
 * libcurl resolves a URL against the one that its handle holds: curl_url_set with "b.png" on a handle of
 * "http://h/a/page" makes "http://h/a/b.png". Each URL gets a copy of the base's handle. What cannot be resolved is
 * written as it stands in the page.
 */
#include "io/url.h"

#include <curl/curl.h>
#include <stdlib.h>

#include "base/status.h"

enum { FLAGS = CURLU_NON_SUPPORT_SCHEME | CURLU_URLENCODE };

struct url_base {
	CURLU *url; /* NULL: the page has no URL that can be one */
};

/* Sets or refers to a URL. DANA_OK, DANA_EFORMAT (it is not a URL) or DANA_ENOMEM. */
static int refer(CURLU *url, struct slice to)
{
	if (to.len == 0 || memchr(to.data, 0, to.len))
		return DANA_EFORMAT;
	char *text = malloc(to.len + 1);
	if (!text)
		return DANA_ENOMEM;
	memcpy(text, to.data, to.len);
	text[to.len] = '\0';
	CURLUcode code = curl_url_set(url, CURLUPART_URL, text, FLAGS);
	free(text);
	return code == CURLUE_OK ? DANA_OK : code == CURLUE_OUT_OF_MEMORY ? DANA_ENOMEM : DANA_EFORMAT;
}

struct url_base *url_base_new(struct slice page, struct slice href)
{
	struct url_base *base = calloc(1, sizeof(*base));
	CURLU *url = curl_url();
	int status = base && url ? refer(url, page) : DANA_ENOMEM;
	/* A <base> may stand alone, or refer to the page; one that is no URL changes nothing. */
	int on_top = href.len && status != DANA_ENOMEM ? refer(url, href) : DANA_EFORMAT;
	if (status == DANA_ENOMEM || on_top == DANA_ENOMEM) {
		curl_url_cleanup(url);
		free(base);
		return NULL;
	}
	if (status < 0 && on_top < 0) {
		curl_url_cleanup(url);
		url = NULL;
	}
	base->url = url;
	return base;
}

int url_resolve(const struct url_base *base, struct slice url, struct buf *out)
{
	CURLU *copy = base->url ? curl_url_dup(base->url) : curl_url();
	char *text = NULL;
	int status = copy ? refer(copy, url) : DANA_ENOMEM;
	if (status == DANA_OK && curl_url_get(copy, CURLUPART_URL, &text, 0) != CURLUE_OK)
		status = DANA_EFORMAT;
	if (status == DANA_OK)
		status = buf_append_text(out, text);
	else if (status == DANA_EFORMAT)
		status = buf_append(out, url.data, url.len);
	curl_free(text);
	curl_url_cleanup(copy);
	return status;
}

void url_base_free(struct url_base *base)
{
	if (base)
		curl_url_cleanup(base->url);
	free(base);
}
