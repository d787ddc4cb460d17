/* SPDX-License-Identifier: MIT */
/*
 * Named fields of a record head (WARC 1.1, section 4), read leniently: lines end with LF or CRLF, folded lines are
 * joined, lines without a colon are skipped, blanks around names are allowed. Values are bytes; NULs stay.
 */
#ifndef DANA_ARCHIVE_WARC_FIELD_H
#define DANA_ARCHIVE_WARC_FIELD_H

#include "archive/record.h"
#include "base/buf.h"
#include "base/slice.h"
#include "base/status.h"

/** Growable list. A zeroed one is empty; field_list_free gives its memory back. Slices borrow from the parsed text. */
struct field_list {
	struct field *items;
	size_t len, cap;
	bool cut; /* the text had more fields than it was allowed to take */
};

/**
 * Appends the fields of `text` (lines, each with its LF; the last may lack it). Folded values are joined in place, so
 * the text changes and can be parsed only once. `most`: fields of the list in all; what comes after them is left out,
 * and list->cut set. Returns 0 or DANA_ENOMEM.
 */
int field_list_parse(struct field_list *list, uint8_t *text, size_t len, size_t most);

int field_list_add(struct field_list *list, struct slice name, struct slice value);

void field_list_clear(struct field_list *list);

void field_list_free(struct field_list *list);

/** A number as Content-Length must be: digits only, at most INT64_MAX. Returns false when it is not. */
bool field_number(struct slice value, uint64_t *number);

/**
 * Returns `value` without the one pair of angle brackets that may be around it: old writers put URIs and ids in them.
 */
struct slice field_without_brackets(struct slice value);

/*
 * WARC-Date and ARC dates in the forms that real archives contain, brought to the form of the standard (WARC 1.1,
 * section 5.4; the ISO 8601 profile of W3C). Pure functions.
 */

enum { WARC_DATE_MAX = 32 }; /* bytes with the final NUL */

/**
 * Reads a year, month, day, minute, second or fraction of one, with or without zone (none = UTC), or 8 to 14 digits in
 * a row, and writes `YYYY-MM-DDThh:mm:ssZ` to `out`; with `fractions` (WARC 1.1) up to 9 decimals as given. A part that
 * is left out gets its first value. Returns false, with "" in `out`, when `date` is not a date or names a day or time
 * that does not exist.
 */
bool warc_date_normalise(struct slice date, bool fractions, char out[WARC_DATE_MAX]);

/**
 * The date of a record made from another: `date`, else `other`, else 1970-01-01T00:00:00Z, normalised. Returns false
 * when it is not `date`, which cannot be read.
 */
bool warc_date_choose(struct slice date, struct slice other, bool fractions, char out[WARC_DATE_MAX]);

/* Record types and versions (WARC 1.1, sections 4 and 5.5). Pure functions. */

/** The type that a WARC-Type value names, in any case; RECORD_OTHER when no standard defines it. */
enum record_type warc_type_of(struct slice name);

/**
 * Returns true for the version lines that are read: WARC/0.17, 0.18, 1.0 and 1.1. Blanks and CR after them are allowed.
 */
bool warc_version_known(struct slice line);

/**
 * Returns the length of the known version that `line` ends with, blanks and CR after it included; 0 if it does not end
 * with one.
 */
size_t warc_version_at_end(struct slice line);

/* Percent-encoding of characters that are not allowed in a URI (RFC 3986, section 2). */

/**
 * Appends `uri`. Percent-encodes bytes that are not URI characters, '%' without two hex digits after it, brackets
 * outside the authority, and each '#' but the first. Returns 0 or DANA_ENOMEM.
 */
int warc_uri_append(struct buf *out, struct slice uri);

#endif
