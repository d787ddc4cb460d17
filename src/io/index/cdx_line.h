/* SPDX-License-Identifier: MIT */
/*
 * A line of an index of archives: CDXJ ("key timestamp {JSON}", as Common Crawl and pywb write it) or CDX (9, 10 or 11
 * fields, or those that its first line names). Pure; one thread at a time.
 */
#ifndef DANA_INDEX_CDX_LINE_H
#define DANA_INDEX_CDX_LINE_H

#include "base/slice.h"
#include "base/status.h"

struct cdx_line;

/** Returns NULL if memory is exhausted. */
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
/** Reads where the record is. *length is 0 if the line does not say. Returns 0 or DANA_EFORMAT. */
int cdx_line_place(const struct cdx_line *c, struct slice *file, uint64_t *offset, uint64_t *length, struct error *err);
/** NULL allowed. */
void cdx_line_free(struct cdx_line *c);

#endif
