/* SPDX-License-Identifier: MIT */
/* Base64 (RFC 4648, section 4) to bytes; white space between its characters is passed over, padding is needed. */
#ifndef DANA_BASE_BASE64_H
#define DANA_BASE_BASE64_H

#include "base/buf.h"
#include "base/slice.h"

/** Appends the bytes. 0, DANA_EFORMAT or DANA_ENOMEM. */
int base64_decode(struct slice text, struct buf *out);

#endif
