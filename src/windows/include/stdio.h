/* SPDX-License-Identifier: MIT */
/* fopen takes UTF-8, gives bytes, and knows the mode `e`. */
#ifndef DANA_WINDOWS_INCLUDE_STDIO_H
#define DANA_WINDOWS_INCLUDE_STDIO_H

#include_next <stdio.h>

FILE *fopen(const char *path, const char *mode) __asm__("windows_fopen");
int rename(const char *from, const char *to) __asm__("windows_rename");
int unlink(const char *path) __asm__("windows_unlink");

#endif
