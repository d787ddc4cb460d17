/* SPDX-License-Identifier: MIT */
/* Checking of UTF-8 with vector instructions, for utf8.c only. */
#ifndef DANA_BASE_UTF8_WIDE_H
#define DANA_BASE_UTF8_WIDE_H

#include "base/slice.h"

/**
 * Returns the length of a well-formed beginning of `s` that ends between two characters. It may be up to 66 bytes
 * shorter than the longest one: the caller checks the rest byte by byte. Returns 0 if the processor lacks the
 * instructions.
 */
size_t utf8_valid_wide(struct slice s);

#endif
