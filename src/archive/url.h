/* SPDX-License-Identifier: MIT */
/* Relative URLs to absolute ones (RFC 3986, section 5), by libcurl's URL API. Any thread. */
#ifndef DANA_ARCHIVE_URL_H
#define DANA_ARCHIVE_URL_H

#include "base/buf.h"

struct url_base;

/**
 * The URL of a page, and the href of its <base> (empty: none) on top. Returns 0, DANA_ENOMEM, or DANA_ELIBRARY: libcurl
 * cannot be loaded, which happens here.
 */
int url_base_new(struct url_base **out, struct slice page, struct slice href);
/** Appends `url` made absolute, or unchanged if that is not possible (data:, no base). Returns 0 or DANA_ENOMEM. */
int url_resolve(const struct url_base *base, struct slice url, struct buf *out);
/** NULL allowed. */
void url_base_free(struct url_base *base);

#endif
