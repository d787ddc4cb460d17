/* SPDX-License-Identifier: MIT */
/* Whether bytes are one JSON value on one line. */
#ifndef DANA_BASE_JSON_CHECK_H
#define DANA_BASE_JSON_CHECK_H

#include "base/slice.h"

enum { JSON_DEPTH_MOST = 64 };

/**
 * RFC 8259, of well-formed UTF-8, arrays and objects in each other at most JSON_DEPTH_MOST deep, and without line breaks between
 * its parts. Linear, without recursion or memory.
 */
bool json_check(struct slice json);

#endif
