/* SPDX-License-Identifier: MIT */
/* What the files of this room share. */
#ifndef DANA_WINDOWS_INSIDE_H
#define DANA_WINDOWS_INSIDE_H

#include <wchar.h>

enum { WINDOWS_NAME_MOST = 32768 }; /* of UTF-16, with its end */

/** Sets errno by the last error of Windows. Returns -1. */
int windows_failed(void);
/** The name of Windows, from malloc, for a path; NULL with errno. */
wchar_t *windows_name(const char *path);
/** UTF-16 as UTF-8, from malloc, also half of a pair, in three bytes; NULL if memory is exhausted. */
char *windows_text(const wchar_t *wide);
/** By which names that differ in large and small letters are one. */
wchar_t windows_capital(wchar_t c);

#endif
