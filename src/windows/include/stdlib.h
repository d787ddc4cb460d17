/* SPDX-License-Identifier: MIT */
/* Temporary files, whole paths, the environment. */
#ifndef DANA_WINDOWS_INCLUDE_STDLIB_H
#define DANA_WINDOWS_INCLUDE_STDLIB_H

#define _CRT_RAND_S
#include_next <stdlib.h>

/** The file goes when its descriptor is closed. */
int mkostemp(char *name, int flags);
/** With slashes; `to` has PATH_MAX bytes, or is NULL. */
char *realpath(const char *path, char *to);
int setenv(const char *name, const char *value, int replace);

#endif
