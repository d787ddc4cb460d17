/* SPDX-License-Identifier: MIT */
/*
 * The WARC of a crawl: FILE.part, which gets its name when the crawl ends. Each record is written as soon as it comes, a
 * member of its own where FILE is compressed, so that what is there is whole however wget2 ends. Any thread.
 */
#ifndef DANA_WGET2_ARCHIVE_H
#define DANA_WGET2_ARCHIVE_H

#include "base/status.h"
#include "plugins/wget2/records.h"

struct archive;

/** `path` is borrowed. 0, DANA_ECONFIG (FILE or FILE.part exists), DANA_EIO or DANA_ENOMEM with a text. */
int archive_open(struct archive **out, const char *path, bool force, struct error *err);
/** The id of its warcinfo. */
const char *archive_id(const struct archive *a);
/** Whole records, each in a buffer of its own; they stay together. 0, DANA_EIO or DANA_ENOMEM with a text. */
int archive_write(struct archive *a, const struct buf *records, size_t n, struct error *err);
/** Ends the file. 0 or DANA_EIO with a text. NULL allowed. */
int archive_close(struct archive *a, struct error *err);

#endif
