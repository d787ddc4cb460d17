/* SPDX-License-Identifier: MIT */
/* Bytes from input in messages: control characters, which a terminal would execute, are escaped. */
#ifndef DANA_BASE_PRINTABLE_H
#define DANA_BASE_PRINTABLE_H

#include "base/slice.h"

/**
 * Writes `s` to `out` (`size` bytes, at least 8), NUL ended: printable ASCII as it is, all other bytes and the
 * backslash as \xNN; a text that does not fit ends with "...". Returns `out`.
 */
const char *printable(struct slice s, char *out, size_t size);
/** The same for a text that contains results of printable(): backslashes stay as they are. */
const char *printable_message(struct slice s, char *out, size_t size);

#endif
