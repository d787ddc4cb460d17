/* SPDX-License-Identifier: MIT */
/*
 * SURT keys (sort-friendly URIs), by which indexes of archives are sorted: "https://www.Example.org:8080/A?b" is
 * "org,example:8080)/a?b". As pywb and Common Crawl write them, but for query parameters, which are not reordered, and
 * session ids, which are kept. Pure.
 */
#ifndef DANA_INDEX_SURT_H
#define DANA_INDEX_SURT_H

#include "base/buf.h"

/** Appends the key of a URL, with or without its scheme. Returns 0 or DANA_ENOMEM. */
int surt_key(struct slice url, struct buf *out);
/**
 * Appends what the keys begin with of all addresses that `pattern` means: a URL or the beginning of one
 * ("example.org/news/"), or "*.example.org" for a host and all hosts under it; then *hosts is set, and after the prefix
 * must come ',', ')' or ':'. Returns 0 or DANA_ENOMEM.
 */
int surt_prefix(struct slice pattern, struct buf *out, bool *hosts);

#endif
