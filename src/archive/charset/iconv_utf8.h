/* SPDX-License-Identifier: MIT */
/* Opens iconv to UTF-8, and distinguishes a charset that it lacks from a system that lacks memory or descriptors. */
#ifndef DANA_CHARSET_ICONV_UTF8_H
#define DANA_CHARSET_ICONV_UTF8_H

#include <iconv.h>

/**
 * Returns DANA_OK; DANA_ECONFIG if iconv does not know the charset or its converter is not installed; DANA_EFILES or
 * DANA_ENOMEM if it could not look for it.
 */
int iconv_utf8_open(iconv_t *cd, const char *charset);

#endif
