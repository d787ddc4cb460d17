/* SPDX-License-Identifier: MIT */
/*
 * WARC-Date and ARC dates in the forms that real archives contain, brought to the form of the standard (WARC 1.1,
 * section 5.4; the ISO 8601 profile of W3C). Pure functions.
 */
#ifndef DANA_WARC_DATE_H
#define DANA_WARC_DATE_H

#include "base/slice.h"

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

#endif
