/* SPDX-License-Identifier: MIT */
#ifndef DANA_RUN_CHARSET_CHECK_H
#define DANA_RUN_CHARSET_CHECK_H

#include "base/status.h"

/**
 * Returns 0, or DANA_ECONFIG if `name` is not a charset of the web or of iconv; the message begins with `where`, which
 * names the option. NULL (not given) is accepted.
 */
int charset_check(const char *where, const char *name, struct error *err);

#endif
