/* SPDX-License-Identifier: MIT */
/*
 * libcurl resolves a URL against the one that its handle holds: curl_url_set with "b.png" on a handle of
 * "http://h/a/page" makes "http://h/a/b.png". Each URL gets a copy of the base's handle. What cannot be resolved is
 * written as it is in the page.
 */
#include "config.h"

#include "archive/url.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/url_parts.h"

#ifdef HAVE_CURL
#include "base/curl_library.h"

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

int url_base_new(struct url_base **out, struct slice page, struct slice href)
{
	struct error err = { 0 };
	const struct curl_library *curl = curl_library(&err);
	*out = NULL;
	if (!curl)
		return (int)err.status;
	struct url_base *base = calloc(1, sizeof(*base));
	CURLU *url = curl->curl_url();
	int status = base && url ? refer(curl, url, page) : DANA_ENOMEM;
	if (status != DANA_ENOMEM && href.len) { /* a <base> alone, or one that refers to the page */
		const int on_top = refer(curl, url, href);
		status = on_top == DANA_EFORMAT ? status : on_top; /* one that is no URL changes nothing */
	}
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

/*
 * All addresses are appended to one buffer, which moves while it grows; so lengths are stored first, and the pointers
 * are set at the end, from the lengths.
 */

/* Appends an item with url_len set, if it is listed; its strings can still move. */
static int resolve(struct media_urls *m, const struct url_base *base, struct dana_media item)
{
	const size_t start = m->strings.len;
	int status = DANA_OK;
	if (item.url_len)
		status = url_resolve(base, slice_of(item.url, item.url_len), &m->strings);
	if (status < 0)
		return status;
	item.url_len = m->strings.len - start;
	/* is an address, or a reference that could not be resolved, one to list? */
	const struct slice url = slice_skip(buf_slice(&m->strings), start);
	static const char *const schemes[] = { "http:", "https:", NULL };
	const struct slice scheme = url_scheme(url);
	if (scheme.len == 0 || url_scheme_is(scheme, schemes))
		return buf_append(&m->media, &item, sizeof(item));
	m->strings.len = start;
	return DANA_OK;
}

int media_urls_resolve(struct media_urls *m, struct slice page, const struct dana_media *media, size_t count)
{
	buf_clear(&m->strings);
	buf_clear(&m->media);
	m->count = 0;
	if (count == 0)
		return DANA_OK;
	struct url_base *base;
	const struct slice href = slice_of(media[0].base, media[0].base_len);
	int status = url_base_new(&base, page, url_may_be_base(href) ? href : slice_of(NULL, 0));
	for (size_t i = 0; i < count && status == DANA_OK; i++)
		status = resolve(m, base, media[i]);
	struct dana_media *items = (struct dana_media *)(void *)m->media.data;
	m->count = m->media.len / sizeof(*items);
	for (size_t i = 0, at = 0; i < m->count; at += items[i++].url_len)
		items[i].url = (const char *)m->strings.data + at;
	url_base_free(base);
	return status;
}

#else
/* Libraries without the command do without libcurl. */
int media_urls_resolve(struct media_urls *m, struct slice page, const struct dana_media *media, size_t count)
{
	(void)page, (void)media;
	m->count = 0;
	return count ? DANA_ELIBRARY : DANA_OK;
}
#endif

void media_urls_free(struct media_urls *m)
{
	buf_free(&m->strings);
	buf_free(&m->media);
}
