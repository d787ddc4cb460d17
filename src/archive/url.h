/* SPDX-License-Identifier: MIT */
/* Relative URLs to absolute ones (RFC 3986, section 5), by libcurl's URL API. Any thread. */
#ifndef DANA_ARCHIVE_URL_H
#define DANA_ARCHIVE_URL_H

#include "base/buf.h"
#include "dana/dana.h"

struct url_base;

/**
 * The URL of a page, and the href of its <base> (empty: none) on top. Returns 0, DANA_ENOMEM, or DANA_ELIBRARY: libcurl
 * cannot be loaded, which happens here.
 */
int url_base_new(struct url_base **out, struct slice page, struct slice href);
/** Appends `url` made absolute, or unchanged if that is not possible (data:, no base). */
int url_resolve(const struct url_base *base, struct slice url, struct buf *out);
void url_base_free(struct url_base *base);

/*
 * The media of a page with absolute URLs: those of http and https, those without an address (canvas), and relative ones
 * where the page has no URL that they could be relative to. Others, as of scripts and data, are not listed.
 * Zero-initialised it is empty. Errors: DANA_ENOMEM, DANA_ELIBRARY.
 */

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
