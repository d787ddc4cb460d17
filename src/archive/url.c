/* SPDX-License-Identifier: MIT */
/*
 * libcurl resolves a URL against the one that its handle holds: curl_url_set with "b.png" on a handle of
 * "http://h/a/page" makes "http://h/a/b.png". Each URL gets a copy of the base's handle. What cannot be resolved is
 * written as it stands in the page.
 */
#include "archive/url.h"

#include <stdlib.h>
#include <string.h>

#include "base/curl_library.h"
#include "base/status.h"

enum { FLAGS = CURLU_NON_SUPPORT_SCHEME | CURLU_URLENCODE };

struct url_base {
	const struct curl_library *curl;
	CURLU *url; /* NULL: the page has no URL that can be one */
};

/* Sets or refers to a URL. DANA_OK, DANA_EFORMAT (it is not a URL) or DANA_ENOMEM. */
static int refer(const struct curl_library *curl, CURLU *url, struct slice to)
{
	if (to.len == 0 || memchr(to.data, 0, to.len))
		return DANA_EFORMAT;
	char *text = malloc(to.len + 1);
	if (!text)
		return DANA_ENOMEM;
	memcpy(text, to.data, to.len);
	text[to.len] = '\0';
	CURLUcode code = curl->curl_url_set(url, CURLUPART_URL, text, FLAGS);
	free(text);
	return code == CURLUE_OK ? DANA_OK : code == CURLUE_OUT_OF_MEMORY ? DANA_ENOMEM : DANA_EFORMAT;
}

/* A <base> may stand alone, or refer to the page; one that is no URL changes nothing. */
static int refer_both(const struct curl_library *curl, CURLU *url, struct slice page, struct slice href)
{
	int status = refer(curl, url, page);
	if (status == DANA_ENOMEM || href.len == 0)
		return status;
	int on_top = refer(curl, url, href);
	return on_top == DANA_EFORMAT ? status : on_top;
}

int url_base_new(struct url_base **out, struct slice page, struct slice href)
{
	struct error err = { 0 };
	const struct curl_library *curl = curl_library(&err);
	*out = NULL;
	if (!curl)
		return (int)err.status;
	struct url_base *base = calloc(1, sizeof(*base));
	CURLU *url = curl->curl_url();
	int status = base && url ? refer_both(curl, url, page, href) : DANA_ENOMEM;
	if (status < 0) {
		curl->curl_url_cleanup(url);
		url = NULL;
	}
	if (status == DANA_ENOMEM) {
		free(base);
		return status;
	}
	base->curl = curl;
	base->url = url;
	*out = base;
	return DANA_OK;
}

int url_resolve(const struct url_base *base, struct slice url, struct buf *out)
{
	const struct curl_library *curl = base->curl;
	CURLU *copy = base->url ? curl->curl_url_dup(base->url) : curl->curl_url();
	char *text = NULL;
	int status = copy ? refer(curl, copy, url) : DANA_ENOMEM;
	if (status == DANA_OK && curl->curl_url_get(copy, CURLUPART_URL, &text, 0) != CURLUE_OK)
		status = DANA_EFORMAT;
	if (status == DANA_OK)
		status = buf_append_text(out, text);
	else if (status == DANA_EFORMAT)
		status = buf_append(out, url.data, url.len);
	curl->curl_free(text);
	curl->curl_url_cleanup(copy);
	return status;
}

void url_base_free(struct url_base *base)
{
	if (base)
		base->curl->curl_url_cleanup(base->url);
	free(base);
}
