/* SPDX-License-Identifier: MIT */
/* Makes any bytes well-formed UTF-8. */
#ifndef DANA_BASE_UTF8_MEND_H
#define DANA_BASE_UTF8_MEND_H

#include "base/buf.h"

/**
 * Replaces what is malformed from place `from` on by U+FFFD; *mended: something was. `text` can become three times as
 * long. Linear in what is after `from`. Returns 0 or DANA_ENOMEM.
 */
int utf8_mend(struct buf *text, size_t from, bool *mended);

#endif
