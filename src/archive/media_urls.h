/* SPDX-License-Identifier: MIT */
/*
 * The media of a page with absolute URLs: those of http and https, those without an address (canvas), and relative ones
 * where the page has no URL that they could be relative to. Others, as of scripts and data, are not listed.
 * Zero-initialised it is empty. Errors: DANA_ENOMEM, DANA_ELIBRARY.
 */
#ifndef DANA_ARCHIVE_MEDIA_URLS_H
#define DANA_ARCHIVE_MEDIA_URLS_H

#include "base/buf.h"
#include "dana/dana.h"

struct media_urls {
	struct buf strings;
	struct buf media; /* of struct dana_media */
	size_t count;
};

/**
 * Copies the list with its URLs resolved against the page's URL and its <base>, which does
 * not count if it is a script or data; valid until the next call. Returns 0, DANA_ENOMEM, or DANA_ELIBRARY if libcurl
 * cannot be loaded.
 */
int media_urls_resolve(struct media_urls *m, struct slice page, const struct dana_media *media, size_t count);
void media_urls_free(struct media_urls *m);

static inline const struct dana_media *media_urls_list(const struct media_urls *m)
{
	return (const struct dana_media *)(const void *)m->media.data;
}

#endif
