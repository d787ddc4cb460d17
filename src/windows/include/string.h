/* SPDX-License-Identifier: MIT */
/* Functions of POSIX and GNU on strings. */
#ifndef DANA_WINDOWS_INCLUDE_STRING_H
#define DANA_WINDOWS_INCLUDE_STRING_H

#include_next <string.h>

/** In time that grows with the product of both lengths in the worst case: what is looked for is short. */
void *memmem(const void *bytes, size_t len, const void *wanted, size_t wanted_len);
char *strndup(const char *text, size_t most);
int strerror_r(int error, char *text, size_t size);

#endif
