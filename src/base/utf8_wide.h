/* SPDX-License-Identifier: MIT */
/* Checking of UTF-8 with vector instructions, for utf8.c only. */
#ifndef DANA_BASE_UTF8_WIDE_H
#define DANA_BASE_UTF8_WIDE_H

#include "base/slice.h"

/**
 * Length of a beginning of `s` that is well-formed and ends between two characters. It may be up to 66 bytes shorter
 * than the longest one: the caller checks what follows byte by byte. 0 if the processor has no such instructions.
 */
size_t utf8_valid_wide(struct slice s);

#endif
