/* SPDX-License-Identifier: MIT */
/* The site that a page belongs to: the domain that somebody has registered (Public Suffix List, by libpsl). */
#ifndef DANA_DEDUP_SITE_H
#define DANA_DEDUP_SITE_H

#include "base/buf.h"

/**
 * Writes the site of a URL to `site`, in small letters: "example.co.uk" for "https://www.Example.co.uk:8080/x". The
 * site of an IP address, or of a public suffix, is the host itself; that of a URL without a host is empty. Returns 0,
 * DANA_ENOMEM, or DANA_ELIBRARY if libpsl is missing. Any thread.
 */
int site_of_url(struct slice url, struct buf *site);

#endif
