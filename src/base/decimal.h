/* SPDX-License-Identifier: MIT */
/* Decimal numbers in bytes: ASCII digits, without sign, white space or fraction; leading zeros are allowed. */
#ifndef DANA_BASE_DECIMAL_H
#define DANA_BASE_DECIMAL_H

#include "base/slice.h"

/**
 * Reads the digits at the front of `s` and returns how many there are. *number is their value: 0 without digits,
 * UINT64_MAX if the value is larger. Example: "640px" returns 3 and sets *number to 640.
 */
size_t decimal_prefix(struct slice s, uint64_t *number);

/**
 * Returns whether `s` is one or more digits and nothing else, with a value of at most `most`; only then is *number set.
 */
bool decimal_number(struct slice s, uint64_t most, uint64_t *number);

/** Reads digits with K, M or G after them or not: "64K" is 65536; UINT64_MAX where it is larger. False: it is not one.
 */
bool decimal_with_unit(struct slice text, uint64_t *number);

#endif
