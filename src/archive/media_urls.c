/* SPDX-License-Identifier: MIT */
/*
 * All addresses are appended to one buffer, which moves while it grows; so lengths are stored first, and the pointers
 * are set at the end, from the lengths.
 */
#include "archive/media_urls.h"

#include "archive/url.h"
#include "base/status.h"
#include "base/url_parts.h"

/* Is an address, or a reference that could not be resolved, one to list? */
static bool is_listed(struct slice url)
{
	static const char *const schemes[] = { "http:", "https:", NULL };
	const struct slice scheme = url_scheme(url);
	return scheme.len == 0 || url_scheme_is(scheme, schemes);
}

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
	if (is_listed(slice_skip(buf_slice(&m->strings), start)))
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

void media_urls_free(struct media_urls *m)
{
	buf_free(&m->strings);
	buf_free(&m->media);
}
