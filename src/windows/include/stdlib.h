/* SPDX-License-Identifier: MIT */
/* Temporary files. */
#ifndef DANA_WINDOWS_INCLUDE_STDLIB_H
#define DANA_WINDOWS_INCLUDE_STDLIB_H

#define _CRT_RAND_S
#include_next <stdlib.h>

/** The file goes when its descriptor is closed. */
int mkostemp(char *name, int flags);

#endif
