/* SPDX-License-Identifier: MIT */
/*
 * JSON text (RFC 8259): always valid, always well-formed UTF-8. All functions append to a buffer and return 0 or
 * DANA_ENOMEM.
 */
#ifndef DANA_BASE_JSON_ESCAPE_H
#define DANA_BASE_JSON_ESCAPE_H

#include "base/buf.h"

/**
 * Appends `s` as the inside of a JSON string, without quotes: quote, backslash, controls and U+2028, U+2029 are
 * escaped, malformed UTF-8 becomes U+FFFD (Unicode 15, section 3.9, table 3-8), everything else is copied.
 */
int json_escape(struct buf *out, struct slice s);
/** The same in quotes. */
int json_put_string(struct buf *out, struct slice s);
int json_put_number(struct buf *out, uint64_t number);

#endif
