/* SPDX-License-Identifier: MIT */
/*
 * The WARC of a crawl: FILE.part, which is renamed to FILE when the crawl ends. Each record is written as soon as it
 * comes, as a member of its own if FILE is compressed, so that the file is valid however wget2 ends. Any thread.
 */
#ifndef DANA_WGET2_ARCHIVE_H
#define DANA_WGET2_ARCHIVE_H

#include "base/status.h"
#include "plugins/wget2/records.h"

struct archive;

/**
 * Creates the file; `path` is borrowed. Returns 0, or DANA_ECONFIG (FILE or FILE.part exists), DANA_EIO or DANA_ENOMEM
 * with a text.
 */
int archive_open(struct archive **out, const char *path, bool force, struct error *err);
/** Returns the id of its warcinfo. */
const char *archive_id(const struct archive *a);
/**
 * Writes whole records, each in a buffer of its own, without others between them. Returns 0, or DANA_EIO or DANA_ENOMEM
 * with a text.
 */
int archive_write(struct archive *a, const struct buf *records, size_t n, struct error *err);
/** Completes and renames the file. Returns 0, or DANA_EIO with a text. NULL allowed. */
int archive_close(struct archive *a, struct error *err);

#endif
