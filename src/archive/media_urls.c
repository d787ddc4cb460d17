/* SPDX-License-Identifier: MIT */
/*
 * All addresses are appended to one buffer, which moves while it grows; so lengths are stored first, and the pointers
 * are set at the end, from the lengths.
 */
#include "archive/media_urls.h"

#include "archive/url.h"
#include "base/status.h"

/* Appends the items with url_len set; their strings can still move. */
static int resolve_all(struct media_urls *m, const struct url_base *base, const struct dana_media *media, size_t count)
{
	int status = DANA_OK;
	for (size_t i = 0; i < count && status >= 0; i++) {
		struct dana_media item = media[i];
		size_t start = m->strings.len;
		if (item.url_len)
			status = url_resolve(base, slice_of(item.url, item.url_len), &m->strings);
		item.url_len = m->strings.len - start;
		if (status >= 0)
			status = buf_append(&m->media, &item, sizeof(item));
	}
	return status;
}

int media_urls_resolve(struct media_urls *m, struct slice page, const struct dana_media *media, size_t count)
{
	buf_clear(&m->strings);
	buf_clear(&m->media);
	if (count == 0)
		return DANA_OK;
	struct url_base *base;
	int status = url_base_new(&base, page, slice_of(media[0].base, media[0].base_len));
	if (status == DANA_OK)
		status = resolve_all(m, base, media, count);
	struct dana_media *items = (struct dana_media *)(void *)m->media.data;
	for (size_t i = 0, at = 0; i < count && status >= 0; at += items[i++].url_len)
		items[i].url = (const char *)m->strings.data + at;
	url_base_free(base);
	return status;
}

void media_urls_free(struct media_urls *m)
{
	buf_free(&m->strings);
	buf_free(&m->media);
}
