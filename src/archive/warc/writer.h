/* SPDX-License-Identifier: MIT */
/* Writes a record of our own (WARC 1.1, section 4): version line, named fields, block, two line breaks. Pure. */
#ifndef DANA_ARCHIVE_WARC_WRITER_H
#define DANA_ARCHIVE_WARC_WRITER_H

#include "archive/record.h"
#include "base/buf.h"

/** A record to write. All borrowed. Content-Length is added after Content-Type, or else after all fields. */
struct warc_output {
	const char *version;        /* "WARC/1.1" */
	const struct field *fields; /* those with an empty value are left out */
	size_t n_fields;
	struct slice block;
};

/**
 * Appends the record to `out`. Values never break a head: CR, LF and NUL in them become a blank each, and blanks at
 * their ends are dropped. Returns 0 or DANA_ENOMEM.
 */
int warc_write(struct buf *out, const struct warc_output *record);

#endif
