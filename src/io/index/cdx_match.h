/* SPDX-License-Identifier: MIT */
/*
 * Which lines of an index are wanted: "FIELD=PATTERN", all of them must hold. A pattern is compared with the whole
 * value without regard to case; '*' stands for any characters, '|' parts alternatives. Of `languages` (or `language`)
 * one of the items must match. `url` is a URL, the beginning of one, or "*.host", and is compared by SURT keys. Pure.
 */
#ifndef DANA_INDEX_CDX_MATCH_H
#define DANA_INDEX_CDX_MATCH_H

#include "base/status.h"
#include "io/index/cdx_line.h"

struct cdx_match;

/** Takes `n` texts. Returns NULL with DANA_ECONFIG (no '=', no field) or DANA_ENOMEM in `err` on failure. */
struct cdx_match *cdx_match_new(const char *const *texts, size_t n, struct error *err);
/** Returns 1 if the line is wanted, else 0; or DANA_ENOMEM. */
int cdx_match_line(struct cdx_match *m, const struct cdx_line *line);
/** NULL allowed. */
void cdx_match_free(struct cdx_match *m);

#endif
