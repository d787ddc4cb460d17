/* SPDX-License-Identifier: MIT */
/* A script of JSON-LD without what json_ld.c does not look at, which is most of it. */
#ifndef DANA_METADATA_JSON_SIFT_H
#define DANA_METADATA_JSON_SIFT_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/slice.h"

/**
 * Appends to `out` the first value of `json`, an object or array, without white space and without the members of objects of
 * which json_ld_read() needs none. False: it is not JSON, or has what this function leaves to the
 * parser (numbers that may be too large, escapes in keys, surrogates, deep nesting), or memory is exhausted; ignore `out` then.
 */
bool json_sift(struct slice json, struct buf *out);

#endif
