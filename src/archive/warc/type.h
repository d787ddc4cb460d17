/* SPDX-License-Identifier: MIT */
/* Record types and versions (WARC 1.1, sections 4 and 5.5). Pure functions. */
#ifndef DANA_WARC_TYPE_H
#define DANA_WARC_TYPE_H

#include "archive/record.h"

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

#endif
