/* SPDX-License-Identifier: MIT */
/* Opens iconv to UTF-8, and tells a charset that it lacks from a system that has run out of something. */
#ifndef DANA_CHARSET_ICONV_UTF8_H
#define DANA_CHARSET_ICONV_UTF8_H

#include <iconv.h>

/**
 * DANA_OK; DANA_ECONFIG: iconv does not know the charset, or its converter is not installed; DANA_EFILES or
 * DANA_ENOMEM: it could not look.
 */
int iconv_utf8_open(iconv_t *cd, const char *charset);

#endif
