/* SPDX-License-Identifier: MIT */
/* Makes any bytes well-formed UTF-8. */
#ifndef DANA_BASE_UTF8_MEND_H
#define DANA_BASE_UTF8_MEND_H

#include "base/buf.h"

/** Replaces what is malformed by U+FFFD; *mended: something was. Linear. Returns 0 or DANA_ENOMEM. */
int utf8_mend(struct buf *text, bool *mended);

#endif
