/* SPDX-License-Identifier: MIT */
/* Lines of indexes of archives: CDX, CDXJ, the shards of a zipnum cluster. Pure. */
#ifndef DANA_IO_CDX_H
#define DANA_IO_CDX_H

#include "base/buf.h"
#include "base/slice.h"
#include "base/status.h"

/*
 * A line of an index of archives: CDXJ ("key timestamp {JSON}", as Common Crawl and pywb write it) or CDX (9, 10 or 11
 * fields, or those that its first line names). Pure; one thread at a time.
 */

struct cdx_line;

struct cdx_line *cdx_line_new(void);

enum {
	CDX_RECORD = 1, /* names a record */
	CDX_NOTHING,    /* names none: a header, an empty line */
	CDX_FILE,       /* one word: a line of a list of index files */
};

/**
 * Reads a line, which must stay where it is while its fields are asked for. Returns one of the three; DANA_EFORMAT with
 * what is wrong; or DANA_ENOMEM.
 */
int cdx_line_read(struct cdx_line *c, struct slice line, struct error *err);
/**
 * Returns a field by its name in CDXJ: urlkey, timestamp, url, mime, mime-detected, status, digest, length, offset,
 * filename, languages, ... Those of CDX have the same names. Empty if the line lacks it.
 */
struct slice cdx_line_field(const struct cdx_line *c, const char *name);
/** Reads where the record is. *length is 0 if the line does not say. */
int cdx_line_place(const struct cdx_line *c, struct slice *file, uint64_t *offset, uint64_t *length, struct error *err);
void cdx_line_free(struct cdx_line *c);

/*
 * Which lines of an index are wanted: "FIELD=PATTERN", all of them must hold. A pattern is compared with the whole
 * value without regard to case; '*' matches any characters, '|' parts alternatives. Of `languages` (or `language`)
 * one of the items must match. `url` is a URL, the beginning of one, or "*.host", and is compared by SURT keys. Pure.
 */

struct cdx_match;

/** Takes `n` texts. Returns NULL with DANA_ECONFIG (no '=', no field) or DANA_ENOMEM in `err` on failure. */
struct cdx_match *cdx_match_new(const char *const *texts, size_t n, struct error *err);
/** Returns 1 if the line is wanted, else 0; or DANA_ENOMEM. */
int cdx_match_line(struct cdx_match *m, const struct cdx_line *line);
void cdx_match_free(struct cdx_match *m);

/*
 * SURT keys (sort-friendly URIs), by which indexes of archives are sorted: "https://www.Example.org:8080/A?b" is
 * "org,example:8080)/a?b". As pywb and Common Crawl write them, but for query parameters, which are not reordered, and
 * session ids, which are kept. Pure.
 */

/** Appends the key of a URL, with or without its scheme. */
int surt_key(struct slice url, struct buf *out);
/**
 * Appends what the keys begin with of all addresses that `pattern` means: a URL or the beginning of one
 * ("example.org/news/"), or "*.example.org" for a host and all hosts under it; then *hosts is set, and after the prefix
 * must come ',', ')' or ':'.
 */
int surt_prefix(struct slice pattern, struct buf *out, bool *hosts);

#endif
